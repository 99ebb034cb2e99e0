#!/usr/bin/env python3
"""Logs become a set, the set becomes scorers, and their files say how they came to be: train_test.py HONE"""
import json
import math
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

HONE = pathlib.Path(sys.argv[1]).resolve()
HAS_NETWORKS = (HONE.parent / "hone-train").exists()


def lines():
    """Three tasks of two structures each, twelve programs a task that differ in how far they are unrolled."""
    for structure, stage in ((["matmul_layer", 16, 64], 2), (["relu_layer", 16, 64], 1)):
        for size in (32, 64, 96):
            for program in range(12):
                steps = [["SP", stage, 0, 16, [(2, 4, 8)[program % 3]], 1], ["AN", stage, 0, 3],
                         ["PR", stage, 0, f"auto_unroll_max_step${(0, 16, 64, 512)[program % 4]}"]]
                seconds = 0.001 * (1 + program % 4) + 1e-5 * program
                inputs = [json.dumps(structure + [size]), "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, []]
                yield json.dumps({"i": [inputs, [[], steps]], "r": [[seconds, seconds * 1.1], 0, 0.5, 1],
                                  "v": "v0.6"})


class TrainTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "log.jsonl").write_text("".join(line + "\n" for line in lines()))
        self.hone("dataset", "import", "log.jsonl", "-o", "set.hds", "--machine", "i7")

    def start(self, *arguments):
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder)}
        return subprocess.Popen([HONE, *arguments], cwd=self.folder, env=environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def hone(self, *arguments, code=0):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, err)
        return out, err

    def card(self, scorer):
        return json.loads(self.hone("inspect", scorer, "--json")[0])

    def test_trees_are_trained_without_a_network(self):
        out, err = self.hone("train", "set.hds", "--kind", "xgboost", "--set", "rounds=5", "--set", "validation=0.5", "-o", "trees.scorer")
        self.assertIn("trees.scorer: ", out)
        self.assertIn("features statements added", err)
        card = self.card("trees.scorer")
        self.assertEqual(card["features"], "statements 1, embedding 1")
        self.assertEqual(card["options"]["rounds"], "5")
        self.assertEqual([file.name for file in self.folder.glob("trees*")], ["trees.scorer"])

    def test_trees_correct_the_analysis(self):
        _, err = self.hone("train", "set.hds", "--kind", "corrected", "--set", "trees=5", "--set", "validation=0", "-o", "c.scorer")
        self.assertIn("features code added", err)
        card = self.card("c.scorer")
        self.assertEqual(card["kind"], "corrected")
        self.assertEqual(card["metrics"]["programs"], 72)
        self.assertEqual(card["metrics"]["trees"], 5)
        self.assertNotIn("validation_top1", card["metrics"])
        self.assertEqual(len(card["tasks"]), 6)
        self.hone("train", "set.hds", "--kind", "corrected", "--set", "trees=5", "--set", "trust=0", "-o", "doubted.scorer")
        self.hone("eval", "set.hds", "--scorer", "analytic", "--scorer", "c.scorer", "--scorer", "doubted.scorer", "--export", "json", "-o", "table")
        analytic, corrected, doubted = ({metric["metric"]: metric["value"] for metric in scorer["metrics"]}["rank_correlation"] for scorer in
                                        json.loads((self.folder / "table.json").read_text())["parts"][0]["scorers"])
        self.assertGreater(corrected, analytic, "of what it has seen")
        self.assertAlmostEqual(doubted, analytic, places=4)
        self.hone("eval", "set.hds", "--scorer", "c.scorer", "--export", "npz", "-o", "scores")
        self.hone("eval", "set.hds", "--scorer", "live=c.scorer", "--scores", "kept=scores.npz", "--export", "json", "-o", "again")
        live, kept = (scorer["metrics"] for scorer in json.loads((self.folder / "again.json").read_text())["parts"][0]["scorers"])
        self.assertEqual(live, kept, "scores that were exported are judged alike")

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_a_network_is_trained_and_described(self):
        out, err = self.hone("train", "set.hds", "--kind", "tenset-mlp", "--set", "epochs=3",
                             "--set", "validation=0.5", "-o", "mlp.scorer")
        self.assertIn("epoch   3/3", err)
        self.assertIn("mlp.scorer: epoch ", out)
        card = self.card("mlp.scorer")
        self.assertEqual(card["metrics"]["parameters"], 242433)
        self.assertEqual(len(card["curves"]["loss"]), 3)
        self.hone("inspect", "mlp.scorer", "-o", "curves.svg")
        self.assertIn("<svg", (self.folder / "curves.svg").read_text())

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_trees_join_the_networks(self):
        small = ["--set", "epochs=2", "--set", "members=2", "--set", "width=8", "--set", "fused_width=8", "--set", "validation=0.5",
                 "--set", "trees=7", "--set", "tree_depth=3"]
        out, err = self.hone("train", "set.hds", *small, "-o", "joined.scorer")
        self.assertIn("joined.scorer: 7 trees, validation top-1 ", out)
        self.assertIn("tree    7/7", err)
        self.assertEqual([file.name for file in self.folder.glob("joined*")], ["joined.scorer"])
        card = self.card("joined.scorer")
        self.assertEqual(card["metrics"]["trees"], 7)
        self.assertEqual(card["options"]["tree_depth"], "3")
        self.assertEqual(len(card["curves"]["tree_error"]), 7)
        self.hone("inspect", "joined.scorer", "-o", "curves.svg")
        self.assertIn("error of log(latency / best)", (self.folder / "curves.svg").read_text())

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_trees_join_networks_of_another_machine(self):
        self.hone("dataset", "features", "set.hds", "--add", "statements,primitives,context,summary", "-o", "all.hds")
        settings = ["--set", "epochs=1", "--set", "members=2", "--set", "width=8", "--set", "fused_width=8"]
        self.hone("train", "all.hds", "--fold", "0/2", *settings, "--set", "trees=0", "-o", "networks.scorer")
        self.assertNotIn("trees", self.card("networks.scorer")["metrics"])

        def join(*arguments, set="all.hds", code=0):
            return self.hone("train", set, "--networks", *arguments, "-o", "joined.scorer", code=code)
        trees = ["--set", "trees=5", "--set", "tree_depth=2", "--set", "tree_share=0.5"]
        join("networks.scorer", "--fold", "0/2", *trees)
        card = self.card("joined.scorer")
        self.assertEqual((card["metrics"]["trees"], card["options"]["tree_share"]), (5, "0.5"))
        self.assertEqual(card["tasks"], self.card("networks.scorer")["tasks"])
        subprocess.run([HONE.parent / "hone-train", "--predict", "all.hds", "--scorer", "joined.scorer", "-o", "torch.npy"],
                       cwd=self.folder, check=True)
        self.hone("eval", "all.hds", "--scorer", "ours=joined.scorer", "--scores", "torch=torch.npy", "--export", "json", "-o", "table")
        ours, torch = json.loads((self.folder / "table.json").read_text())["parts"][0]["scorers"]
        for one, other in zip(ours["metrics"], torch["metrics"]):
            self.assertAlmostEqual(one["value"], other["value"], places=4)

        self.assertIn("other tasks than are left by --fold 1/2", join("networks.scorer", "--fold", "1/2", *trees, code=2)[1])
        self.assertIn("other tasks than are left without --fold", join("networks.scorer", *trees, code=2)[1])
        (self.folder / "less.jsonl").write_text("".join(line + "\n" for line in list(lines())[1:]))
        self.hone("dataset", "import", "less.jsonl", "-o", "less.hds", "--machine", "i7")
        self.assertIn("other data", join("networks.scorer", "--fold", "0/2", *trees, set="less.hds", code=2)[1])
        self.assertIn("no option 'epochs'", join("networks.scorer", "--fold", "0/2", "--set", "epochs=3", code=2)[1])
        self.assertIn("has trees already", join("joined.scorer", "--fold", "0/2", *trees, code=2)[1])
        self.hone("train", "all.hds", "--kind", "xgboost", "--set", "rounds=2", "-o", "trees.scorer")
        self.assertIn("is of kind xgboost", join("trees.scorer", *trees, code=2)[1])

    def score_as_in_training(self, *arguments):
        """A network that learned from all.hds says the same of it in hone as in hone-train."""
        self.hone("train", "all.hds", *arguments, "-o", "net.scorer", "--fresh")
        subprocess.run([HONE.parent / "hone-train", "--predict", "all.hds", "--scorer", "net.scorer", "-o", "torch.npy"],
                       cwd=self.folder, check=True)
        self.hone("eval", "all.hds", "--scorer", "ours=net.scorer", "--scores", "torch=torch.npy", "--export", "json", "-o", "table")
        ours, torch = json.loads((self.folder / "table.json").read_text())["parts"][0]["scorers"]
        for one, other in zip(ours["metrics"], torch["metrics"]):
            self.assertAlmostEqual(one["value"], other["value"], places=4, msg=arguments)

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_networks_over_statements_score_in_hone_as_in_training(self):
        self.hone("dataset", "features", "set.hds", "--add", "statements,embedding,instructions", "-o", "all.hds")
        small = ["--set", "epochs=2", "--set", "width=16", "--set", "learning_rate=0.01"]
        for kind, *settings in (["statement-lstm"], ["statement-attention", "heads=4"],
                                ["atformer", "instructions=1"], ["atformer", "mask=0", "norm=0", "layers=1"]):
            self.score_as_in_training("--kind", kind, *small, *[word for setting in settings for word in ("--set", setting)])

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_tlp_with_an_lstm_over_rows_of_any_size_scores_in_hone_as_in_training(self):
        self.hone("dataset", "features", "set.hds", "--add", "tlp_4x24", "-o", "all.hds")
        self.score_as_in_training("--kind", "tlp", "--set", "backend=lstm", "--set", "rows=tlp_4x24", "--set", "epochs=4",
                                  "--set", "learning_rate=0.01")

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_tlp_with_log_numbers_scores_in_hone_as_in_training(self):
        self.hone("dataset", "features", "set.hds", "--add", "tlp", "-o", "all.hds")

        def scores(npy):
            length, = struct.unpack("<H", npy[8:10])
            return [value for value, in struct.iter_unpack("<d", npy[10 + length:])]
        for kind, backend in (("tlp", "attention"), ("tlp", "lstm"), ("mtl-tlp", "attention")):
            self.score_as_in_training("--kind", kind, "--set", "numbers=log", "--set", "backend=" + backend, "--set", "steps=4",
                                      "--set", "epochs=4", "--set", "learning_rate=0.01")
            self.assertEqual(self.card("net.scorer")["options"]["numbers"], "log")
            self.hone("eval", "all.hds", "--scorer", "ours=net.scorer", "--scores", "torch=torch.npy", "--export", "npz", "-o", "scores")
            with zipfile.ZipFile(self.folder / "scores.npz") as archive:
                ours, torch = (scores(archive.read(name)) for name in archive.namelist())
            self.assertEqual(len(ours), 72)
            self.assertGreater(max(torch) - min(torch), 0.01)
            for one, other in zip(ours, torch):
                self.assertAlmostEqual(math.log(one), other, delta=1e-4)

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_one_network_learns_from_several_machines(self):
        self.hone("dataset", "import", "log.jsonl", "-o", "old.hds", "--machine", "e5-2673")
        common = ["--kind", "mtl-tlp", "--set", "epochs=1", "--fold", "0/2", "-o", "mtl.scorer"]
        _, err = self.hone("train", "old.hds", "set.hds", "--target", "i7", "--target-labels", "16", *common)
        self.assertIn("i7 16 (target), e5-2673 36", err)
        self.assertEqual([file.name for file in self.folder.glob("mtl*")], ["mtl.scorer"])
        card = self.card("mtl.scorer")
        self.assertEqual((card["target"], card["platforms"]), ("i7", {"i7": 16, "e5-2673": 36}))
        self.assertEqual(card["metrics"]["parameters"], 610369 + 107009)
        self.hone("dataset", "features", "set.hds", "--add", "tlp", "-o", "rows.hds")
        subprocess.run([HONE.parent / "hone-train", "--predict", "rows.hds", "--scorer", "mtl.scorer", "-o", "torch.npy"],
                       cwd=self.folder, check=True)
        self.hone("eval", "rows.hds", "--scorer", "ours=mtl.scorer", "--scores", "torch=torch.npy", "--export", "json", "-o", "table")
        ours, torch = json.loads((self.folder / "table.json").read_text())["parts"][0]["scorers"]
        for one, other in zip(ours["metrics"], torch["metrics"]):
            self.assertAlmostEqual(one["value"], other["value"], places=4)
        self.assertIn("e5-2673, i7", self.hone("train", "old.hds", "set.hds", "--target", "i9", *common, code=2)[1])
        self.assertIn("trees are grown on one set", self.hone("train", "old.hds", "set.hds", "-o", "x.scorer", code=2)[1])

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_a_fold_is_left_out(self):
        for fold in ("0/2", "1/2"):
            self.hone("train", "set.hds", "--kind", "tlp", "--set", "epochs=1", "--fold", fold, "-o", "tlp.scorer")
            self.assertEqual(len(self.card("tlp.scorer")["tasks"]), 3)

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_what_was_stopped_goes_on(self):
        arguments = ["train", "set.hds", "--kind", "tenset-mlp", "--set", "epochs=100", "-o", "mlp.scorer", "--json"]
        process = self.start(*arguments)
        for line in process.stdout:
            if '"epoch": 2,' in line:
                break
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("--resume", err)
        self.assertTrue((self.folder / "mlp.scorer.checkpoint").exists())
        self.assertIn("earlier training", self.hone(*arguments, code=2)[1])
        events = [json.loads(line) for line in self.hone(*arguments, "--resume")[0].splitlines()]
        self.assertGreaterEqual(events[0]["epochs_done"], 2)
        self.assertEqual(events[-1]["event"], "done")
        self.assertEqual(len(self.card("mlp.scorer")["curves"]["loss"]), 100)

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_stopped_while_trees_grow_the_networks_wait(self):
        small = ["--set", "epochs=1", "--set", "members=2", "--set", "width=8", "--set", "fused_width=8"]
        arguments = ["train", "set.hds", *small, "--set", "trees=4000", "--set", "tree_depth=2", "--threads", "1",
                     "-o", "my.scorer", "--json"]
        process = self.start(*arguments)
        for line in process.stdout:
            if '"event": "tree"' in line:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertNotIn('"event": "done"', out)
        self.assertFalse((self.folder / "my.scorer").exists())
        self.assertTrue((self.folder / "my.scorer.networks").exists())
        self.assertIn("my.scorer.networks is left of an earlier training", self.hone(*arguments, code=2)[1])
        events = [json.loads(line) for line in self.hone(*arguments, "--resume")[0].splitlines()]
        self.assertEqual({event["event"] for event in events}, {"tree", "done"}, "networks are not trained again")
        self.assertEqual(self.card("my.scorer")["metrics"]["trees"], 4000)
        self.assertFalse((self.folder / "my.scorer.networks").exists())

    @unittest.skipUnless(HAS_NETWORKS, "hone-train was not built")
    def test_mistakes_are_named(self):
        def fails(*arguments):
            return self.hone("train", "set.hds", "-o", "x.scorer", *arguments, code=2)[1]
        self.assertIn("did you mean 'tlp'?", fails("--kind", "tlb"))
        self.assertIn("did you mean 'epochs'?", fails("--set", "epoch=3"))
        self.assertIn("no GPU", fails("--device", "cuda"))
        self.assertIn("cannot read nothing.hds", self.hone("train", "nothing.hds", "-o", "x", code=2)[1])


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
