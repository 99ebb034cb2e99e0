"""Engines timed in turns, so that what disturbs the machine disturbs them all."""
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

RUNS = 5  # of an engine in its turn


class Timed(Protocol):
    """What can be timed in turns: an EngineProcess."""
    name: str

    def fastest_ms(self, runs: int) -> float: ...
    def cpu_s(self) -> float: ...


@dataclass(frozen=True)
class Samples:
    """The fastest of five runs, a round each, by engine; and how busy the machine was with other things."""
    fastest_ms: dict[str, list[float]]
    others_share: float  # of the processors' time, taken by processes that are not measured


def busy_s() -> float:
    """Processor time that the whole machine has spent so far, waiting left out."""
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9])
    return (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")


def measure(engines: Sequence[Timed], rounds: int) -> Samples:
    """One turn a round for every engine; each round begins with another one."""
    fastest: dict[str, list[float]] = {engine.name: [] for engine in engines}

    def others_s() -> float:
        return busy_s() - sum(engine.cpu_s() for engine in engines)

    start_s, others_before_s = time.monotonic(), others_s()
    for round_ in range(rounds):
        first = round_ % len(engines)
        for engine in (*engines[first:], *engines[:first]):
            fastest[engine.name].append(engine.fastest_ms(RUNS))
    available_s = (time.monotonic() - start_s) * (os.cpu_count() or 1)
    return Samples(fastest, max(0.0, others_s() - others_before_s) / available_s)
