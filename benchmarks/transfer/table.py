"""What a table of transfers is made of. A table is one file like gpu.py and one line of TABLES in `run`."""
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

ALL = -1  # labels: all there are


@dataclass(frozen=True)
class Choice:
    """Which records of a log are taken."""
    cores: int | None = None  # those that state so many: a log may be of several machines
    without: tuple[str, ...] = ()  # functions that keys begin with
    at_least: int = 1  # records of a task, or it is left out: of one program there is nothing to choose
    at_most: int | None = None  # of a task, in an order nobody chose


@dataclass(frozen=True)
class Machine:
    name: str  # of `hone dataset import --machine`
    log: str
    choice: Choice | None = None  # None: all of the log
    facts: str = ""  # of a machine that hone has no name for
    prove_computations: bool = False  # those that the public file lacks; computations.py
    title: str = ""  # for the page, where it is not the name in capitals

    @property
    def shown(self) -> str:
        return self.title or self.name.upper()


@dataclass(frozen=True)
class Transfer:
    sources: list[str]
    target: str
    labels: list[int] | None = None  # where the target has fewer than the table asks for
    rows: list[str] | None = None  # some of the table's
    is_counted: bool = True  # False: shown, but of too few tasks to say who is behind

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
class Study:
    """The same model with other sources, and with none: which of them help."""
    target: str
    sources: list[list[str]]
    rows: dict[str, str]  # and the row without sources that each is compared with
    labels: list[int]

    @property
    def transfers(self) -> list[Transfer]:
        return [Transfer(sources, self.target, self.labels, list(self.rows)) for sources in self.sources]


# Of the key of a task, and of how many tasks each structure has on all machines together.
Part = Callable[[str, Counter[str]], bool]


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    machines: list[Machine]
    transfers: list[Transfer]
    labels: list[int]
    rows: list[Row]
    parts: dict[str, Part]  # of the tasks, each judged apart, on machines that have some
    same_task: Callable[[str], str]  # keys that mean one task become one text, and are held out together
    features: str
    settings: dict[str, str]  # of all rows, beside their own
    studies: list[Study] = field(default_factory=list)
    note: str = ""  # for the page
    folds: int = 5

    @property
    def all_transfers(self) -> list[Transfer]:
        """Those of studies with them, where they are others."""
        own = {transfer.folder for transfer in self.transfers}
        return [*self.transfers, *(transfer for study in self.studies for transfer in study.transfers
                                   if transfer.folder not in own)]

    def machine(self, name: str) -> Machine:
        return next(machine for machine in self.machines if machine.name == name)

    def row(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)

    def shown(self, machines: list[str]) -> str:
        return " + ".join(self.machine(name).shown for name in machines)

    def title_of(self, transfer: Transfer) -> str:
        return f"{self.shown(transfer.sources)} → {self.shown([transfer.target])}"

    def rows_of(self, transfer: Transfer) -> list[Row]:
        return [row for row in self.rows if transfer.rows is None or row.name in transfer.rows]

    def labels_of(self, transfer: Transfer) -> list[int]:
        return self.labels if transfer.labels is None else transfer.labels

    def first_to(self, target: str) -> Transfer:
        """What needs no sources is trained once for a target, and kept with this one."""
        return next(transfer for transfer in self.transfers if transfer.target == target)


def labels_text(labels: int) -> str:
    return "all" if labels == ALL else str(labels)
