#!/usr/bin/env python3
"""What scorers hold responsible, from logs, sets, runs and stdin: explain_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tiny_scorer

HONE = pathlib.Path(sys.argv[1]).resolve()
KEY = '["matmul_layer", 16, 64, 32]'
OTHER_KEY = '["matmul_layer", 32, 64, 32]'
OP = "matmul:m=16,n=32,k=64"
HASH_KEY = '["0123456789abcdef0123456789abcdef", [16, 64], [64, 32], [16, 32]]'
HASH_KEY_TWICE = HASH_KEY.replace("16", "32")


def line(key=KEY, unroll=16, vector=8, seconds=(0.001, 0.002), error=0):
    steps = [["SP", 2, 0, 16, [4, 2], 1], ["SP", 2, 3, 32, [vector], 1], ["AN", 2, 0, 3], ["AN", 2, 4, 2],
             ["PR", 2, 0, f"auto_unroll_max_step${unroll}"]]
    task = [key, "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, []]
    return json.dumps({"i": [task, [[], steps]], "r": [list(seconds), error, 0.5, 1700000000], "v": "v0.6"})


class ExplainTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.write("log.jsonl", line(unroll=0), line(seconds=[0.0005]), "# a note of somebody's",
                   line(unroll=64, error=4, seconds=[1e10]), line(key=OTHER_KEY, seconds=[0.01]))
        self.put("my.scorer", tiny_scorer.scorer())

    def put(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def write(self, name, *lines):
        return self.put(name, "".join(one + "\n" for one in lines).encode())

    def hone(self, *arguments, code=0, stdin=""):
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder / "home")}
        result = subprocess.run([HONE, *arguments], cwd=self.folder, env=environment, input=stdin,
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout, result.stderr

    def explain(self, record, *options, scorer="my.scorer", stdin=""):
        out, _ = self.hone("explain", record, "--scorer", scorer, "--json", *options, stdin=stdin)
        found = json.loads(out)
        self.assertEqual(found["schema"], "hone.explain/1")
        return found

    def refusal(self, *arguments, scorer="my.scorer"):
        out, err = self.hone("explain", *arguments, "--scorer", scorer, code=2)
        self.assertEqual(out, "")
        return err

    def test_the_fastest_record_is_taken_unless_a_line_is_named(self):
        self.assertEqual(self.explain("log.jsonl")["record"], "log.jsonl:2")
        self.assertEqual(self.explain("log.jsonl", "--best")["record"], "log.jsonl:2")
        for named in (["log.jsonl:1"], ["log.jsonl", "--line", "1"]):
            found = self.explain(*named)
            self.assertEqual(found["record"], "log.jsonl:1")
            self.assertEqual(found["measured"], {"status": 0, "best_s": 0.001, "to_best": 2, "records": 2})
        failed = self.explain("log.jsonl:4")["measured"]
        self.assertEqual((failed["status"], failed["best_s"]), (4, None))
        text = (self.folder / "log.jsonl").read_text()
        self.assertEqual(self.explain("-", "--line", "2", stdin=text)["record"], "stdin:2")

    def test_steps_and_loops_have_their_alternatives_and_shares(self):
        found = self.explain("log.jsonl:2")
        self.assertEqual([step["what"] for step in found["steps"]],
                         ["SP matmul i", "SP matmul j", "AN matmul i.0", "AN matmul j.1", "PR matmul"])
        self.assertEqual([step["value"] for step in found["steps"]], ["2x4x2", "4x8", "parallel", "vectorize", "unroll 16"])
        for step in found["steps"]:
            gains = [other["gain"] for other in step["others"]]
            self.assertEqual(gains, sorted(gains, reverse=True))
            self.assertEqual(sum(other["undone"] for other in step["others"]), 1, step)
        lines = {entry["line"].strip(): entry["aspects"] for entry in found["loops"]}
        self.assertIn("vector", [aspect["aspect"] for aspect in lines["vectorize j.1 (0,8)"]])
        self.assertIn("memory", [aspect["aspect"] for aspect in lines["matmul = ..."]])
        shares = sum(aspect["share"] for aspects in lines.values() for aspect in aspects)
        self.assertAlmostEqual(shares, 1)
        self.assertEqual(found["predicted"]["random_programs"], 256)
        self.assertLessEqual(found["predicted"]["rank"], 257)

    def test_every_kind_of_scorer_answers(self):
        self.put("my.onnx", tiny_scorer.onnx())
        for scorer, speed in (("my.scorer", False), ("my.onnx", False), ("analytic", True)):
            found = self.explain("log.jsonl", scorer=scorer)
            self.assertEqual(found["scorer"]["tells_speed"], speed)
            self.assertTrue(found["steps"][1]["others"])
            text, _ = self.hone("explain", "log.jsonl", "--scorer", scorer)
            self.assertRegex(text, r"\nsteps .*\n step  what +is +without it +best other")
            self.assertRegex(text, r"\nloops .*\nPlaceholder: A, B\nmatmul auto_unroll: 16")
            self.assertRegex(text, r"\nlearned   ")

    def test_a_scorer_of_other_machines_is_named(self):
        for share, warning in ((1, "trained on programs for GPUs only"), (0.5, ""), (0, "")):
            self.put("my.scorer", tiny_scorer.scorer(metrics=[("gpu_share", share)]))
            err = self.hone("explain", "log.jsonl", "--scorer", "my.scorer")[1]
            self.assertIn(warning, err)
            self.assertEqual(err == "", warning == "")

    def test_a_program_of_the_set_is_nearest_to_itself(self):
        self.write("more.jsonl", line(), line(unroll=0), line(unroll=512, seconds=[1e10], error=6), line(key=OTHER_KEY))
        self.hone("dataset", "import", "more.jsonl", "-o", "set.hds", "--machine", "i7")
        for record in ("set.hds:0", "log.jsonl:2"):
            learned = self.explain(record, "--set", "set.hds")["learned"]
            self.assertEqual((learned["by"], learned["compared"]), ("hidden", 4))
            self.assertEqual([program["program"] for program in learned["programs"]][0], 0)
            self.assertEqual([program["itself"] for program in learned["programs"]], [True, False, False, False])
            self.assertEqual(learned["programs"][0]["distance"], 0)
            self.assertIn("does not say what it learned from", learned["notes"][0])
        self.put("my.scorer", tiny_scorer.scorer(tasks=[OTHER_KEY]))
        learned = self.explain("set.hds:0", "--set", "set.hds", "--top", "1")["learned"]
        self.assertEqual([program["program"] for program in learned["programs"]], [3])
        self.assertIn("1 of its 2 tasks were among those", learned["notes"][0])
        text, _ = self.hone("explain", "set.hds:2", "--scorer", "my.scorer", "--set", "set.hds")
        self.assertIn("measured  failed: build timeout", text)

    def test_without_a_set_the_nearest_tasks_are_told_by_their_keys(self):
        self.put("my.scorer", tiny_scorer.scorer(tasks=[HASH_KEY_TWICE, HASH_KEY, OTHER_KEY]))
        dag, _ = self.hone("inspect", "--op", OP, "--source", "dag")
        self.write("hashed.jsonl", line(key=HASH_KEY))
        self.write("dags.jsonl", json.dumps({"workload_key": HASH_KEY, "dag": dag}))
        learned = self.explain("hashed.jsonl", "--dags", "dags.jsonl")["learned"]
        self.assertEqual([task["workload_key"] for task in learned["tasks"]], [HASH_KEY, HASH_KEY_TWICE])
        self.assertEqual([task["distance"] for task in learned["tasks"]], [0, 2])
        self.assertIn("does not say what its task computes", self.refusal("hashed.jsonl"))
        self.assertIn("the record is of another task than", self.refusal("hashed.jsonl", "--op", OP))

    def test_a_run_says_what_its_task_computes(self):
        self.hone("tune", "--op", OP, "--trials", "3", "--threads", "1", "-o", "run", "--no-store", "--scorer", "analytic")
        found = self.explain("run", scorer="analytic")
        self.assertRegex(found["record"], r"run/records.jsonl:\d+")
        self.assertGreaterEqual(found["measured"]["records"], 1)
        again = self.explain("run", "--op", OP, scorer="analytic")
        self.assertEqual(again["steps"], found["steps"], "the same question has the same answer")
        out, _ = self.hone("dataset", "import", "run/records.jsonl", "-o", "run.hds", "--machine", "i7", "--json")
        self.assertEqual([json.loads(out)[name] for name in ("tasks", "tasks_with_dag", "corrupt")], [1, 1, 0])

    def test_mistakes_are_named(self):
        self.assertIn("there is no file `nowhere.jsonl`", self.refusal("nowhere.jsonl"))
        self.assertIn("log.jsonl has 5 lines, so there is no line 9", self.refusal("log.jsonl", "--line", "9"))
        self.assertIn("log.jsonl:3 is a note, not a record", self.refusal("log.jsonl:3"))
        self.assertIn("both --line and --best", self.refusal("log.jsonl", "--line", "1", "--best"))
        self.assertIn("there is no scorer `no.scorer`", self.refusal("log.jsonl", scorer="no.scorer"))
        self.put("old.scorer", tiny_scorer.scorer(features="statements 7, embedding 1"))
        self.assertIn("was trained on features 'statements 7, embedding 1'", self.refusal("log.jsonl", scorer="old.scorer"))
        self.write("bad.jsonl", line(vector=8).replace('["SP", 2, 0', '["SP", 2, 7'))
        self.assertIn("bad.jsonl:1: ", self.refusal("bad.jsonl"))
        self.hone("dataset", "import", "log.jsonl", "-o", "set.hds", "--machine", "i7")
        self.assertIn("set.hds holds 4 programs, and none is named", self.refusal("set.hds"))
        self.assertIn("write set.hds:N with N from 0 to 3", self.refusal("set.hds:4"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
