#!/usr/bin/env python3
"""Runs one text test of the program: run.py [--update] HONE FILE

    # what: one line on what this shows
    hone inspect --op matmul:m=4,n=4,k=4 --source dag
    exit 0
    ---- stdout
    ...

A stream without a section must stay empty. In the expected text a line `...` stands for any lines and
`{*}` for any text within a line, where machines differ. The command runs in the test's own folder.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def read_test(path):
    head, *sections = re.split(r"^---- (stdout|stderr)\n", path.read_text(), flags=re.M)
    comments = [line for line in head.splitlines() if line.startswith("#")]
    command, exit_line = [line for line in head.splitlines() if line and not line.startswith("#")]
    expected = {"stdout": "", "stderr": "", **dict(zip(sections[::2], sections[1::2]))}
    return comments, command, int(exit_line.removeprefix("exit ")), expected


def matches(pattern, text):
    any_line = re.escape("...\n")
    regex = re.escape(pattern).replace(any_line, r"(?:.*\n)*").replace(re.escape("{*}"), ".*")
    return re.fullmatch(regex, text) is not None


def run(hone, command, folder):
    program, *arguments = shlex.split(command)
    assert program == "hone", f"a test runs hone, not {program}"
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "NO_COLOR": "1", "HOME": home, "HONE_HOME": home}
        return subprocess.run([hone, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)


def main():
    update = sys.argv[1] == "--update"
    hone, path = pathlib.Path(sys.argv[-2]).resolve(), pathlib.Path(sys.argv[-1])
    comments, command, exit_code, expected = read_test(path)
    result = run(hone, command, path.parent)
    actual = {"stdout": result.stdout, "stderr": result.stderr}
    wrong = [stream for stream in actual if not matches(expected[stream], actual[stream])]
    if result.returncode == exit_code and not wrong:
        return 0
    if update:
        kept = {stream: actual[stream] if stream in wrong else expected[stream] for stream in actual}
        sections = "".join(f"---- {stream}\n{text}" for stream, text in kept.items() if text)
        path.write_text("\n".join([*comments, command, f"exit {result.returncode}"]) + "\n" + sections)
        return 0
    print(f"{path}: {command}\nexit {result.returncode}, expected {exit_code}")
    for stream in wrong:
        print(f"---- {stream}, expected\n{expected[stream]}---- {stream}, was\n{actual[stream]}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
