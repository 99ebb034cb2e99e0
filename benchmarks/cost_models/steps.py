"""The way from public records to scorers. Every step leaves a file and is skipped where that is there."""
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from models import FEATURES, Model, Records, file_name

ROOT = Path(__file__).resolve().parents[2]
HONE = Path(os.environ.get("HONE", ROOT / "build/hone"))


class Stop(Exception):
    """Ends the program with a message for people."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(*words: str | Path, quiet: bool = False) -> None:
    say("$ " + " ".join(str(word) for word in words))
    out = subprocess.DEVNULL if quiet else None
    if subprocess.run([str(word) for word in words], check=False, stdout=out).returncode != 0:
        raise Stop(f"`{words[0]} {words[1]}` failed; what it said is above")


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


def prepare_sets(place: Place) -> None:
    """The whole set, and the part that models may learn from with all that they read."""
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
    prepared = place.training.with_suffix(".prepared")
    if not prepared.exists():
        with_features = place.training.with_suffix(".new.hds")
        run(HONE, "dataset", "features", place.training, "--add", FEATURES, "-o", with_features)
        with_features.rename(place.training)
        prepared.touch()


def set_words(settings: dict[str, str]) -> list[str]:
    return [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


def train(place: Place, model: Model, seed: int, threads: int = 0) -> None:
    """On the training part. `hone eval` refuses a scorer that has seen a task that it is judged on."""
    for fold, scorer in enumerate(place.scorers(model, seed)):
        if scorer.exists() or place.scores(model, seed).exists():
            continue
        scorer.parent.mkdir(parents=True, exist_ok=True)
        on = ["--threads", str(threads)] if threads else []
        left_out = ["--fold", f"{fold}/{place.records.folds}", "--fold-by", "task"] if place.records.folds else []
        run(HONE, "train", place.training, "--kind", model.kind, "--set", f"seed={seed}", *set_words(model.settings),
            *left_out, *on, "-o", scorer)


def judged_by(place: Place, model: Model, seed: int) -> list[str]:
    """What `hone eval` takes for it: scores made elsewhere, else scorers; nothing where neither is there."""
    if place.scores(model, seed).exists():
        return ["--scores", f"{model.name}={place.scores(model, seed)}"]
    scorers = place.scorers(model, seed)
    if all(scorer.exists() for scorer in scorers):
        return ["--scorer", f"{model.name}={','.join(str(scorer) for scorer in scorers)}"]
    return []
