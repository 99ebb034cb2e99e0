"""What a table of transfers is made of. A table is one file like gpu.py and one line of TABLES in `run`."""
from collections.abc import Callable
from dataclasses import dataclass, field

ALL = -1  # labels: all there are


@dataclass(frozen=True)
class Machine:
    name: str  # of `hone dataset import --machine`
    log: str
    import_words: list[str] = field(default_factory=list)  # files are in the folder of the log
    prove_computations: bool = False  # those that the public file lacks; computations.py


@dataclass(frozen=True)
class Transfer:
    sources: list[str]
    target: str

    @property
    def title(self) -> str:
        return f"{' + '.join(self.sources)} → {self.target}"

    @property
    def folder(self) -> str:
        return "-".join([*self.sources, "to", self.target])


@dataclass(frozen=True)
class Row:
    """A model and how it learns. `scratch`: from the target's labels alone; `tuned`: from the sources, then all weights
    from the target's labels; `together`: from both at once."""
    name: str
    kind: str
    way: str
    settings: dict[str, str] = field(default_factory=dict)
    is_ours: bool = False  # the one that must not be behind

    @property
    def folder(self) -> str:
        return self.name.lower().replace(",", "").replace(" ", "-")

    def needs(self, labels: int) -> bool:
        return self.way != "scratch" or labels != 0


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    machines: list[Machine]
    transfers: list[Transfer]
    labels: list[int]
    rows: list[Row]
    parts: dict[str, Callable[[str], bool]]  # of the tasks, by their keys, each judged apart
    same_task: Callable[[str], str]  # keys that mean one task become one text, and are held out together
    features: str
    settings: dict[str, str]  # of all rows, beside their own
    note: str = ""  # for the page
    folds: int = 5

    def machine(self, name: str) -> Machine:
        return next(machine for machine in self.machines if machine.name == name)


def labels_text(labels: int) -> str:
    return "all" if labels == ALL else str(labels)
