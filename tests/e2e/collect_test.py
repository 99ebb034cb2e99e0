#!/usr/bin/env python3
"""`hone collect` and `hone eval` on what it measured: collect_test.py HONE"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPS = ["matmul:m=16,n=32,k=64+bias", "matmul:m=24,n=24,k=48"]
PER_TASK = 30


def hone(folder, *words):
    result = subprocess.run([HONE, *words], cwd=folder, capture_output=True, text=True, timeout=120)
    return result.returncode, result.stdout, result.stderr


def collect(folder, name, *words):
    return hone(folder, "collect", *words, "--quiet", "-o", name)


def records(folder, name):
    """The whole lines of the log of a collection that are records."""
    log = folder / f"{name}.run/records.jsonl"
    whole = log.read_text().rsplit("\n", 1)[0].split("\n") if log.exists() else []
    return [json.loads(line) for line in whole if line.startswith(("{", " {"))]


def programs(folder, name):
    return [(record["i"][0][0], json.dumps(record["i"][1])) for record in records(folder, name)]


def write_scores(path, scores):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(scores)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(scores)}d", *scores))


def metric(report, scorer, name, k=0, part=0):
    rows = {row["name"]: row for row in report["parts"][part]["scorers"]}
    return next(m for m in rows[scorer]["metrics"] if m["metric"] == name and m.get("k", 0) == k)


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()


class CollectTest(Folder):
    WORDS = ["--op", OPS[0], "--op", OPS[1], "--per-task", str(PER_TASK)]

    def test_a_collection_that_is_killed_goes_on(self):
        for _ in range(4):
            before = programs(self.folder, "killed.hds")
            if len(before) == 2 * PER_TASK:  # the last session was done before it was killed
                break
            process = subprocess.Popen([HONE, "collect", *self.WORDS, "--quiet", "-o", "killed.hds"], cwd=self.folder)
            end = time.monotonic() + 20
            while len(programs(self.folder, "killed.hds")) < len(before) + 5 and time.monotonic() < end:
                time.sleep(0.005)
            process.kill()
            process.wait()
            after = programs(self.folder, "killed.hds")
            self.assertEqual(after[:len(before)], before, "what was written stays")
            self.assertGreater(len(after), len(before), "a session that is killed keeps what it measured")
        killed = len(after)
        code, out, err = collect(self.folder, "killed.hds", *self.WORDS, "--json")
        self.assertEqual(code, 0, err)
        answer = json.loads(out)
        self.assertEqual((answer["programs"], answer["resumed"]), (2 * PER_TASK, killed))
        measured = programs(self.folder, "killed.hds")
        self.assertEqual(len(set(measured)), 2 * PER_TASK, "nothing is measured twice")

    def test_the_same_programs_are_measured_again(self):
        self.assertEqual(collect(self.folder, "first.hds", "--op", OPS[0], "--per-task", "12")[0], 0)
        code, _, err = collect(self.folder, "again.hds", "--programs", "first.hds", "--machine", "other")
        self.assertEqual(code, 0, err)
        self.assertEqual(programs(self.folder, "again.hds"), programs(self.folder, "first.hds"))

    def test_another_number_of_threads_is_another_machine(self):
        self.assertEqual(collect(self.folder, "one.hds", "--op", OPS[0], "--per-task", "2")[0], 0)
        code, _, err = collect(self.folder, "one.hds", "--op", OPS[0], "--per-task", "4", "--threads", "2")
        self.assertEqual(code, 2)
        self.assertIn("start over with --fresh", err)


class EvalTest(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        code, _, err = collect(cls.folder, "set.hds", "builtin:dcgan", "--op", OPS[0], "--per-task", "5")
        assert code == 0, err
        cls.seconds = [min(record["r"][0]) if record["r"][1] == 0 else math.inf
                       for record in records(cls.folder, "set.hds")]
        write_scores(cls.folder / "perfect.npy", [-seconds for seconds in cls.seconds])
        write_scores(cls.folder / "constant.npy", [3.0] * len(cls.seconds))

    def report(self, *words):
        code, out, err = hone(self.folder, "eval", "set.hds", "--json", *words)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_constant_scorer_is_the_random_floor_exactly(self):
        report = self.report("--scorer", "random", "--scores", "same=constant.npy")
        rows = report["parts"][0]["scorers"]
        self.assertEqual([m["value"] for m in rows[0]["metrics"]], [m["value"] for m in rows[1]["metrics"]])
        self.assertEqual(metric(report, "same", "gap_closed", 1)["value"], 0)

    def test_the_perfect_scorer_is_right_in_everything(self):
        report = self.report("--scorer", "random", "--scores", "oracle=perfect.npy", "--k", "1,2")
        for name, k, value in [("pooled", 1, 1), ("networks", 2, 1), ("tasks", 1, 1), ("pairwise", 0, 1),
                               ("far_off", 0, 0), ("trials", 99, 1)]:
            self.assertAlmostEqual(metric(report, "oracle", name, k)["value"], value, msg=name)

    def test_files_of_one_name_are_seeds(self):
        report = self.report("--scores", "one=perfect.npy", "--scores", "one=constant.npy")
        row = report["parts"][0]["scorers"][0]
        self.assertEqual(row["seeds"], 2)
        self.assertGreater(metric(report, "one", "pairwise")["seed_deviation"], 0.3)

    def test_the_test_split_opens_with_a_note(self):
        closed = self.report("--hold-out", "dcgan")
        self.assertEqual(closed["parts"][0]["tasks"], 1)
        opened = self.report("--hold-out", "dcgan", "--final", "--log", "openings.md", "--scores", "one=perfect.npy")
        self.assertEqual(opened["parts"][0]["tasks"], closed["tasks"] - 1)
        self.assertEqual([part["name"] for part in opened["parts"]], ["all", "unseen structure"])
        self.report("--hold-out", "dcgan", "--final", "--log", "openings.md")
        lines = (self.folder / "openings.md").read_text().splitlines()
        self.assertEqual(len(lines), 6)
        self.assertIn("one ", lines[4])

    def test_exports(self):
        code, out, err = hone(self.folder, "eval", "set.hds", "--scorer", "analytic", "--partial", "--scatter", "--search",
                              "--export", "json,csv,md,svg", "-o", "table")
        self.assertEqual(code, 0, err)
        self.assertIn("trials to a share of the best recorded speed", out)
        for ending in ["json", "csv", "md", "svg", "scatter.svg"]:
            self.assertGreater((self.folder / f"table.{ending}").stat().st_size, 500, ending)
        report = json.loads((self.folder / "table.json").read_text())
        self.assertEqual([round(partial["completion"], 1) for partial in report["partial"]],
                         [part / 10 for part in range(11)])
        half, whole = report["partial"][5], report["partial"][10]
        self.assertNotEqual(half["scorers"], whole["scorers"])
        self.assertEqual(whole["scorers"], report["parts"][0]["scorers"])

    def test_a_scorer_says_what_it_has_seen(self):
        code, _, err = hone(self.folder, "train", "set.hds", "--kind", "xgboost", "--set", "rounds=20", "-o", "t.scorer")
        self.assertEqual(code, 0, err)
        report = self.report("--scorer", "random", "--scorer", "trees=t.scorer", "--partial")
        self.assertGreater(metric(report, "trees (seen)", "tasks", 1)["value"], metric(report, "random", "tasks", 1)["value"])
        self.assertEqual(report["partial"][10]["scorers"], report["parts"][0]["scorers"])
        code, _, err = hone(self.folder, "eval", "set.hds", "--hold-out", "dcgan", "--final", "--scorer", "t.scorer")
        self.assertEqual(code, 2)
        self.assertIn("t.scorer was trained on a task of the test split", err)

    def test_folds_judge_what_they_have_not_seen(self):
        for fold in "01":
            code, _, err = hone(self.folder, "train", "set.hds", "--kind", "xgboost", "--set", "rounds=5", "--set",
                                "validation=0", "--fold", f"{fold}/2", "-o", f"f{fold}.scorer")
            self.assertEqual(code, 0, err)
        report = self.report("--scorer", "cross=f0.scorer,f1.scorer")
        self.assertEqual([row["name"] for row in report["parts"][0]["scorers"]], ["cross"])
        code, _, err = hone(self.folder, "eval", "set.hds", "--scorer", "cross=f0.scorer,f0.scorer")
        self.assertEqual(code, 2)
        self.assertIn("every fold of cross was trained on the task", err)

    def test_bad_scores_are_refused(self):
        write_scores(self.folder / "short.npy", [1.0])
        write_scores(self.folder / "nan.npy", [math.nan] * len(self.seconds))
        for words, said in [(["--scores", "short=short.npy"], "holds no score for each of the"),
                            (["--scores", "bad=nan.npy"], "bad gives no number as the score of program 0"),
                            (["--scorer", "randm"], "there is no scorer `randm`"),
                            (["--hold-out", "dcgn"], "no task of set.hds belongs to `dcgn`"),
                            (["--scores", "short=short.npy", "--partial"], "holds no score for each of the")]:
            code, _, err = hone(self.folder, "eval", "set.hds", *words)
            self.assertEqual(code, 2, words)
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
