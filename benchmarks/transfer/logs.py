"""Records of public logs, line by line."""
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from table import Choice


def lines_of(log: Path) -> Iterator[str]:
    with gzip.open(log, "rt") if log.suffix == ".gz" else log.open() as lines:
        yield from lines


def task_of(line: str) -> tuple[str, int]:
    """Its key, and the cores that the record states."""
    key, _, hardware, *_ = json.loads(line)["i"][0]
    return key, hardware[0]


def keys_of_log(log: Path) -> set[str]:
    return {task_of(line)[0] for line in lines_of(log)}


def chosen(lines: Iterable[str], choice: Choice) -> list[str]:
    """In the order of the log."""
    by_task: dict[str, list[tuple[int, str]]] = {}
    for place, line in enumerate(lines):
        key, cores = task_of(line)
        if choice.cores in (None, cores) and json.loads(key)[0] not in choice.without:
            by_task.setdefault(key, []).append((place, line))
    taken = []
    for of_task in by_task.values():
        if len(of_task) >= choice.at_least:
            of_task.sort(key=lambda record: hashlib.md5(record[1].encode()).digest())
            taken += of_task[:choice.at_most]
    return [line for _, line in sorted(taken)]
