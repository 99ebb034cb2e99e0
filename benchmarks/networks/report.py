"""Results for people, as a table, and for programs, as lines of JSON."""
from dataclasses import dataclass
from typing import Any

from comparison import Against, geomean
from environment import say

DISTURBED = 0.05  # share of the processors' time that others may take before it is worth a word


@dataclass(frozen=True)
class Row:
    """A network on so many threads."""
    network: str
    threads: int
    hone_ms: float
    peers: list[Against]  # the best one first
    error: float  # hone's, against ONNX Runtime
    tolerance: float
    tuning_s: float
    rounds: int
    others_share: float
    failed: dict[str, str]  # peers that could not run it, and why

    @property
    def correct(self) -> bool:
        return self.error <= self.tolerance

    @property
    def ratio(self) -> float:
        return self.peers[0].ratio.median


def disturbance(others_share: float) -> str:
    return f"disturbed: other processes took {others_share:.0%} of the machine"


def warn_if_disturbed(others_share: float) -> None:
    if others_share > DISTURBED:
        say(f"warning: {disturbance(others_share)}")


HEADER = "network       threads    hone ms   best peer         ms   ratio  (quartiles)       error"


def row_text(row: Row) -> str:
    best, *rest = row.peers
    quartiles = f"({best.ratio.low:.2f}-{best.ratio.high:.2f})"
    return (f"{row.network:<14}{row.threads:>7}{row.hone_ms:>11.3f}   {best.peer:<12}{best.peer_ms:>8.3f}"
            f"{best.ratio.median:>8.2f}  {quartiles:<13}{row.error:>10.1e}   {'; '.join(notes_on(row))}").rstrip()


def notes_on(row: Row) -> list[str]:
    notes = [f"{pair.peer} {pair.ratio.median:.2f}" for pair in row.peers[1:]]
    if not row.correct:
        notes.append(f"WRONG: more than {row.tolerance:g}")
    if row.others_share > DISTURBED:
        notes.append(disturbance(row.others_share))
    return notes + [f"{peer} failed" for peer in row.failed]


def row_json(row: Row) -> dict[str, Any]:
    best = row.peers[0]
    return {"network": row.network, "threads": row.threads, "hone_ms": row.hone_ms, "peer": best.peer,
            "peer_ms": best.peer_ms, "ratio": row.ratio, "ratio_quartiles": [best.ratio.low, best.ratio.high],
            "peers": {pair.peer: {"ms": pair.peer_ms, "ratio": pair.ratio.median} for pair in row.peers},
            "failed": row.failed, "error": row.error, "tolerance": row.tolerance, "correct": row.correct,
            "tuning_s": round(row.tuning_s, 1), "rounds": row.rounds, "others_share": round(row.others_share, 4)}


def geomeans(rows: list[Row]) -> dict[int, float]:
    """By number of threads, over the networks."""
    return {threads: geomean(row.ratio for row in rows if row.threads == threads)
            for threads in sorted({row.threads for row in rows})}


def summary_json(rows: list[Row], missing: int, command: str) -> dict[str, Any]:
    """`geomean` is that of the most threads; null when there is no row at all."""
    means = geomeans(rows)
    threads = max(means, default=None)
    return {"geomean": means.get(threads), "threads": threads,
            "geomeans": {str(threads): mean for threads, mean in means.items()},
            "correct": all(row.correct for row in rows), "missing": missing, "command": command}
