#!/usr/bin/env python3
"""Data that nothing can be learned from, and disks that are full: bad_training_test.py HONE"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

HONE = pathlib.Path(sys.argv.pop(1)).resolve()
HAS_NETWORKS = (HONE.parent / "hone-train").exists()
SMALL = ("--kind", "tenset-mlp", "--set", "epochs=3", "--set", "validation=0.5", "--threads", "1")


def line(key, program, failed=False, seconds=None):
    stage = 1 if key[0] == "relu_layer" else 2
    steps = [["SP", stage, 0, 16, [(2, 4, 8)[program % 3]], 1], ["AN", stage, 0, 3],
             ["PR", stage, 0, f"auto_unroll_max_step${(0, 16, 64, 512)[program % 4]}"]]
    seconds = seconds or 0.001 * (1 + program % 4) + 1e-5 * program
    result = [[1e10], 4, 0.5, 1] if failed else [[seconds], 0, 0.5, 1]
    return json.dumps({"i": [[json.dumps(key), "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, []], [[], steps]],
                       "r": result, "v": "v0.6"})


def matmul(size):
    return ["matmul_layer", 16, 64, size]


class BadTrainingTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def hone(self, *arguments, code=0, most_bytes=None):
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder)}

        def limit():
            if most_bytes:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        run = subprocess.run([HONE, *arguments], cwd=self.folder, env=environment, text=True, capture_output=True,
                             stdin=subprocess.DEVNULL, timeout=120, preexec_fn=limit)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stderr

    def make_set(self, lines, features="statements,embedding"):
        (self.folder / "log.jsonl").write_text("".join(one + "\n" for one in lines))
        self.hone("dataset", "import", "log.jsonl", "-o", "plain.hds" if features else "set.hds", "--machine", "i7")
        if features:
            self.hone("dataset", "features", "plain.hds", "--add", features, "-o", "set.hds")

    def patch(self, old, new):
        data = (self.folder / "set.hds").read_bytes()
        self.assertIn(old, data)
        (self.folder / "set.hds").write_bytes(data.replace(old, new))

    def ordinary(self):
        return [line([f"{name}_layer", 16, 64, size], program) for name in ("matmul", "relu") for size in (32, 64)
                for program in range(12)]

    def train(self, *options, **more):
        return self.hone("train", "set.hds", *SMALL, *options, "-o", "my.scorer", **more)

    def check_no_scorer(self):
        self.assertFalse((self.folder / "my.scorer").exists())

    def test_a_set_of_another_version_is_named(self):
        self.make_set(self.ordinary())
        data = bytearray((self.folder / "set.hds").read_bytes())
        data[8] += 1
        (self.folder / "set.hds").write_bytes(data)
        for command in (("train", "set.hds", "--kind", "xgboost", "-o", "my.scorer"),
                        ("eval", "set.hds", "--scorer", "random")):
            self.assertRegex(self.hone(*command, code=2), r"set\.hds.* version 2")
        self.check_no_scorer()

    def test_trees_need_programs_that_work(self):
        self.make_set([line(matmul(size), program, failed=True) for size in (32, 64) for program in range(12)], "")
        self.assertIn("the set has no task to learn from",
                      self.hone("train", "set.hds", "--kind", "xgboost", "-o", "my.scorer", code=2))
        self.check_no_scorer()

    def test_trees_take_tasks_of_one_program_and_those_that_failed(self):
        odd = [line(matmul(128), 0), *(line(matmul(160), program, failed=True) for program in range(12))]
        self.make_set(self.ordinary() + odd, "")
        self.hone("train", "set.hds", "--kind", "xgboost", "--set", "rounds=3", "--set", "validation=0.5", "-o", "my.scorer")
        self.hone("eval", "set.hds", "--scorer", "my.scorer", "--scorer", "analytic")

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_networks_need_programs_that_work(self):
        self.make_set([line(matmul(size), program, failed=True) for size in (32, 64) for program in range(12)])
        self.assertIn("the set has no task to learn from", self.train(code=2))
        self.check_no_scorer()

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_networks_leave_what_failed_with_a_word_and_take_single_programs(self):
        odd = [line(matmul(128), 0), *(line(matmul(160), program, failed=True) for program in range(12))]
        self.make_set(self.ordinary() + odd)
        self.assertIn("1 task", self.train())
        self.hone("eval", "set.hds", "--scorer", "my.scorer", "--scorer", "random")

    def test_an_empty_set_is_refused(self):
        (self.folder / "log.jsonl").write_text("")
        self.assertIn("hint:", self.hone("dataset", "import", "log.jsonl", "-o", "set.hds", code=2))
        self.assertFalse((self.folder / "set.hds").exists())

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_what_reads_computations_needs_them(self):
        self.make_set([line(["0123456789abcdef0123456789abcdef", size], program) for size in (32, 64)
                       for program in range(12)], "")
        for kind, view in (("tenset-mlp", "statements"), ("hone", "statements"), ("xgboost", "statements")):
            err = self.hone("train", "set.hds", "--kind", kind, "-o", "my.scorer", code=2)
            self.assertRegex(err, f"no program of .* has features .{view}.\n\nhint: .*DAGs of their tasks")
        self.assertIn("does not say what its tasks compute", self.hone("eval", "set.hds", "--scorer", "analytic", code=2))
        self.check_no_scorer()

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_features_of_another_version_do_not_reach_a_search(self):
        self.make_set(self.ordinary())
        self.patch(b"1 164 program", b"7 164 program")
        self.train()
        refusal = "was trained on features 'statements 7, embedding 1'"
        self.assertIn(refusal, self.hone("eval", "set.hds", "--scorer", "my.scorer", code=2))
        self.assertIn(refusal, self.hone("tune", "--op", "matmul:m=16,n=16,k=16", "--trials", "8", "--scorer", "my.scorer",
                                         code=2))

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_a_full_disk_ends_training_with_a_reason_and_loses_nothing(self):
        self.make_set(self.ordinary())
        self.assertIn("disk", self.train(code=2, most_bytes=100_000))
        self.check_no_scorer()
        self.train()
        good = (self.folder / "my.scorer").read_bytes()
        self.assertIn("disk", self.train("--set", "seed=2", code=2, most_bytes=100_000))
        self.assertEqual((self.folder / "my.scorer").read_bytes(), good, "an earlier scorer stays")


if __name__ == "__main__":
    unittest.main()
