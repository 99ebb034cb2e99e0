"""Frozen splits of an open set: which tasks are learned from, chosen by and judged on, as files of workload keys."""
import hashlib

PARTS = ("train", "validation", "test")


def dealt(name, seed):
    """Two tenths are judged on, one chooses; it hangs on the name alone, so more tasks change nothing for the others."""
    tenth = int.from_bytes(hashlib.sha256(f"{seed}:{name}".encode()).digest()[:8], "big") % 10
    return "test" if tenth < 2 else "validation" if tenth == 2 else "train"


def by_network(task, test, validation):
    """A task that several networks share is on the side that is seen least."""
    if any(name in task["networks"] for name in test):
        return "test"
    return "validation" if any(name in task["networks"] for name in validation) else "train"


def make(tasks, test, validation, seed):
    """{split: {part: [key, ...]}}"""
    sides = {"task": lambda task: dealt(task["key"], seed),
             "structure": lambda task: dealt(task["structure"], seed),
             "network": lambda task: by_network(task, test, validation)}
    splits = {}
    for split, side in sides.items():
        splits[split] = {part: sorted({task["key"] for task in tasks if side(task) == part}) for part in PARTS}
    return splits


def write(folder, splits):
    folder.mkdir(parents=True)
    for split, parts in splits.items():
        for part, keys in parts.items():
            (folder / f"{split}.{part}.txt").write_text("".join(key + "\n" for key in keys))


def faults(folder, keys):
    """What is wrong with splits that are to part these tasks."""
    found = []
    for split in ("task", "structure", "network"):
        parts = {part: set((folder / f"{split}.{part}.txt").read_text().splitlines()) for part in PARTS}
        if sum(len(part) for part in parts.values()) != len(set().union(*parts.values())):
            found.append(f"a task is in two parts of the split by {split}")
        if set().union(*parts.values()) != set(keys):
            found.append(f"the split by {split} is not of the tasks of the sets")
    return found
