"""From samples to statements: who is how many times faster than whom."""
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """How many times faster, round by round: the median, and the quartiles for its noise."""
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Against:
    """hone against one peer."""
    peer: str
    peer_ms: float  # median over rounds, as hone_ms
    ratio: Ratio


def ratio_of(peer_ms: Sequence[float], hone_ms: Sequence[float]) -> Ratio:
    ratios = [peer / hone for peer, hone in zip(peer_ms, hone_ms, strict=True)]
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    return Ratio(median, low, high)


def compare(hone_ms: Sequence[float], peers_ms: Mapping[str, Sequence[float]]) -> list[Against]:
    """hone against each peer, the best peer first."""
    pairs = [Against(peer, statistics.median(times), ratio_of(times, hone_ms)) for peer, times in peers_ms.items()]
    return sorted(pairs, key=lambda pair: pair.ratio.median)


def geomean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(statistics.fmean(logarithms))
