#!/usr/bin/env python3
"""One command from logs to the scorer that comes with hone, and its card: default_scorer_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HONE = pathlib.Path(sys.argv.pop(1)).resolve()
TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
TOOL = TOOLS / "train_default_scorer"


def log(size):
    """A task of each of two structures, twelve programs a task that differ in how far they are unrolled."""
    for structure, stage in ((["matmul_layer", 16, 64], 2), (["relu_layer", 16, 64], 1)):
        for program in range(12):
            steps = [["SP", stage, 0, 16, [(2, 4, 8)[program % 3]], 1], ["AN", stage, 0, 3],
                     ["PR", stage, 0, f"auto_unroll_max_step${(0, 16, 64, 512)[program % 4]}"]]
            seconds = 0.001 * (1 + program % 4) + 1e-5 * program
            inputs = [json.dumps(structure + [size]), "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, []]
            yield json.dumps({"i": [inputs, [[], steps]], "r": [[seconds, seconds * 1.1], 0, 0.5, 1], "v": "v0.6"})


class DefaultScorerTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for size in (32, 64):
            (self.folder / "log.jsonl").write_text("".join(line + "\n" for line in log(size)))
            self.run_command(HONE, "dataset", "import", "log.jsonl", "-o", f"{size}.hds", "--machine", "i7")

    def run_command(self, *command, code=0, **variables):
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder),
                       "HONE": str(HONE), "WORK": str(self.folder / "work"), "OUTPUT": str(self.folder / "default.scorer"),
                       **variables}
        run = subprocess.run(command, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=300)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout, run.stderr

    def train(self, *sets, **variables):
        return self.run_command(TOOL, *sets, SETTINGS="trees=5 validation=0", THREADS="1", **variables)

    def test_sets_become_a_judged_scorer_with_its_card(self):
        self.train("32.hds", "64.hds", FOLDS="2")
        card = json.loads(self.run_command(HONE, "inspect", "default.scorer", "--json")[0])
        self.assertEqual(len(card["tasks"]), 4, "the scorer itself learns from all")
        self.assertEqual(card["metrics"]["trees"], 5)
        text = (self.folder / "default.md").read_text()
        self.assertIn("kind       corrected", text)
        self.assertIn("| random |", text)
        self.assertIn("| corrected |", text)
        made = (self.folder / "default.scorer").stat().st_mtime_ns
        _, err = self.train("32.hds", "64.hds", FOLDS="2")
        self.assertNotIn("tree ", err, "nothing is trained again")
        self.assertGreater((self.folder / "default.scorer").stat().st_mtime_ns, made)

    def test_what_is_measured_here_goes_on_and_can_be_learned_from(self):
        (self.folder / "operators.txt").write_text("matmul:m=32,n=32,k=32\n")
        measure = [TOOLS / "measure_for_scorer", "records", "--networks", "bert_tiny", "--operators", "operators.txt", "--share", "0.01"]
        self.run_command(*measure)
        sets = [f"records/{name}.hds" for name in ("samples", "by_analysis", "by_scorer", "on_all_cores")]
        _, err = self.run_command(*measure)
        self.assertNotIn("matmul", err, "nothing is measured again")
        self.train(*sets, FOLDS="0", OUTPUT="mine.scorer")
        machines = json.loads(self.run_command(HONE, "inspect", "mine.scorer", "--json")[0])["platforms"]
        self.assertEqual(len(machines), 2, "one core and all of them are two machines")

    def test_nothing_to_learn_from_is_an_error(self):
        self.assertIn("cannot read none.hds", self.run_command(TOOL, "none.hds", code=2)[1])
        self.assertFalse((self.folder / "default.scorer").exists())


if __name__ == "__main__":
    unittest.main()
