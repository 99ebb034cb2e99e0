"""The trainings of a table: what is learned from what, and the scores that come of it."""
import json
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sets import Place
from steps import HONE_TRAIN, Stop, run, say, set_words
from table import ALL, Row, Transfer, labels_text


@dataclass(frozen=True)
class Training:
    transfer: Transfer
    row: Row
    labels: int
    seed: int
    fold: int

    def file(self, place: Place, ending: str) -> Path:
        name = f"{labels_text(self.labels)}.{self.seed}.{self.fold}.{ending}"
        transfer = place.table.first_to(self.transfer.target) if self.row.way == "scratch" else self.transfer
        return place.work / transfer.folder / self.row.folder / name

    @property
    def base(self) -> "Training | None":
        """What it starts from."""
        if self.row.way != "tuned" or self.labels == 0:
            return None
        return Training(self.transfer, self.row, 0, self.seed, self.fold)


def command(place: Place, training: Training, words: list[str]) -> list[str]:
    """`hone train` would start the same program, and ask it first what the set needs."""
    row, target = training.row, training.transfer.target
    sources = [place.training(source, training.fold) for source in training.transfer.sources]
    own = place.training(target, training.fold)
    learns_sources = row.way == "together" or (row.way == "tuned" and training.labels == 0)
    learns_target = row.way == "together" or training.labels != 0
    of_target = ["--target", target] if learns_target else []
    if learns_target and training.labels != ALL:
        of_target += ["--target-labels", str(training.labels)]
    start = ["--from", str(training.base.file(place, "scorer"))] if training.base else []
    sets = (sources if learns_sources else []) + ([own] if learns_target else [])
    settings = {**place.table.settings, **row.settings, "seed": str(training.seed)}
    scorer, test = training.file(place, "scorer"), place.test(target, training.fold)
    return [str(HONE_TRAIN), *map(str, sets), "--kind", row.kind, "--fold-by", "task", *of_target, *start,
            *set_words(settings), *words, "--fresh", "--scored", str(test), "-o", str(scorer)]


def check_unseen(place: Place, training: Training) -> None:
    """No task that is judged may have been learned from, under any of its names."""
    with training.file(place, "scorer").open("rb") as file:
        seen = {place.table.same_task(key) for key in json.loads(file.readline())["tasks"]}
    held_out = place.keys(training.transfer.target, training.fold)
    if known := [key for key in held_out.read_text().splitlines() if place.table.same_task(key) in seen]:
        raise Stop(f"{training.file(place, 'scorer')} has learned from {known[0]}, which it is to be judged on")


def train(place: Place, training: Training, words: list[str], started: dict[Path, Future]) -> None:
    scores = training.file(place, "npy")
    if scores.exists():
        return
    if training.base:
        started[training.base.file(place, "scorer")].result()
    scores.parent.mkdir(parents=True, exist_ok=True)
    run(*command(place, training, words), log=training.file(place, "log"))
    check_unseen(place, training)
    training.file(place, "scorer.npy").rename(scores)
    say(f"trained {scores.relative_to(place.work)}")


def trainings_of(place: Place, rows: list[Row], seeds: int) -> list[Training]:
    """Row by row, each once; what others start from, without labels of the target, comes before them."""
    table = place.table
    found = [Training(transfer, row, labels, seed, fold) for seed in range(seeds) for row in rows
             for labels in table.labels if row.needs(labels) for transfer in table.all_transfers
             if row in table.rows_of(transfer) and labels in table.labels_of(transfer)
             for fold in place.folds(transfer.target)]
    return list({training.file(place, "scorer"): training for training in found}.values())


def train_all(place: Place, trainings: list[Training], parallel: int, words: list[str]) -> None:
    started: dict[Path, Future] = {}
    with ThreadPoolExecutor(parallel) as pool:
        for training in trainings:
            started[training.file(place, "scorer")] = pool.submit(train, place, training, words, started)
    failed = [str(done.exception()) for done in started.values() if done.exception()]
    if failed:
        raise Stop(f"{len(failed)} of {len(trainings)} trainings failed; the first: {failed[0]}")
