"""The cost models of the table, with the settings that were published for them."""
from dataclasses import dataclass, field

HOLD_OUT = ["resnet_50", "mobilenet_v2", "resnext_50"]


@dataclass(frozen=True)
class Model:
    name: str  # in the table
    kind: str  # of `hone train`
    settings: dict[str, str] = field(default_factory=dict)
    seeds: int = 3


MODELS = [
    Model("XGBoost", "xgboost"),
    Model("LightGBM", "lightgbm"),
    Model("TenSet-MLP", "tenset-mlp"),
    Model("TLP attention+rank", "tlp"),
    Model("TLP attention+MSE", "tlp", {"loss": "mse"}),
    Model("TLP LSTM+rank", "tlp", {"backend": "lstm"}),
    Model("TLP LSTM+MSE", "tlp", {"backend": "lstm", "loss": "mse"}),
    Model("hone", "hone", seeds=5),
]


def file_name(model: Model) -> str:
    """"TLP LSTM+MSE" -> tlp-lstm-mse: what its folder and its score files are called."""
    return model.name.lower().replace(" ", "-").replace("+", "-")
