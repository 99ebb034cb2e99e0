"""Searches of operators by `hone tune`, each on one core, and how good what they found is."""
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

OPERATORS = Path(__file__).with_name("operators.txt")
SPACES = ["hone", "ansor"]
BENCH_AGAIN = Path(__file__).resolve().parents[2] / "build/benchmarks/bench_again"


class Stop(Exception):
    """Ends the program with a message for people."""


@dataclass(frozen=True)
class Search:
    operator: str
    space: str
    trials: int
    seed: int


def read_operators(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text().splitlines() if line.strip()]


def cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def start(hone: Path, search: Search, core: int, folder: Path) -> subprocess.Popen:
    """Begins the search; nothing is known from earlier ones."""
    command = ["taskset", "--cpu-list", str(core), hone, "tune", "--op", search.operator, "--space", search.space,
               "--trials", str(search.trials), "--seed", str(search.seed), "--threads", "1", "--no-store", "--quiet", "--fresh", "-o", folder]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "HONE_SCORER": "none"})


def wait(process: subprocess.Popen, search: Search) -> None:
    trouble = process.communicate()[1]
    if process.returncode != 0:
        raise Stop(f"{search.operator} in {search.space}'s space: {trouble.strip() or process.returncode}")


def best_again(search: Search, folders: list[Path], marks: list[int]) -> list[list[float]]:
    """Of each run, microseconds of the best after the marks: those of all runs, measured again in turn."""
    again = subprocess.run([BENCH_AGAIN, "--op", search.operator, "--marks", *map(str, marks), "--", *folders],
                           capture_output=True, text=True)
    if again.returncode != 0:
        raise Stop(f"{search.operator}: {again.stderr.strip()}")
    return [list(map(float, line.split()[1:])) for line in again.stdout.splitlines()]
