"""The data card of an open set: what it holds, how it was made, how noisy it is and how to be judged on it."""
import json
import pathlib
import struct
import subprocess
import tempfile

JUDGING = """## How to judge a model on it

Learn from `train`, choose options by `validation`, open `test` once. A task is never cut, and a model for a machine may learn from all
others. With hone:

```sh
hone dataset split {first} --by list --hold-out splits/network.test.txt -o part       # part.train.hds, part.test.hds
hone eval part.test.hds --split part.train.hds --final --scorer MODEL --scores mine=scores.npy
```

Without hone: `hone dataset export SET --features NAME -o FOLDER` writes features, tasks, statuses and seconds as NumPy arrays, and
`hone dataset export SET` the programs as lines of auto_scheduler's JSON. Metrics are defined in hone's docs/judging.md: a program's time is
the least of its repeats, a failed one counts as 100,000 times the best of its task, equal scores as the mean over all orders. Say which
split, how many seeds, and for few labels that validation is among them.

`make_open_set check` verifies that nothing was changed, and so does `sha256sum -c MANIFEST.sha256`.
"""


def seconds_of(hone, path):
    """Least of the repeats a program, in the order of the set; None when it failed."""
    lines = subprocess.run([hone, "dataset", "export", str(path)], capture_output=True, text=True, check=True).stdout
    results = (json.loads(line)["r"] for line in lines.splitlines())
    return [min(times) if error == 0 else None for times, error, *_ in results]


def write_scores(path, seconds):
    scores = [-1e30 if value is None else -value for value in seconds]
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(scores)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(scores)}d", *scores))


def across(hone, folder, sets):
    """{set: {other: metrics}}: what the times of another machine are worth as scores."""
    seconds = {name: seconds_of(hone, folder / name) for name in sets}
    found = {}
    with tempfile.TemporaryDirectory() as work:
        files = {name: pathlib.Path(work) / f"{number}.npy" for number, name in enumerate(sets)}
        for name, path in files.items():
            write_scores(path, seconds[name])
        for name in sets:
            others = [word for other in sets if other != name for word in ("--scores", f"{other}={files[other]}")]
            report = json.loads(subprocess.run([hone, "eval", str(folder / name), "--json", "--k", "1,5", *others],
                                               capture_output=True, text=True, check=True).stdout)
            found[name] = {row["name"]: {(m["metric"], m.get("k", 0)): m["value"] for m in row["metrics"]}
                           for row in report["parts"][0]["scorers"]}
    return found


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", f"|:---{'|---:' * (len(head) - 1)}|"]
    return "\n".join(lines + [f"| {' | '.join(map(str, row))} |" for row in rows]) + "\n"


def machines_table(facts):
    rows = []
    for name in facts["sets"]:
        for machine, descriptor in facts["machines"][name]["machines"].items():
            rows.append((f"`{name}`", machine, descriptor, f"`{facts['machines'][name]['hash']}`"))
    return table(("set", "machine", "what it is", "content"), rows)


def quality_table(facts):
    rows = []
    for name in facts["sets"]:
        stats = facts["stats"][name]
        failed = ", ".join(f"{count} {status}" for status, count in stats["statuses"].items() if status != "ok") or "none"
        noise, floor = stats["repeats"], stats["random_floor"]
        rows.append((f"`{name}`", stats["valid"], failed, f"{noise['median']:.3f}, {noise['p90']:.3f}",
                     f"{floor['top1']:.3f}, {floor['top5']:.3f}"))
    return table(("set", "work", "failed", "noise of repeats: median, p90", "a random pick: top-1, top-5"), rows)


def across_table(facts):
    rows = []
    for name, others in facts["across"].items():
        for other, metrics in others.items():
            rows.append((f"`{name}` by the times of `{other}`", f"{metrics['tasks', 1]:.3f}", f"{metrics['tasks', 5]:.3f}",
                         f"{metrics['pairwise', 0]:.3f}", f"{metrics['rank_correlation', 0]:.3f}"))
    return table(("judged", "top-1, mean of tasks", "top-5", "pairs in order", "rank correlation"), rows)


def splits_table(facts):
    rows = []
    for split, parts in facts["splits"].items():
        count = {task["key"]: task["programs"] for task in facts["tasks"]}
        rows.append((f"`splits/{split}.*.txt`",
                     *(f"{len(keys)} ({sum(count[key] for key in keys)})" for keys in parts.values())))
    return table(("split", "train: tasks (programs)", "validation", "test"), rows)


def card(facts):
    aligned, first = facts["aligned"], facts["sets"][0]
    networks = sorted({name for task in facts["tasks"] for name in task["networks"]})
    left_out = ", ".join(f"{one['left_out']} of `{name}`" for name, one in zip(facts["sets"], aligned["sets"]))
    return f"""# An open set of tensor programs on {len(facts['sets'])} machines

{aligned['programs']} programs of {aligned['tasks']} tasks, each measured on every machine: place i of every set is the same program. Failures are
kept with their status, and all repeats of every measurement. Made {facts['date']} by {facts['made_by']}.

## Machines

{machines_table(facts)}
The last column is the hash of the set's content, as `hone inspect` prints it.

## What it holds

Tasks of {', '.join(networks) if networks else 'single operators'}. Programs were drawn on `{first}`: even samples of Ansor's whole space, some of
hone's own space and some evolved there, nothing filtered out; the other machines measured the same lists. What one machine lacks, or has
twice, is in none of them ({left_out} were left out).

{quality_table(facts)}
Noise is the deviation over the mean of a program's repeats. Programs far from the best of their task have few repeats: two, or one call.
A random pick is best time over picked time, mean of tasks: the floor that every model must beat.

What knowing another machine perfectly is worth here:

{across_table(facts)}
## Splits

Files of workload keys, a line each; they are frozen. `task`: other sizes of a structure may be learned from. `structure`: all sizes
of a computation are on one side. `network`: all tasks of the networks held out are judged on, shared ones too.

{splits_table(facts)}
{JUDGING.format(first=first)}
## Licence

{facts['licence']}. Programs are of networks whose weights were drawn at random: nobody's data is in them.
"""
