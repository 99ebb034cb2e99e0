#!/usr/bin/env python3
"""Trained scorers in tuning, from their files: hone's own, somebody's model, the one that comes with hone:
scorer_test.py HONE"""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import tiny_scorer
from tune_run import HONE, OP, RunTest, records


class ScorerTest(RunTest):
    def put(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def tune(self, *options, code=0):
        result, out, err = self.run_to_end("--no-store", "--seed", "3", *options)
        self.assertEqual(result, code, err)
        return out, err

    def summary(self):
        return json.loads((self.folder / "run/summary.json").read_text())

    def test_every_use_of_a_network_leads_to_an_answer(self):
        self.put("my.scorer", tiny_scorer.scorer())
        for use in ("residual", "tuned", "adapter", "frozen"):
            _, err = self.tune("--trials", "20", "--fresh", "--scorer", "my.scorer", "--scorer-use", use)
            self.assertRegex(err, rf"scorer    my\.scorer, [0-9a-f]{{16}}, {use}\n")
            self.assertGreater(self.summary()["gflops"], 0)

    def test_trees_that_correct_the_analysis_are_used(self):
        self.put("my.scorer", tiny_scorer.corrected_scorer())
        for use in ("residual", "frozen"):
            _, err = self.tune("--trials", "20", "--fresh", "--scorer", "my.scorer", "--scorer-use", use)
            self.assertRegex(err, rf"scorer    my\.scorer, [0-9a-f]{{16}}, {use}\n")
            self.assertGreater(self.summary()["gflops"], 0)
        _, err = self.tune("--trials", "4", "--fresh", "--scorer", "my.scorer", "--scorer-use", "tuned", code=2)
        self.assertIn("which have no last layer", err)

    def test_somebodys_model_is_compiled_and_used(self):
        self.put("my.onnx", tiny_scorer.onnx())
        self.tune("--trials", "12", "--scorer", "my.onnx")
        self.assertRegex(self.summary()["scorer"], r"my\.onnx, [0-9a-f]{16}, residual")
        self.assertTrue(list((self.folder / "home/scorers").glob("*.hone")), "its kernels are kept")

    def test_models_that_do_not_fit_are_refused_with_a_reason(self):
        def refusal(data, *options):
            self.put("my.onnx", data)
            return self.tune("--trials", "4", "--scorer", "my.onnx", *options, code=2)[1]
        self.assertIn("my.onnx: it is made for version 999 of `summary`", refusal(tiny_scorer.onnx(version="999")))
        self.assertIn(f"note hone.feature.summary={tiny_scorer.SUMMARY_VERSION} in its metadata_props",
                      refusal(tiny_scorer.onnx(version="")))
        self.assertIn("did you mean 'summary'?", refusal(tiny_scorer.onnx(name="sumary")))
        self.assertIn("has to be [batch, 177] of float32", refusal(tiny_scorer.onnx(columns=100)))
        self.assertIn("holds a value that is no number", refusal(tiny_scorer.onnx(weight=float("nan"))))
        self.assertIn("a second output `hidden`", refusal(tiny_scorer.onnx(), "--scorer-use", "tuned"))
        self.assertIn("my.onnx is no ONNX model", refusal(b"something else"))
        self.assertFalse((self.folder / "run/summary.json").exists())

    def test_scorers_that_do_not_fit_are_refused_with_a_reason(self):
        def refusal(data):
            self.put("my.scorer", data)
            return self.tune("--trials", "4", "--scorer", "my.scorer", code=2)[1]
        nan = [("encoder.0.weight", [1, 2], [float("nan"), 1.0])]
        good = tiny_scorer.scorer()
        self.assertIn("the version of the format", refusal(tiny_scorer.scorer(version=9)))
        self.assertIn("was trained on features 'statements 7, embedding 1'",
                      refusal(tiny_scorer.scorer(features="statements 7, embedding 1")))
        self.assertIn("that is not a finite number", refusal(tiny_scorer.scorer(tensors=nan)))
        self.assertIn("its weights were changed or cut", refusal(good[:-5]))
        self.assertIn("its weights were changed or cut", refusal(good[:-4] + b"\0\0\1\0"))
        self.assertIn("network of kind 'tabnet'", refusal(tiny_scorer.scorer(kind="tabnet")))
        self.assertIn("is no intact scorer", refusal(b"something else"))

    def test_without_trials_the_first_by_rank_is_taken(self):
        self.put("my.scorer", tiny_scorer.scorer())
        picks = set()
        for scorer in ("my.scorer", "analytic", "random"):
            out, _ = self.tune("--trials", "0", "--fresh", "--scorer", scorer)
            self.assertRegex(out, rf"ranked    first by {scorer}.*: chosen without a trial")
            self.assertTrue(self.summary()["ranked"])
            self.assertLessEqual(len(records(self.log)), 9, "one that works and what hone emits untuned")
            picks.add(json.dumps(self.summary()["best_steps"]))
        self.assertEqual(len(picks), 3)
        out, _ = self.tune("--trials", "0", "--fresh", "--json", "--scorer", "analytic")
        self.assertTrue(json.loads(out.splitlines()[-1])["summary"]["ranked"])

    def test_without_trials_a_model_becomes_an_artefact(self):
        self.put("my.scorer", tiny_scorer.scorer())
        self.put("model.onnx", tiny_scorer.onnx(columns=64))
        command = [HONE, "tune", "model.onnx", "--shape", "summary=8x64", "--trials", "0", "--no-store", "--threads", "1"]
        for scorer in ("my.scorer", "random"):
            run = subprocess.run([*command, "--fresh", "--scorer", scorer], cwd=self.folder, text=True, capture_output=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex(run.stdout, rf"ranked    1 of 1 distinct operators run what {scorer}.* ranks first")
            self.assertTrue((self.folder / "model.hone").exists())
        bench = subprocess.run([HONE, "bench", "model.hone", "--profile", "--runs", "5"], cwd=self.folder, text=True, capture_output=True)
        self.assertEqual(bench.returncode, 0, bench.stderr)


class ShippedScorerTest(RunTest):
    """The program as it is installed: bin/hone beside share/hone/default.scorer."""
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "share/hone").mkdir(parents=True)
        self.hone = self.folder / "bin/hone"
        try:
            os.link(HONE, self.hone)
        except OSError:  # on another file system
            shutil.copy(HONE, self.hone)
        self.environment = {**os.environ, "HONE_WORKER": str(pathlib.Path(HONE).parent / "hone-worker")}
        self.environment.pop("HONE_SCORER", None)

    def run_hone(self, *arguments, code=0):
        run = subprocess.run([self.hone, *arguments], cwd=self.folder, env=self.environment, text=True, capture_output=True)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout, run.stderr

    def tune(self, *options, code=0):
        return self.run_hone("tune", "--op", OP, "--threads", "1", "--trials", "8", "--fresh", "--no-store", *options, code=code)[1]

    def ship(self, data):
        (self.folder / "share/hone/default.scorer").write_bytes(data)

    def test_it_is_used_unless_somebody_says_otherwise(self):
        self.assertIn("scorer    gbdt\n", self.tune())
        self.ship(tiny_scorer.scorer())
        self.assertRegex(self.tune(), r"scorer    .*/share/hone/default\.scorer, [0-9a-f]{16}, residual\n")
        self.assertIn("scorer    gbdt\n", self.tune("--scorer", "none"))
        self.assertIn("scorer    analytic\n", self.tune("--scorer", "analytic"))
        self.assertRegex(self.run_hone("config", "show")[0], r"# tune: scorer .*default\.scorer, [0-9a-f]{16}\n")
        shown = json.loads(self.run_hone("config", "show", "--json")[0])["scorer"]
        self.assertEqual(shown["misfit"], "")

    def test_one_that_does_not_fit_is_left_with_a_word(self):
        for data, why in ((tiny_scorer.scorer(features="statements 9, embedding 1"), "it reads the features 'statements 9"),
                          (tiny_scorer.scorer(metrics=[("gpu_share", 1)]), "it was trained on programs for GPUs"),
                          (tiny_scorer.scorer(version=3, platforms=[("abacus", 9)]), "it was trained on programs of abacus, and this is")):
            self.ship(data)
            err = self.tune()
            self.assertIn("default.scorer is not used: " + why, err)
            self.assertIn("scorer    gbdt\n", err)
            self.assertIn("not used: " + why, self.run_hone("config", "show")[0])

    def test_a_damaged_one_is_an_error(self):
        self.ship(tiny_scorer.scorer()[:-3])
        self.assertIn("default.scorer is no intact scorer: its weights were changed or cut", self.tune(code=2))
        self.assertIn("scorer    gbdt\n", self.tune("--scorer", "none"))


if __name__ == "__main__":
    unittest.main()
