#!/usr/bin/env python3
"""Fails on a source file of more than 600 lines, and names those past the aim of 400."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
AIM, LIMIT = 400, 600
FOLDERS = ("src", "runtime", "cli", "benchmarks", "tests", "tools", "examples", "train")
SUFFIXES = {".h", ".cpp", ".c", ".py", ".sh", ".cmake"}

# Files that may be longer, each with the reason.
EXCEPTIONS = {}


def main():
    sizes = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and (path.suffix in SUFFIXES or folder == "tools"):
                sizes[str(path.relative_to(ROOT))] = len(path.read_bytes().splitlines())
    too_long = sorted(name for name, lines in sizes.items() if lines > LIMIT and name not in EXCEPTIONS)
    for name in sorted(name for name, lines in sizes.items() if AIM < lines <= LIMIT):
        print(f"sizes: {name} has {sizes[name]} lines, past the aim of {AIM}")
    for name in too_long:
        print(f"{name}: {sizes[name]} lines, more than {LIMIT}; split it or list it with a reason")
    print(f"sizes: {len(sizes)} files, {sum(sizes.values())} lines, longest {max(sizes.values())}")
    return bool(too_long)


if __name__ == "__main__":
    sys.exit(main())
