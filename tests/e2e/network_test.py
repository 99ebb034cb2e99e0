#!/usr/bin/env python3
"""From a model to an artefact that runs: network_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""


class NetworkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.keeper.name)
        for variable in ("HOME", "HONE_HOME"):  # nobody's settings and store
            os.environ[variable] = str(cls.folder / "home")
        code, cls.compiled, err = cls.hone("compile", "builtin:bert_tiny", "--threads", "1")
        assert code == 0, err

    @classmethod
    def tearDownClass(cls):
        cls.keeper.cleanup()

    @classmethod
    def hone(cls, *arguments):
        result = subprocess.run([HONE, *arguments], cwd=cls.folder, capture_output=True, text=True, timeout=100)
        return result.returncode, result.stdout, result.stderr

    def test_compile_says_what_it_made(self):
        self.assertIn("wrote     bert_tiny.hone", self.compiled)
        self.assertRegex(self.compiled, r"tasks +\d+ distinct in \d+ steps: 0 tuned, \d+ untuned")

    def test_the_artefact_computes_what_the_model_says(self):
        code, out, err = self.hone("run", "bert_tiny.hone", "--check-against", "builtin:bert_tiny", "--threads", "1",
                                   "--json")
        self.assertEqual(code, 0, err)
        errors = [output["error"] for output in json.loads(out)["checked"]]
        self.assertEqual(len(errors), 2)
        self.assertLess(max(errors), 1e-4)

    def test_other_numbers_of_threads_are_said_and_change_nothing(self):
        outputs = []
        for threads in ("1", "2", "3"):
            code, _, err = self.hone("run", "bert_tiny.hone", "-o", "y.npz", "--threads", threads)
            self.assertEqual(code, 0, err)
            self.assertEqual(f"was made for 1 thread and runs on {threads}" in err, threads != "1", err)
            with zipfile.ZipFile(self.folder / "y.npz") as y:
                outputs.append([y.read(name) for name in y.namelist()])
        self.assertEqual(outputs[1:], outputs[:1] * 2)

    def test_concatenations_are_views_and_inspect_shows_them(self):
        code, _, err = self.hone("compile", "builtin:squeezenet", "--threads", "1")
        self.assertEqual(code, 0, err)
        code, out, err = self.hone("inspect", "squeezenet.hone")
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"steps +30, 0 of them copies")
        self.assertIn("strides of relu [387200,7040,128,1]", out)
        code, out, err = self.hone("inspect", "squeezenet.hone", "--json")
        self.assertEqual(code, 0, err)
        kernels = json.loads(out)["variants"][0]["kernels"]
        views = [view for kernel in kernels for view in kernel.get("views", [])]
        self.assertIn({"parameter": "relu", "shape": [1, 55, 55, 64], "strides": [387200, 7040, 128, 1]}, views)

    def test_a_mismatch_is_the_answer_no(self):
        code, _, err = self.hone("run", "bert_tiny.hone", "--check-against", "builtin:bert_tiny", "--tolerance", "0")
        self.assertEqual(code, 1)
        self.assertIn("does not compute what builtin:bert_tiny says", err)

    def test_outputs_become_files_and_inputs_come_from_them(self):
        code, _, err = self.hone("run", "bert_tiny.hone", "-o", "y.npz")
        self.assertEqual(code, 0, err)
        names = zipfile.ZipFile(self.folder / "y.npz").namelist()
        self.assertEqual(names, ["last_hidden_state.npy", "pooler_output.npy"])
        code, _, err = self.hone("run", "bert_tiny.hone", "--input", "y.npz")
        self.assertEqual(code, 2)
        self.assertIn("has no input `last_hidden_state`", err)

    def test_an_input_of_another_type_is_refused(self):
        self.hone("run", "bert_tiny.hone", "-o", "y.npz")
        with zipfile.ZipFile(self.folder / "y.npz") as y, zipfile.ZipFile(self.folder / "x.npz", "w") as x:
            x.writestr("input_ids.npy", y.read("pooler_output.npy"))
        code, _, err = self.hone("run", "bert_tiny.hone", "--input", "x.npz")
        self.assertEqual(code, 2)
        self.assertIn("input input_ids is int64 [1, 128], not float32 [1, 128]", err)

    def test_bench_compares_and_profiles(self):
        code, out, err = self.hone("bench", "bert_tiny.hone", "bert_tiny.hone", "--runs", "12", "--threads", "1",
                                   "--json", "--profile")
        self.assertEqual(code, 0, err)
        results = json.loads(out)["results"]
        self.assertEqual([len(result["seconds"]) for result in results], [12, 12])
        for result in results:
            steps = sum(step["seconds"] for step in result["profile"])
            self.assertGreater(steps, result["min_s"] / 4)
            self.assertLessEqual(result["min_s"], result["p50_s"])
        code, out, err = self.hone("bench", "bert_tiny.hone", "bert_tiny.hone", "--runs", "5")
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"p99 [\d.]+ +min [\d.]+ +5 runs\n")
        self.assertRegex(out, r"is \d+\.\d\d ± \d+\.\d\d times faster than bert_tiny.hone\n")

    def test_bench_exports_and_compares_with_what_it_exported(self):
        def bench(*options):
            return self.hone("bench", "bert_tiny.hone", "--runs", "5", "--warmup", "2", "--threads", "1", *options)
        code, _, err = bench("--export", "base.json", "--export", "base.csv", "--export", "base.md")
        self.assertEqual(code, 0, err)
        self.assertEqual(len((self.folder / "base.csv").read_text().splitlines()), 2)
        self.assertIn("| `bert_tiny.hone` |", (self.folder / "base.md").read_text())
        base = json.loads((self.folder / "base.json").read_text())
        self.assertEqual(len(base["results"][0]["seconds"]), 5)
        for factor, code_wanted in ((1000, 0), (0.001, 1)):
            times = [second * factor for second in base["results"][0]["seconds"]]
            changed = {**base, "results": [{**base["results"][0], "seconds": times}]}
            (self.folder / "changed.json").write_text(json.dumps(changed))
            code, out, err = bench("--against", "changed.json", "--fail-over", "5%")
            self.assertEqual(code, code_wanted, err)
            self.assertIn("in changed.json, which is of another session", out)
        self.assertIn("failed: slower than in changed.json by more than 5 %", err)

    def test_require_tuned_writes_nothing(self):
        code, _, err = self.hone("compile", "builtin:bert_tiny", "--require-tuned", "-o", "never.hone")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"tasks were not tuned, nothing is written:\n( .*\n)+$")
        self.assertFalse((self.folder / "never.hone").exists())

    def test_records_give_schedules(self):
        _, out, _ = self.hone("compile", "builtin:bert_tiny", "-o", "plain.hone", "--json")
        _, inspected, _ = self.hone("inspect", "--op", "matmul:m=4,n=4,k=4", "--json")
        target = json.loads(inspected)["target"]
        lines = [json.dumps({"i": [[task["workload_key"], target, [1] * 8, "", 0, []], [[], []]],
                             "r": [[0.001], 0, 0.1, 1], "v": "v0.6"}) for task in json.loads(out)["untuned"]]
        (self.folder / "log.json").write_text("\n".join(lines) + "\n")
        code, out, err = self.hone("compile", "builtin:bert_tiny", "-o", "tuned.hone", "--records", "log.json",
                                   "--require-tuned")
        self.assertEqual(code, 0, err)
        self.assertIn(f" {len(lines)} tuned, 0 untuned", out)
        code, _, err = self.hone("run", "tuned.hone", "--check-against", "builtin:bert_tiny")
        self.assertEqual(code, 0, err)
        code, _, err = self.hone("compile", "builtin:bert_tiny", "-o", "other.hone", "--records", "log.json",
                                 "--threads", "77", "--require-tuned")
        self.assertEqual(code, 1)
        self.assertIn(f"{len(lines)} records are of another machine or number of threads", err)

    def test_a_damaged_artefact_is_refused(self):
        whole = bytearray((self.folder / "bert_tiny.hone").read_bytes())
        whole[len(whole) // 2] ^= 1
        (self.folder / "damaged.hone").write_bytes(whole)
        for command in ("run", "bench"):
            code, _, err = self.hone(command, "damaged.hone")
            self.assertEqual(code, 2)
            self.assertIn("damaged.hone", err)


if __name__ == "__main__":
    unittest.main()
