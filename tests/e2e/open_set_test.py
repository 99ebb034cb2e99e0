#!/usr/bin/env python3
"""`tools/make_open_set` from measuring to checking: open_set_test.py HONE"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
TOOL = str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "make_open_set")
OPS = ["matmul:m=16,n=32,k=64", "matmul:m=24,n=24,k=48", "matmul:m=8,n=8,k=8+bias", "batch_matmul:b=2,m=8,n=16,k=32"]


class OpenSetTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_tool(self, *words, code=0):
        done = subprocess.run([TOOL, *words], cwd=self.folder, env={**os.environ, "HONE": HONE}, capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def measure_twice(self):
        ops = [word for op in OPS for word in ("--op", op)]
        self.run_tool("collect", "two", *ops, "--per-task", "8", "--machine", "first")
        self.assertIn("is the machine that the programs come from", self.run_tool("measure", "two", "--machine", "first", code=2))
        self.run_tool("measure", "two", "--machine", "second")

    def test_from_two_machines_to_a_checked_set(self):
        self.assertIn("holds no programs yet", self.run_tool("measure", "two", code=2))
        self.measure_twice()
        self.assertIn("at least 15000 is wanted", self.run_tool("pack", "two", "-o", "small", code=2))
        self.assertIn("32 programs of 4 tasks on 2 machines", self.run_tool("pack", "two", "-o", "open", "--least", "32"))
        self.assertIn("exists already", self.run_tool("pack", "two", "-o", "open", code=2))
        card = (self.folder / "open/README.md").read_text()
        for said in ("32 programs of 4 tasks", "| `first.hds` | first |", "`second.hds` by the times of `first.hds`"):
            self.assertIn(said, card)
        parts = [(self.folder / f"open/splits/task.{part}.txt").read_text().splitlines()
                 for part in ("train", "validation", "test")]
        self.assertEqual(sum(map(len, parts)), 4)
        self.assertEqual(len(set(sum(parts, []))), 4)
        self.assertEqual(subprocess.run(["sha256sum", "--quiet", "-c", "MANIFEST.sha256"], cwd=self.folder / "open").returncode, 0)
        self.check_faults_are_found()

    def check_faults_are_found(self):
        self.assertIn("as they were packed", self.run_tool("check", "open"))
        split = self.folder / "open/splits/network.train.txt"
        kept = split.read_text()
        split.write_text(kept + "\n")
        self.assertIn("splits/network.train.txt was changed", self.run_tool("check", "open", code=1))
        split.unlink()
        self.assertIn("splits/network.train.txt is missing", self.run_tool("check", "open", code=1))
        split.write_text(kept)
        (self.folder / "open/more.txt").write_text("")
        self.assertIn("more.txt is not of the set", self.run_tool("check", "open", code=1))


if __name__ == "__main__":
    unittest.main()
