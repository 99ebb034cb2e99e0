"""The cost models of the table, with the settings that were published for them."""
from dataclasses import dataclass, field



@dataclass(frozen=True)
class Records:
    """A public log, and how models are judged on it: on networks held out, or by cross-validation."""
    name: str
    log: str
    import_words: list[str]  # of `hone dataset import`; files are in the folder of the log
    hold_out: str = ""  # networks, with commas between them
    folds: int = 0
    is_cpu: bool = True


RECORDS = {records.name: records for records in [
    Records("x86", "ansor_x86_24core_thaisacs.stratified.jsonl.gz",
            ["--machine", "x86-24core", "--one-machine", "--dags", "workload_dags.jsonl.gz", "--networks",
             "ansor_x86_24core_thaisacs.workloads.tsv"], hold_out="resnet_50,mobilenet_v2,resnext_50"),
    Records("v100", "ansor_v100_nnfusion.jsonl.gz", ["--machine", "v100"], folds=5, is_cpu=False),
]}
FEATURES = "statements,embedding,tlp,primitives,context,summary"


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
    Model("LSTM", "statement-lstm"),
    Model("MHA", "statement-attention"),
    Model("TabNet", "tabnet"),
    Model("ATFormer-1L", "atformer", {"layers": "1", "mask": "0"}),
    Model("ATFormer", "atformer", {"mask": "0"}),
    Model("ATFormer-M", "atformer"),
    Model("ATFormer-M MSE", "atformer", {"loss": "rmse", "epochs": "100"}),
    Model("TLP attention+rank", "tlp"),
    Model("TLP attention+MSE", "tlp", {"loss": "mse"}),
    Model("TLP LSTM+rank", "tlp", {"backend": "lstm"}),
    Model("TLP LSTM+MSE", "tlp", {"backend": "lstm", "loss": "mse"}),
    Model("TLP log numbers+rank", "tlp", {"numbers": "log"}),
    Model("hone", "hone", {"reach": "4", "members_see": "all_but_one", "tree_share": "0.6", "caution": "0.5"}, seeds=5),
]


def file_name(model: Model) -> str:
    """"TLP LSTM+MSE" -> tlp-lstm-mse: what its folder and its score files are called."""
    return model.name.lower().replace(" ", "-").replace("+", "-")
