"""What is studied beside the table of models: TLP's options one by one, tasks against programs, how much data is
enough. A row is a training on a part of the records, judged on tasks of structures that no row has seen."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    name: str  # in the table
    kind: str  # of `hone train`
    settings: dict[str, str] = field(default_factory=dict)
    features: str = "tlp"
    tasks: int = 0  # 0: all
    per_task: int = 0


def tlp(name: str, **settings: str) -> Row:
    return Row(name, "tlp", settings, "tlp,tlp_54x40" if "rows" in settings else "tlp")


def sized(kind: str, features: str, tasks: int, per_task: int = 0) -> Row:
    name = f"{kind}, {tasks} x {per_task}" if per_task else f"{kind}, {tasks} tasks"
    return Row(name, kind, {}, features, tasks, per_task)


HONE = "statements,primitives,context,summary"
MLP = "statements,embedding"
# A fixed number of records, as TenSet has it. The largest tasks of the public records have about 300 programs,
# and 377 of those that are learned from have more than 100.
SIZES = [(150, 270), (300, 135), (370, 109)]
CURVE = [20, 40, 100, 200, 401]  # 5, 10, 25, 50 and 100 % of the tasks
SIZED = [("tlp", "tlp"), ("tenset-mlp", MLP), ("hone", HONE)]  # kinds and what they read

STUDIES = {
    "tlp": ("TLP's options, one at a time", [
        tlp("as published"), tlp("15 steps", steps="15"), tlp("12 columns", columns="12"),
        tlp("54 steps of 40 columns, uncut", rows="tlp_54x40"), tlp("width 512", width="512"),
        tlp("4 heads", heads="4"), tlp("16 heads", heads="16"), tlp("2 layers", layers="2"),
        tlp("1 block", blocks="1"), tlp("3 blocks", blocks="3"), tlp("squared error", loss="mse"),
        tlp("LSTM", backend="lstm"), tlp("programs of one task compared", list="64")]),
    "sizes": ("Tasks against programs of each", [
        sized(kind, features, *size) for kind, features in SIZED for size in SIZES]),
    "curve": ("How many tasks are enough", [
        sized(kind, features, tasks) for kind, features in SIZED for tasks in CURVE]),
}
