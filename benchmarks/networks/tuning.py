"""Artefacts of built-in networks, made by hone's own commands."""
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from environment import HONE, Stop


@dataclass(frozen=True)
class Tuning:
    """How hone may make an artefact."""
    budget_s: int  # 0: what hone emits without tuning
    exact: bool = False  # no algorithm that rounds differently, such as Winograd's

    @property
    def tolerance(self) -> float:
        return 1e-4 if self.exact or self.budget_s == 0 else 1e-3


def hone(*arguments: str, shows_progress: bool = False) -> None:
    """Runs a command that knows nothing of earlier ones: no run to go on with, and no record in its store."""
    with tempfile.TemporaryDirectory() as home:
        result = subprocess.run([HONE, *arguments], cwd=home, env=os.environ | {"HONE_HOME": home}, text=True,
                                stdout=subprocess.DEVNULL, stderr=None if shows_progress else subprocess.PIPE)
    if result.returncode != 0:
        raise Stop(f"`hone {' '.join(arguments)}` ended with {result.returncode}\n{result.stderr or ''}".rstrip())


def export(network: str, folder: Path) -> Path:
    """The network as ONNX, for everybody else."""
    file = folder / f"{network}.onnx"
    hone("inspect", f"builtin:{network}", "-o", str(file))
    return file


def tune(network: str, threads: int, tuning: Tuning, folder: Path) -> tuple[Path, float]:
    """The artefact and how many seconds it took to make."""
    start = time.monotonic()
    file = folder / f"{network}_{threads}_{tuning.budget_s}.hone"
    where = (f"builtin:{network}", "--threads", str(threads), "-o", str(file))
    if tuning.budget_s == 0:
        hone("compile", *where)
    else:
        exact = ["--exact"] if tuning.exact else []
        hone("tune", *where, "--budget", f"{tuning.budget_s}s", *exact, shows_progress=True)
    return file, time.monotonic() - start
