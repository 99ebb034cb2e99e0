"""docs/results/transfer_TABLE.md."""
from judge import Judged, judge_few, judge_labels, judge_pair, judge_sources, scores_of
from sets import Place
from table import Study, Transfer, labels_text

SHOWN = [("tasks", 1, "first pick, mean of tasks: best time / picked time"),
         ("tasks", 5, "best of five picks, mean of tasks"),
         ("pairwise", 0, "pairs in order"), ("far_off", 0, "tasks whose first pick takes more than 5 times the best")]
FEW = 1024
CLOSE = 0.02  # of all labels


def cell(judged: Judged, row: str, metric: str, k: int, with_interval: bool) -> str:
    found = judged.metric(row, metric, k)
    if not found:
        return ""
    digits = 1 if metric == "far_off" else 3
    text = f"{found['value']:.{digits}f}"
    if with_interval:
        text += f" [{found['low']:.2f}, {found['high']:.2f}]"
    behind = found["behind_best"]
    return text + (" *" if behind["low"] <= 0 <= behind["high"] else "")


def table_of(by_labels: dict[int, Judged], names: list[str], metric: str, k: int, corner: str) -> list[str]:
    lines = [f"| {corner} | " + " | ".join(map(labels_text, by_labels)) + " |",
             "|:---|" + "---:|" * len(by_labels)]
    for name in ["random", *names]:
        cells = [cell(judged, name, metric, k, (metric, k) == ("tasks", 1)) for judged in by_labels.values()]
        if any(cells):
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def section(place: Place, transfer: Transfer, part: int, by_labels: dict[int, Judged]) -> list[str]:
    tasks = next(iter(by_labels.values())).tasks
    doubt = "" if transfer.is_counted else ": too few to tell models apart, whatever the intervals say"
    lines = [f"## {subject(place, transfer, part, ': ')}", "", f"{tasks} tasks{doubt}.", ""]
    names = [row.name for row in place.table.rows_of(transfer)]
    for metric, k, title in SHOWN:
        lines += [f"**{title}**", "", *table_of(by_labels, names, metric, k, "labels of the target")]
    return lines


def study_section(place: Place, study: Study, part: int, name: str) -> list[str]:
    """Which sources help a model, those of one column beside each other."""
    table = place.table
    names = ["none", *map(table.shown, study.sources)]
    lines = [f"## Sources for {table.shown([study.target])}: {name}", ""]
    for row in study.rows:
        by_labels = {labels: judge_sources(place, study, part, table.row(row), labels) for labels in study.labels}
        for metric, k, title in SHOWN[0], SHOWN[2]:
            lines += [f"**{row}: {title}**", "",
                      *table_of(by_labels, names, metric, k, "sources; labels of the target")]
    return lines


def subject(place: Place, transfer: Transfer, part: int, between: str = ", ") -> str:
    return f"{place.table.title_of(transfer)}{between}{list(place.table.parts)[part]}"


def losses(place: Place, transfer: Transfer, part: int, by_labels: dict[int, Judged]) -> tuple[list[str], int]:
    """Where ours is behind beyond doubt, each other row compared alone; and how many comparisons there were."""
    ours = next(row for row in place.table.rows if row.is_ours)
    lines, compared = [], 0
    for labels, judged in by_labels.items():
        for other in place.table.rows_of(transfer):
            for k in (1, 5):
                mine, its = judged.metric(ours.name, "tasks", k), judged.metric(other.name, "tasks", k)
                if other.is_ours or not mine or not its:
                    continue
                compared += 1
                if its["value"] <= mine["value"]:
                    continue
                pair = judge_pair(place, transfer, part, labels, ours, other)
                behind = pair.metric(ours.name, "tasks", k)["behind_best"]
                if behind["high"] < 0:
                    lines.append(f"| {subject(place, transfer, part)} | {labels_text(labels)} | top-{k} | {other.name} "
                                 f"| {behind['value']:.3f} [{behind['low']:.3f}, {behind['high']:.3f}] |")
    return lines, compared


def few_line(place: Place, transfer: Transfer, part: int) -> str:
    ours = next(row for row in place.table.rows if row.is_ours)
    judged = judge_few(place, transfer, part, ours, FEW)
    if not judged:
        return ""
    few, everything = (judged.metric(labels_text(labels), "tasks", 1) for labels in (FEW, -1))
    gap = few["value"] - everything["value"]
    verdict = "reached" if gap >= -CLOSE else "**missed**"
    return (f"| {subject(place, transfer, part)} | {few['value']:.3f} | {everything['value']:.3f} | {gap:+.3f} "
            f"| {verdict} |")


def missing(place: Place) -> list[str]:
    """What was not trained, transfer by transfer; nothing when all was."""
    table = place.table
    lines = []
    for transfer in table.all_transfers:
        gaps = {}  # the budgets that rows lack, and which rows
        for row in table.rows_of(transfer):
            wanted = [labels for labels in table.labels_of(transfer) if row.needs(labels)]
            lacking = [labels for labels in wanted if not scores_of(place, transfer, row, labels)]
            text = "all budgets" if lacking == wanted else ", ".join(map(labels_text, lacking)) + " labels"
            if lacking:
                gaps.setdefault(text, []).append(row.name)
        said = [f"{' · '.join(rows)} ({budgets})" for budgets, rows in gaps.items()]
        if said:
            lines.append(f"- {table.title_of(transfer)}: {'; '.join(said)}")
    command = f"`benchmarks/transfer/run {table.name}` trains what is missing"
    return [f"**Not trained yet**; {command}:", "", *lines, ""] if lines else []


def verdict_of(behind: list[str], compared: int) -> list[str]:
    if compared == 0:
        return ["Nothing yet: there is no other row to compare hone's model with.", ""]
    said = (f"hone's model is distinguishably below another one in {len(behind)} of {compared} comparisons (first pick "
            "and best of five, paired draws of the tasks, each pair alone).")
    table = ["| tasks | labels | metric | behind | by |", "|:---|---:|:---|:---|---:|", *behind, ""]
    return [said, "", *(table if behind else [])]


def few_table(lines: list[str]) -> list[str]:
    return [f"With {FEW:,} labels within {CLOSE} of all labels (first pick, mean of tasks):", "",
            f"| tasks | {FEW:,} labels | all | difference | |", "|:---|---:|---:|---:|:---|", *filter(None, lines), ""]


def page(place: Place, command: str) -> str:
    table = place.table
    sections, behind, few, compared = [], [], [], 0
    for transfer in table.transfers:
        for part in place.parts(transfer.target):
            by_labels = {labels: judge_labels(place, transfer, part, labels) for labels in table.labels_of(transfer)}
            sections += section(place, transfer, part, by_labels)
            if not transfer.is_counted:
                continue
            found, count = losses(place, transfer, part, by_labels)
            behind, compared = behind + found, compared + count
            few.append(few_line(place, transfer, part))
    for study in table.studies:
        for part, name in place.parts(study.target).items():
            sections += study_section(place, study, part, name)
    return "\n".join([
        f"# {table.title}", "",
        f"Written by `{command}`. {table.folds} folds of the tasks: what is judged was held out on all machines, under "
        "all its names. Labels are relative to the best labelled program and include those that choose the epoch. "
        "Definitions: [judging](../judging.md).", "", table.note, "",
        "[95 % interval over draws of tasks]; a star marks the best of a column and what cannot be told apart from it "
        "by paired draws.", "", *missing(place), "## What it must show", "",
        *verdict_of(behind, compared), *(few_table(few) if any(few) else []), *sections])
