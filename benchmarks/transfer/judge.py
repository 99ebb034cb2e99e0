"""Scores of all folds together, judged by `hone eval`, with every label budget apart."""
import json
import re
import struct
from dataclasses import dataclass
from pathlib import Path

from sets import Place
from steps import HONE, run
from table import ALL, Row, Study, Transfer, labels_text
from trainings import Training


def read_npy(path: Path) -> bytes:
    """The numbers of a flat array of 32-bit floats, as they lie there."""
    content = path.read_bytes()
    length, = struct.unpack("<H", content[8:10])
    header = content[10:10 + length].decode()
    assert "'<f4'" in header and re.search(r"\(\d+,\)", header), header
    return content[10 + length:]


def write_npy(path: Path, numbers: bytes) -> None:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(numbers) // 4},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + numbers)


def scores_of(place: Place, transfer: Transfer, row: Row, labels: int) -> list[Path]:
    """One file a seed, fold after fold as in the judged set; seeds that lack a fold are left out."""
    files, seed = [], 0
    while True:
        folds = [Training(transfer, row, labels, seed, fold).file(place, "npy")
                 for fold in place.folds(transfer.target)]
        if not any(file.exists() for file in folds):
            return files
        if all(file.exists() for file in folds):
            whole = folds[0].with_name(f"{labels_text(labels)}.{seed}.npy")
            write_npy(whole, b"".join(read_npy(file) for file in folds))
            files.append(whole)
        seed += 1


@dataclass(frozen=True)
class Judged:
    """One label budget of one transfer, on one part of the tasks."""
    tasks: int
    rows: dict[str, dict[tuple[str, int], dict]]  # of `hone eval`: row, then (metric, k)

    def metric(self, row: str, name: str, k: int = 0) -> dict | None:
        return self.rows.get(row, {}).get((name, k))


def judge(place: Place, transfer: Transfer, part: int, scores: list[tuple[str, list[Path]]], name: str) -> Judged:
    prefix = place.work / transfer.folder / name
    prefix.parent.mkdir(parents=True, exist_ok=True)
    words = [word for row, files in scores for file in files for word in ("--scores", f"{row}={file}")]
    run(HONE, "eval", place.judged(transfer.target), "--split", place.part(transfer.target, part), "--scorer", "random",
        *words, "--k", "1,5", "--export", "json", "-o", prefix, log=prefix.with_name(prefix.name + ".log"))
    found = json.loads(prefix.with_name(prefix.name + ".json").read_text())["parts"][0]
    return Judged(found["tasks"], {one["name"]: {(metric["metric"], metric.get("k", 0)): metric for metric in
                                                 one["metrics"]} for one in found["scorers"]})


def judge_labels(place: Place, transfer: Transfer, part: int, labels: int) -> Judged:
    """All rows side by side."""
    scores = [(row.name, scores_of(place, transfer, row, labels)) for row in place.table.rows_of(transfer)
              if row.needs(labels)]
    return judge(place, transfer, part, [one for one in scores if one[1]], f"{labels_text(labels)}.{part}")


def judge_pair(place: Place, transfer: Transfer, part: int, labels: int, ours: Row, other: Row) -> Judged:
    scores = [(row.name, scores_of(place, transfer, row, labels)) for row in (ours, other)]
    return judge(place, transfer, part, scores, "pair")


def judge_few(place: Place, transfer: Transfer, part: int, row: Row, few: int) -> Judged | None:
    """The same model with few labels and with all; None where one is missing."""
    scores = [(labels_text(labels), scores_of(place, transfer, row, labels)) for labels in (few, ALL)]
    return judge(place, transfer, part, scores, "few") if all(files for _, files in scores) else None


def judge_sources(place: Place, study: Study, part: int, row: Row, labels: int) -> Judged:
    """The same model with each of the study's sources, and without any."""
    table, first = place.table, study.transfers[0]
    without = table.row(study.rows[row.name])
    scores = [("none", scores_of(place, first, without, labels) if without.needs(labels) else [])]
    scores += [(table.shown(transfer.sources), scores_of(place, transfer, row, labels)) for transfer in study.transfers]
    return judge(place, first, part, [one for one in scores if one[1]], "sources")
