"""From public logs to the sets of a table. Every step leaves a file and is skipped where that is there."""
import hashlib
import json
import shutil
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from computations import write_computations
from logs import chosen, keys_of_log, lines_of
from steps import HONE, Stop, run
from table import Machine, Table


@dataclass(frozen=True)
class Place:
    table: Table
    data: Path  # the public logs
    work: Path  # sets, scorers and scores; may be deleted at any time

    def whole(self, machine: str) -> Path:
        return self.work / f"{machine}.hds"

    def keys(self, machine: str, name: int | str) -> Path:
        """The tasks of a fold or of a part."""
        return self.work / f"{machine}.{name}.keys"

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

    def folds(self, machine: str) -> list[int]:
        """Those that it has tasks of."""
        return [fold for fold in range(self.table.folds) if has_lines(self.keys(machine, fold))]

    def parts(self, machine: str) -> dict[int, str]:
        """Those that it has tasks of, and their names."""
        return {number: name for number, name in enumerate(self.table.parts)
                if has_lines(self.keys(machine, f"part{number}"))}


def has_lines(file: Path) -> bool:
    return not file.exists() or file.stat().st_size > 0


def keys_of(place: Place, machine: str) -> list[str]:
    said = subprocess.run([str(HONE), "inspect", str(place.whole(machine)), "--tasks", "--json"], check=True,
                          capture_output=True, text=True).stdout
    return [task["key"] for task in json.loads(said)["tasks"]]


def deal(keys: list[list[str]], same_task, folds: int) -> dict[str, int]:
    """The fold of each task of any machine; those of one structure are dealt one by one, in an order nobody chose."""
    tasks = {same_task(key) for of_machine in keys for key in of_machine}
    order = sorted(tasks, key=lambda task: (json.loads(task)[0], hashlib.md5(task.encode()).hexdigest()))
    return {task: place % folds for place, task in enumerate(order)}


def log_of(place: Place, machine: Machine) -> Path:
    """The public one, or what is taken of it."""
    log = place.data / machine.log
    if not log.exists():
        raise Stop(f"there is no {log}\n\nhint: name the folder of the public records with --data")
    if not machine.choice:
        return log
    taken = place.work / f"{machine.name}.jsonl"
    taken.write_text("".join(chosen(lines_of(log), machine.choice)))
    return taken


def import_log(place: Place, machine: Machine) -> None:
    to = place.whole(machine.name)
    if to.exists():
        return
    log, words = log_of(place, machine), []
    if machine.prove_computations:
        file = place.work / f"{machine.name}.computations.jsonl"
        write_computations(keys_of_log(log), place.data / "workload_dags.jsonl.gz", file)
        words = ["--dags", str(file)]
    described = f"{machine.name}:{machine.facts}" if machine.facts else machine.name
    run(HONE, "dataset", "import", log, "--machine", described, *words, "-o", to)


def hold_out(place: Place, machine: str, name: int | str, keys: list[str], total: int) -> Path:
    """The set without these tasks and with them alone: NAME.train.hds and NAME.test.hds, each where it has a task."""
    prefix, listed = place.work / f"{machine}.{name}", place.keys(machine, name)
    listed.write_text("".join(key + "\n" for key in keys))
    train, test = (Path(f"{prefix}.{part}.hds") for part in ("train", "test"))
    if train.exists() or test.exists():
        return prefix
    if 0 < len(keys) < total:
        run(HONE, "dataset", "split", place.whole(machine), "--by", "list", "--hold-out", listed, "-o", prefix)
    else:
        shutil.copyfile(place.whole(machine), test if keys else train)
    return prefix


def prepare_fold(place: Place, machine: str, fold: int, keys: list[str], total: int, with_features: bool) -> Path:
    """Gives the part of the fold as it was cut, without features."""
    prefix = hold_out(place, machine, fold, keys, total)
    for part, rows in (("train", place.training(machine, fold)), ("test", place.test(machine, fold))):
        cut = Path(f"{prefix}.{part}.hds")
        if with_features and cut.exists() and not rows.exists():
            run(HONE, "dataset", "features", cut, "--add", place.table.features, "-o", rows)
    return Path(f"{prefix}.test.hds")


def prepare_machine(place: Place, machine: str, keys: list[str], fold_of: dict[str, int], structures: Counter[str],
                    with_features: bool) -> None:
    table = place.table
    tests = [prepare_fold(place, machine, fold, [key for key in keys if fold_of[table.same_task(key)] == fold],
                          len(keys), with_features) for fold in range(table.folds)]
    if not place.judged(machine).exists():
        run(HONE, "dataset", "merge", *[test for test in tests if test.exists()], "-o", place.judged(machine))
    for number, is_in in enumerate(table.parts.values()):
        hold_out(place, machine, f"part{number}", [key for key in keys if is_in(key, structures)], len(keys))


def prepare(place: Place, with_features: bool) -> None:
    """Features are large, and only training reads them."""
    place.work.mkdir(parents=True, exist_ok=True)
    machines = [machine.name for machine in place.table.machines]
    for machine in place.table.machines:
        import_log(place, machine)
    keys = {machine: keys_of(place, machine) for machine in machines}
    fold_of = deal(list(keys.values()), place.table.same_task, place.table.folds)
    structures = Counter(json.loads(task)[0] for task in fold_of)
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(prepare_machine, place, machine, keys[machine], fold_of, structures, with_features)
                     for machine in machines]:
            done.result()
