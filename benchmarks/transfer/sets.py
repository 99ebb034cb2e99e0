"""From public logs to the sets of a table. Every step leaves a file and is skipped where that is there."""
import hashlib
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from computations import write_computations
from steps import HONE, Stop, run
from table import Machine, Table


@dataclass(frozen=True)
class Place:
    table: Table
    data: Path  # the public logs
    work: Path  # sets, scorers and scores; may be deleted at any time

    def whole(self, machine: str) -> Path:
        return self.work / f"{machine}.hds"

    def training(self, machine: str, fold: int) -> Path:
        """Without the fold, and with features."""
        return self.work / f"{machine}.{fold}.train.rows.hds"

    def test(self, machine: str, fold: int) -> Path:
        """The fold alone, with features."""
        return self.work / f"{machine}.{fold}.test.rows.hds"

    def judged(self, machine: str) -> Path:
        """All programs, fold after fold."""
        return self.work / f"{machine}.judged.hds"

    def part(self, machine: str, number: int) -> Path:
        """The tasks of one of the table's parts."""
        return self.work / f"{machine}.part{number}.test.hds"


def keys_of(place: Place, machine: str) -> list[str]:
    said = subprocess.run([str(HONE), "inspect", str(place.whole(machine)), "--tasks", "--json"], check=True,
                          capture_output=True, text=True).stdout
    return [task["key"] for task in json.loads(said)["tasks"]]


def deal(keys: list[list[str]], same_task, folds: int) -> dict[str, int]:
    """The fold of each task of any machine; those of one structure are dealt one by one, in an order nobody chose."""
    tasks = {same_task(key) for of_machine in keys for key in of_machine}
    order = sorted(tasks, key=lambda task: (json.loads(task)[0], hashlib.md5(task.encode()).hexdigest()))
    return {task: place % folds for place, task in enumerate(order)}


def import_log(place: Place, machine: Machine) -> None:
    to, log = place.whole(machine.name), place.data / machine.log
    if to.exists():
        return
    if not log.exists():
        raise Stop(f"there is no {log}\n\nhint: name the folder of the public records with --data")
    words = list(machine.import_words)
    if machine.prove_computations:
        file = place.work / f"{machine.name}.computations.jsonl"
        write_computations(log, place.data / "workload_dags.jsonl.gz", file)
        words += ["--dags", str(file)]
    run(HONE, "dataset", "import", log, "--machine", machine.name, *words, "-o", to)


def hold_out(place: Place, machine: str, name: str, keys: list[str]) -> Path:
    """The set without these tasks and with them alone: NAME.train.hds and NAME.test.hds."""
    prefix = place.work / f"{machine}.{name}"
    listed = prefix.with_name(prefix.name + ".keys")
    listed.write_text("".join(key + "\n" for key in keys))
    if not Path(f"{prefix}.test.hds").exists():
        run(HONE, "dataset", "split", place.whole(machine), "--by", "list", "--hold-out", listed, "-o", prefix)
    return prefix


def prepare_fold(place: Place, machine: str, fold: int, keys: list[str], with_features: bool) -> Path:
    """Gives the part of the fold as it was cut, without features."""
    prefix = hold_out(place, machine, str(fold), keys)
    for part, rows in (("train", place.training(machine, fold)), ("test", place.test(machine, fold))):
        if with_features and not rows.exists():
            run(HONE, "dataset", "features", f"{prefix}.{part}.hds", "--add", place.table.features, "-o", rows)
    return Path(f"{prefix}.test.hds")


def prepare_machine(place: Place, machine: str, keys: list[str], fold_of: dict[str, int], with_features: bool) -> None:
    table = place.table
    tests = [prepare_fold(place, machine, fold, [key for key in keys if fold_of[table.same_task(key)] == fold],
                          with_features) for fold in range(table.folds)]
    if not place.judged(machine).exists():
        run(HONE, "dataset", "merge", *tests, "-o", place.judged(machine))
    for number, is_in in enumerate(table.parts.values()):
        hold_out(place, machine, f"part{number}", [key for key in keys if is_in(key)])


def prepare(place: Place, with_features: bool) -> None:
    """Features are large, and only training reads them."""
    place.work.mkdir(parents=True, exist_ok=True)
    machines = [machine.name for machine in place.table.machines]
    for machine in place.table.machines:
        import_log(place, machine)
    keys = {machine: keys_of(place, machine) for machine in machines}
    fold_of = deal(list(keys.values()), place.table.same_task, place.table.folds)
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(prepare_machine, place, machine, keys[machine], fold_of, with_features)
                     for machine in machines]:
            done.result()
