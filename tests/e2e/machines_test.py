#!/usr/bin/env python3
"""One model of several machines, of CPUs and GPUs alike: machines_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HONE = pathlib.Path(sys.argv[1]).resolve()
TRAIN = HONE.parent / "hone-train"
SMALL = ["epochs=2", "members=2", "width=8", "fused_width=8", "list=12", "batch=24", "validation=0.5"]
GPU = [-1, 16, 64, 49152, 2147483647, 1024, 8, 32]


def lines(is_gpu, threads=4):
    """Six tasks of twelve programs each."""
    hardware, target = (GPU, "cuda -keys=cuda,gpu") if is_gpu else ([threads, 64, 64, 0, 0, 0, 0, 0], "llvm -keys=cpu")
    for structure, stage in ((["matmul_layer", 16, 64], 2), (["relu_layer", 16, 64], 1)):
        for size in (32, 64, 96):
            for program in range(12):
                steps = [["SP", stage, 0, 16, [(2, 4, 8)[program % 3]], 1]]
                steps += [["AN", stage, 0, 5], ["AN", stage, 1, 6]] if is_gpu else [["AN", stage, 0, 3]]
                steps += [["PR", stage, 0, f"auto_unroll_max_step${(0, 16, 64, 512)[program % 4]}"]]
                seconds = 0.001 * (1 + (program % 3 if is_gpu else program % 4)) + 1e-5 * program
                inputs = [json.dumps(structure + [size]), target, hardware, "", 2, []]
                yield json.dumps({"i": [inputs, [[], steps]], "r": [[seconds, seconds * 1.1], 0, 0.5, 1], "v": "v0.6"})


class MachinesTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_program(self, program, *arguments, code=0):
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder)}
        done = subprocess.run([program, *arguments], cwd=self.folder, env=environment, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr

    def hone(self, *arguments, code=0):
        return self.run_program(HONE, *arguments, code=code)

    def make_set(self, name, machine, is_gpu=False):
        (self.folder / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines(is_gpu)))
        self.hone("dataset", "import", f"{name}.jsonl", "-o", f"{name}.plain.hds", "--machine", machine)
        self.hone("dataset", "features", f"{name}.plain.hds", "--add", "statements,primitives,context,summary,machine",
                  "-o", f"{name}.hds")

    def train(self, *arguments, code=0):
        settings = [word for setting in SMALL for word in ("--set", setting)]
        return self.run_program(TRAIN, *arguments, *settings, "--device", "cpu", code=code)

    def check_same_scores(self, data, scorer):
        """hone's own inference says what libtorch says, program by program."""
        self.run_program(TRAIN, "--predict", data, "--scorer", scorer, "-o", "torch.npy", "--device", "cpu")
        self.hone("eval", data, "--scorer", f"ours={scorer}", "--scores", "torch=torch.npy", "--export", "json", "-o", "table")
        report = json.loads((self.folder / "table.json").read_text())
        ours, torch = report["parts"][0]["scorers"]
        for one, other in zip(ours["metrics"], torch["metrics"]):
            self.assertAlmostEqual(one["value"], other["value"], places=4)
        return report

    def test_a_machine_is_described_anew(self):
        self.make_set("cpu", "mine:kind=cpu,cores=4")
        before = json.loads(self.hone("inspect", "cpu.hds", "--json")[0])["machines"]
        self.assertEqual(before, {"mine": "kind=cpu cores=4"})
        self.hone("dataset", "features", "cpu.hds", "--add", "machine", "--machine", "mine:kind=cpu,cores=4,l2_kib=1023",
                  "-o", "told.hds")
        self.assertEqual(json.loads(self.hone("inspect", "told.hds", "--json")[0])["machines"],
                         {"mine": "kind=cpu cores=4 l2_kib=1023"})
        error = self.hone("dataset", "features", "cpu.hds", "--add", "machine", "--machine", "k80", "-o", "x.hds", code=2)[1]
        self.assertIn("holds nothing of a machine `k80`", error)
        error = self.hone("dataset", "import", "cpu.jsonl", "-o", "x.hds", "--machine", "mine:cores=many", code=2)[1]
        self.assertIn("`cores` has no value above 0", error)

    @unittest.skipUnless(TRAIN.exists(), "hone-train was not built")
    def test_one_model_learns_from_a_cpu_and_a_gpu(self):
        self.make_set("cpu", "i7")
        self.make_set("gpu", "v100", is_gpu=True)
        knows = ["--set", "machine=descriptor", "--set", "adapters=2"]
        self.train("cpu.hds", "gpu.hds", *knows, "--target", "v100", "--target-labels", "30", "-o", "gpu.scorer")
        card = json.loads(self.hone("inspect", "gpu.scorer", "--json")[0])
        self.assertEqual(card["options"]["machine"], "descriptor")
        self.assertEqual(card["options"]["adapters"], "0")  # that of the target is part of the weights
        self.assertTrue(card["features"].endswith("machine 1"), card["features"])
        report = self.check_same_scores("gpu.hds", "gpu.scorer")
        (doubt,) = report["doubts"]
        self.assertEqual(len(doubt["coverage"]), len(doubt["levels"]))
        self.assertGreaterEqual(doubt["calibration_error"], 0)
        # A machine that was never seen is scored by what all share.
        self.make_set("other", "graviton2")
        self.train("cpu.hds", "gpu.hds", *knows, "-o", "any.scorer")
        self.check_same_scores("other.hds", "any.scorer")

    @unittest.skipUnless(TRAIN.exists(), "hone-train was not built")
    def test_a_set_without_the_machine_is_refused(self):
        self.make_set("cpu", "i7")
        self.hone("dataset", "features", "cpu.plain.hds", "--add", "statements,primitives,context,summary", "-o", "less.hds")
        error = self.train("less.hds", "--set", "machine=descriptor", "-o", "x.scorer", code=2)[1]
        self.assertIn("has no features 'machine'", error)
        error = self.train("cpu.hds", "--set", "machine=fast", "-o", "x.scorer", code=2)[1]
        self.assertIn("option machine is 'fast'", error)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
