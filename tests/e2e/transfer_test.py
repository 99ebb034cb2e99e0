#!/usr/bin/env python3
"""`hone transfer`: a scorer adapted to this machine by what is measured here: transfer_test.py HONE"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import tiny_scorer

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPS = ["matmul:m=16,n=32,k=64+bias", "matmul:m=24,n=24,k=48", "conv2d:n=1,ci=4,hw=8,co=8,k=3,s=1,p=1+relu",
       "batch_matmul:b=2,m=8,n=16,k=32"]


def op_words(ops):
    return [word for op in ops for word in ("--op", op)]


class TransferTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        self.environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder)}
        (self.folder / "source.scorer").write_bytes(tiny_scorer.hone_scorer())

    def hone(self, *words, code=0):
        done = subprocess.run([HONE, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def transfer(self, *words, ops=OPS, code=0):
        return self.hone("transfer", "--from", "source.scorer", "-o", "here.scorer", *op_words(ops), *words, code=code)

    def test_measures_adapts_reports_and_writes_a_scorer_that_others_read(self):
        events = [json.loads(line) for line in self.transfer("--labels", "64", "--json").stdout.splitlines()]
        self.assertEqual([events[0]["event"], events[-2]["event"], events[-1]["event"]], ["start", "judged", "done"])
        start, judged, done = events[0], events[-2], events[-1]
        self.assertEqual((start["schema"], start["programs"], start["tasks"]), ("hone.transfer/1", 64, 4))
        self.assertEqual((done["state"], done["programs"]), ("done", 64))
        for value in judged["metrics"]["pairwise"].values():
            self.assertLessEqual(value["low"], value["value"])
            self.assertLessEqual(value["value"], value["high"])
        change = judged["metrics"]["pairwise"]
        self.assertAlmostEqual(change["after"]["value"] - change["before"]["value"], change["change"]["value"])
        card = json.loads(self.hone("inspect", "here.scorer", "--json").stdout)
        self.assertEqual(card["options"]["parent"], start["hash"])
        self.assertEqual((card["options"]["labels"], len(card["tasks"])), ("64", 4))
        self.assertAlmostEqual(card["metrics"]["after_pairwise"], judged["metrics"]["pairwise"]["after"]["value"], places=5)
        self.assertIn("kind=cpu", card["options"]["machine"])
        report = json.loads(self.hone("eval", "here.scorer.hds", "--scorer", "here.scorer", "--json").stdout)
        self.assertEqual(report["parts"][0]["scorers"][0]["name"], "here (seen)")
        self.hone("tune", "--op", OPS[1], "--scorer", "here.scorer", "--trials", "4", "-o", "run", "--quiet")

    def test_choice_is_of_the_seed_and_active_is_not_random(self):
        def programs(*words):
            self.transfer("--labels", "64", "--fresh", "--quiet", *words)
            log = (self.folder / "here.scorer.run/records.jsonl").read_text().splitlines()
            return [json.dumps(json.loads(line)["i"]) for line in log if line.startswith("{")]

        active = programs()
        self.assertEqual(programs(), active)
        self.assertNotEqual(programs("--choose", "random"), active)
        self.assertNotEqual(set(programs("--seed", "2")), set(active))

    def test_stopped_it_adapts_to_what_there_is_and_goes_on_later(self):
        words = [HONE, "transfer", "--from", "source.scorer", "-o", "here.scorer", *op_words(OPS), "--labels", "160", "--quiet"]
        process = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)
        log, end = self.folder / "here.scorer.run/records.jsonl", time.monotonic() + 60
        while not (log.exists() and log.read_text().count('{"i"') > 40) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("next      the same command measures the rest", out)
        self.assertTrue((self.folder / "here.scorer").exists())
        done = json.loads(self.transfer("--labels", "160", "--json").stdout.splitlines()[-1])
        self.assertGreater(done["resumed"], 40)
        self.assertEqual(done["state"], "done")

    def test_programs_of_a_set_are_measured_here(self):
        self.hone("collect", *op_words(OPS), "--per-task", "30", "--quiet", "-o", "set.hds")
        out = self.transfer("--programs", "set.hds", "--labels", "70", ops=[]).stdout
        self.assertIn("70 programs of 4 tasks measured", out)
        self.assertIn("pairs in order", out)

    def test_mistakes_are_named(self):
        (self.folder / "mlp.scorer").write_bytes(tiny_scorer.scorer())
        (self.folder / "old.scorer").write_bytes(tiny_scorer.scorer(features="statements 99", kind="hone"))
        for words, said in [(["--from", "none.scorer"], "none.scorer"),
                            (["--from", "mlp.scorer"], "is of kind tenset-mlp, which cannot be adapted"),
                            (["--from", "old.scorer"], "which this hone does not make"),
                            (["--from", "source.scorer", "--labels", "5"], "5 labels teach nothing"),
                            (["--from", "source.scorer", "--op", OPS[0]], "programs of 1 tasks are too few"),
                            (["--from", "source.scorer", "--choose", "actve"], "did you mean 'active'"),
                            (["--from", "source.scorer", "--op", OPS[0], "--programs", "set.hds"], "one of them is measured")]:
            self.assertIn(said, self.hone("transfer", *words, code=2).stderr, words)


if __name__ == "__main__":
    unittest.main()
