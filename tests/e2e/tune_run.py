"""What the tests of `hone tune` share. The first argument of each is the program."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OP = "matmul:m=16,n=32,k=64"


def records(log):
    """The lines of a log that are records, without a torn last one."""
    whole = log.read_text().rsplit("\n", 1)[0].split("\n") if log.exists() else []
    return [line for line in whole if line.startswith(("{", " {"))]


def candidates(log):
    return [json.dumps(json.loads(line)["i"][1]) for line in records(log)]


def notes(log, kind):
    lines = [json.loads(line[2:]) for line in log.read_text().splitlines() if line.startswith("# {")]
    return [line[kind] for line in lines if kind in line]


def workers_in(folder):
    """Worker processes whose working folder this is."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder) and (process / "comm").read_text() == "hone-worker\n":
                found.append(process.name)
        except OSError:
            pass  # it has just ended
    return found


def wait_for(condition, limit_s=20):
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.002)


class RunTest(unittest.TestCase):
    """A test with a folder of its own, in which `hone tune` runs."""
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name).resolve()
        self.log = self.folder / "run/records.jsonl"
        for variable in ("HOME", "HONE_HOME"):  # settings and a store of its own
            os.environ[variable] = str(self.folder / "home")

    def tearDown(self):
        self.holder.cleanup()

    def start(self, *options, output="run", **more):
        command = [HONE, "tune", "--op", OP, "--threads", "1", "-o", output, *options]
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run_to_end(self, *options, **more):
        process = self.start(*options, **more)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()  # nothing goes on when the test does not
        return process.returncode, out, err
