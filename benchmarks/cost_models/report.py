"""docs/results/cost_models_RECORDS.md: the tables of `hone eval` and whether they show what they must."""
from dataclasses import dataclass
from typing import Any

from models import Records

Evaluation = dict[str, Any]  # schema hone.eval/1


def estimate(evaluation: Evaluation, scorer: str, metric: str, k: int = 0) -> dict[str, Any] | None:
    """Of all judged tasks; None where the scorer is not in the table."""
    for one in evaluation["parts"][0]["scorers"]:
        if one["name"] == scorer:
            return next(m for m in one["metrics"] if m["metric"] == metric and m.get("k", 0) == k)
    return None


def value(evaluation: Evaluation, scorer: str, metric: str, k: int = 0) -> float | None:
    found = estimate(evaluation, scorer, metric, k)
    return found and found["value"]


def seeds(evaluation: Evaluation, scorer: str) -> int:
    return sum(one["seeds"] for one in evaluation["parts"][0]["scorers"] if one["name"] == scorer)


@dataclass(frozen=True)
class Goal:
    scorer: str
    metric: str
    k: int
    low: float
    high: float

    def text(self) -> str:
        name = f"{self.metric} top-{self.k}" if self.k else self.metric
        if self.high == float("inf"):
            return f"{self.scorer}: {name} at least {self.low:g}"
        if self.low == float("-inf"):
            return f"{self.scorer}: {name} at most {self.high:g}"
        return f"{self.scorer}: {name} between {self.low:g} and {self.high:g}"

    def line(self, evaluation: Evaluation) -> str:
        found = value(evaluation, self.scorer, self.metric, self.k)
        if found is None:
            return f"| {self.text()} | | not in the table |"
        reached = self.low <= found <= self.high
        return f"| {self.text()} | {found:.3f} | {'reached' if reached else '**missed**'} |"


INFINITE = float("inf")
GOALS = {"v100": [], "x86": [
    Goal("TLP attention+rank", "pooled", 5, 0.88, 0.92),
    Goal("TLP attention+rank", "pooled", 10, 0.935, 0.965),
    Goal("hone", "pooled", 1, 0.75, INFINITE),
    Goal("hone", "pooled", 5, 0.95, INFINITE),
    Goal("hone", "tasks", 1, 0.80, INFINITE),
    Goal("hone", "far_off", 0, -INFINITE, 4),
]}


def below_floor(evaluation: Evaluation) -> list[str]:
    """Scorers that do not beat a random pick: with one of them in it a table is void."""
    floor = value(evaluation, "random", "tasks", 1)
    scorers = [one["name"] for one in evaluation["parts"][0]["scorers"] if one["name"] != "random"]
    return [name for name in scorers if value(evaluation, name, "tasks", 1) <= floor]


def page(records: Records, evaluation: Evaluation, tables: str, command: str, missing: list[str]) -> str:
    how = f"the tasks of {records.hold_out} held out" if records.hold_out else f"{records.folds} folds of the tasks"
    lines = [f"# Cost models on public records: {records.name}", "",
             f"Written by `{command}`: `{records.log}`, {how}. Definitions: [judging](../judging.md).", ""]
    if records.hold_out:
        lines += ["Each look at the tasks held out is noted in [openings](openings.md).", ""]
    if void := below_floor(evaluation):
        lines += [f"**Void**: {', '.join(void)} no better than a random pick.", ""]
    if goals := GOALS[records.name]:
        lines += ["| what it must show | found | |", "|:---|---:|:---|", *[goal.line(evaluation) for goal in goals], ""]
    if missing:
        lines += [f"Not in the tables, because it was neither trained here nor given: {', '.join(missing)}.", ""]
    return "\n".join(lines) + "\n" + tables
