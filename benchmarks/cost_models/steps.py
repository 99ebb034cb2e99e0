"""The way from public records to scorers. Every step leaves a file and is skipped where that is there."""
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from models import Model, file_name

ROOT = Path(__file__).resolve().parents[2]
HONE = ROOT / "build/hone"
RECORDS = "ansor_x86_24core_thaisacs.stratified.jsonl.gz"
NETWORKS = "ansor_x86_24core_thaisacs.workloads.tsv"
DAGS = "workload_dags.jsonl.gz"


class Stop(Exception):
    """Ends the program with a message for people."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(*words: str | Path) -> None:
    say("$ " + " ".join(str(word) for word in words))
    if subprocess.run([str(word) for word in words], check=False).returncode != 0:
        raise Stop(f"`{words[0]} {words[1]}` failed; what it said is above")


@dataclass(frozen=True)
class Place:
    data: Path  # the public records
    work: Path  # sets, scorers and scores of one choice of networks; may be deleted at any time
    hold_out: str  # networks, with commas between them

    @property
    def whole(self) -> Path:
        return self.work / "x86-24core.hds"

    @property
    def training(self) -> Path:
        return self.work / "x86-24core.train.hds"

    def scorer(self, model: Model, seed: int) -> Path:
        return self.work / file_name(model) / f"{seed}.scorer"

    def scores(self, model: Model, seed: int) -> Path:
        return self.work / file_name(model) / f"{seed}.npy"


def prepare_sets(place: Place) -> None:
    """The whole set, and beside it the part that models may learn from."""
    if not (place.data / RECORDS).exists() and not place.whole.exists():
        raise Stop(f"there is no {place.data / RECORDS}\n\nhint: name the folder of the public records with --data")
    place.work.mkdir(parents=True, exist_ok=True)
    if not place.whole.exists():
        run(HONE, "dataset", "import", place.data / RECORDS, "--machine", "x86-24core", "--one-machine", "--dags",
            place.data / DAGS, "--networks", place.data / NETWORKS, "-o", place.whole)
    if not place.training.exists():
        run(HONE, "dataset", "split", place.whole, "--by", "model", "--hold-out", place.hold_out, "-o",
            place.whole.with_suffix(""))


def train(place: Place, model: Model, seed: int) -> None:
    """On the training part. `hone eval --final` refuses a scorer that has seen a task held out."""
    scorer = place.scorer(model, seed)
    if scorer.exists() or place.scores(model, seed).exists():
        return
    scorer.parent.mkdir(parents=True, exist_ok=True)
    settings = [word for name, value in model.settings.items() for word in ("--set", f"{name}={value}")]
    run(HONE, "train", place.training, "--kind", model.kind, "--set", f"seed={seed}", *settings, "-o", scorer)


def judged_by(place: Place, model: Model, seed: int) -> list[str]:
    """What `hone eval` takes for it: scores made elsewhere, else the scorer; nothing where neither is there."""
    if place.scores(model, seed).exists():
        return ["--scores", f"{model.name}={place.scores(model, seed)}"]
    if place.scorer(model, seed).exists():
        return ["--scorer", f"{model.name}={place.scorer(model, seed)}"]
    return []
