"""The way from public records to scorers. Every step leaves a file and is skipped where that is there."""
import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

from models import FEATURES, Model, Records, file_name

ROOT = Path(__file__).resolve().parents[2]
TREES = ("xgboost", "lightgbm")
HONE = Path(os.environ.get("HONE", ROOT / "build/hone"))
HONE_TRAIN = Path(os.environ.get("HONE_TRAIN", HONE.with_name("hone-train")))


class Stop(Exception):
    """Ends the program with a message for people."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(*words: str | Path, log: Path | None = None) -> None:
    """What it says goes to the terminal, or to a file."""
    say("$ " + " ".join(str(word) for word in words))
    with log.open("a") if log else nullcontext() as out:
        ended = subprocess.run([str(word) for word in words], check=False, stdout=out, stderr=out)
    if ended.returncode != 0:
        raise Stop(f"`{words[0]} {words[1]}` failed; what it said is {f'in {log}' if log else 'above'}")


@dataclass(frozen=True)
class Place:
    records: Records
    data: Path  # the public logs
    work: Path  # sets, scorers and scores; may be deleted at any time

    @property
    def whole(self) -> Path:
        return self.work / f"{self.records.name}.hds"

    @property
    def training(self) -> Path:
        """What models may learn from; folds are left out by `hone train` itself."""
        return self.whole if self.records.folds else self.work / f"{self.records.name}.train.hds"

    def scorers(self, model: Model, seed: int) -> list[Path]:
        """One, or one a fold."""
        folder = self.work / file_name(model)
        if not self.records.folds:
            return [folder / f"{seed}.scorer"]
        return [folder / f"{seed}.{fold}.scorer" for fold in range(self.records.folds)]

    def scores(self, model: Model, seed: int) -> Path:
        return self.work / file_name(model) / f"{seed}.npy"


def make_sets(place: Place) -> None:
    """The whole set, and the part that models may learn from."""
    log = place.data / place.records.log
    if not log.exists() and not place.whole.exists():
        raise Stop(f"there is no {log}\n\nhint: name the folder of the public records with --data")
    place.work.mkdir(parents=True, exist_ok=True)
    if not place.whole.exists():
        words = [place.data / word if (place.data / word).is_file() else word for word in place.records.import_words]
        run(HONE, "dataset", "import", log, *words, "-o", place.whole)
    if not place.training.exists():
        run(HONE, "dataset", "split", place.whole, "--by", "model", "--hold-out", place.records.hold_out, "-o",
            place.whole.with_suffix(""))


def prepare_sets(place: Place) -> None:
    """The same, with all that the models of the table read."""
    make_sets(place)
    prepared = place.training.with_suffix(".prepared")
    if not prepared.exists():
        with_features = place.training.with_suffix(".new.hds")
        run(HONE, "dataset", "features", place.training, "--add", FEATURES, "-o", with_features)
        with_features.rename(place.training)
        prepared.touch()


def set_words(settings: dict[str, str]) -> list[str]:
    return [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


class WhenAllAreThere:
    """Does something once, when the last of several files has been made."""

    def __init__(self, files: list[Path], do: Callable[[], None]):
        self.files, self.do, self.lock, self.is_done = files, do, Lock(), False

    def __call__(self) -> None:
        with self.lock:
            if self.is_done or not all(file.exists() for file in self.files):
                return
            self.is_done = True
        self.do()


def nothing() -> None:
    pass


@dataclass(frozen=True)
class Training:
    words: list[str | Path]  # of `hone train`, but for the machine that it runs on
    scorer: Path
    then: Callable[[], None] = nothing

    def run(self, words: list[str], quiet: bool) -> None:
        self.scorer.parent.mkdir(parents=True, exist_ok=True)
        run(HONE, "train", *self.words, *words, "--fresh", "-o", self.scorer,
            log=self.scorer.with_suffix(".log") if quiet else None)
        say(f"trained {self.scorer}")
        self.then()


def thread_words(parallel: int, threads: int) -> list[str]:
    """Several at a time have a thread each."""
    threads = threads or (1 if parallel > 1 else 0)
    return ["--threads", str(threads)] if threads else []


def side_by_side(jobs: Iterable[Callable[[], None]], parallel: int, what: str) -> None:
    """One that fails does not end the others."""
    with ThreadPoolExecutor(parallel) as pool:
        started = [pool.submit(job) for job in jobs]
    if failed := [str(done.exception()) for done in started if done.exception()]:
        raise Stop(f"{len(failed)} of {len(started)} {what} failed; the first: {failed[0]}")


def train_all(trainings: list[Training], parallel: int, threads: int, device: str) -> None:
    """What several at a time say goes to files beside the scorers."""
    words = ["--device", device, *thread_words(parallel, threads)]
    side_by_side([partial(training.run, words, parallel > 1) for training in trainings if not training.scorer.exists()],
                 parallel, "trainings")


def trainings_of(place: Place, model: Model, seed: int, then: Callable[[], None] = nothing) -> list[Training]:
    """On the training part. `hone eval` refuses a scorer that has seen a task that it is judged on."""
    if place.scores(model, seed).exists():
        return []
    folds = place.records.folds
    return [Training([place.training, "--kind", model.kind, "--set", f"seed={seed}", *set_words(model.settings),
                      *(["--fold", f"{fold}/{folds}", "--fold-by", "task"] if folds else [])], scorer, then)
            for fold, scorer in enumerate(place.scorers(model, seed))]


def add_how_to_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--parallel", type=int, default=1, metavar="N", help="trainings at a time (default 1)")
    parser.add_argument("--threads", type=int, default=0, metavar="N",
                        help="of a training (default one a core, or one where several run at a time)")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")


def predict(rows: Path, scorers: list[Path], scores: Path, *words: str) -> None:
    """By what trained them, which can all that it trains: hone makes no kernels of some variants."""
    if not scores.exists():
        run(HONE_TRAIN, "--predict", rows, "--scorer", ",".join(str(scorer) for scorer in scorers), "-o", scores, *words,
            log=scorers[0].with_suffix(".log"))


def rows_of_whole(place: Place) -> Path:
    """The whole set as networks over statements read it."""
    if place.records.folds:
        return place.whole
    rows = place.whole.with_suffix(".rows.hds")
    if not rows.exists():
        run(HONE, "dataset", "features", place.whole, "--add", "statements,embedding", "-o", rows)
    return rows


def scoring(place: Place, model: Model, seed: int, is_judged_here: bool, words: list[str]) -> Callable[[], None]:
    """What turns scorers into scores where hone cannot: masks of TabNet are found by sorting, which it makes no
    kernel of, and of folds the scores are less to carry than the scorers. Trees are always hone's."""
    if model.kind != "tabnet" and (is_judged_here or not place.records.folds or model.kind in TREES):
        return nothing
    scorers = place.scorers(model, seed)
    return WhenAllAreThere(scorers, lambda: predict(rows_of_whole(place), scorers, place.scores(model, seed), *words))


def judged_by(place: Place, model: Model, seed: int) -> list[str]:
    """What `hone eval` takes for it: scores made elsewhere, else scorers; nothing where neither is there."""
    if place.scores(model, seed).exists():
        return ["--scores", f"{model.name}={place.scores(model, seed)}"]
    scorers = place.scorers(model, seed)
    if model.kind != "tabnet" and all(scorer.exists() for scorer in scorers):
        return ["--scorer", f"{model.name}={','.join(str(scorer) for scorer in scorers)}"]
    return []
