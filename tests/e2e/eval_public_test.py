#!/usr/bin/env python3
"""`hone eval` on public records: what is known of them beforehand comes out. eval_public_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("HONE_SHARED", ROOT.parent / "shared")) / "data"
RECORDS = DATA / "ansor_x86_24core_thaisacs.stratified.jsonl.gz"


@unittest.skipUnless(RECORDS.exists(), f"[SKIP] there is no {RECORDS}")
class PublicSetTest(unittest.TestCase):
    def test_random_picks_on_the_networks_held_out(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([HONE, "dataset", "import", RECORDS, "--machine", "x86-24core", "--one-machine", "--networks",
                            DATA / "ansor_x86_24core_thaisacs.workloads.tsv", "-o", "set.hds"], cwd=folder, check=True,
                           capture_output=True)
            result = subprocess.run([HONE, "eval", "set.hds", "--hold-out", "resnet_50,mobilenet_v2,resnext_50", "--final",
                                     "--json"], cwd=folder, check=True, capture_output=True, text=True)
        parts = json.loads(result.stdout)["parts"]
        self.assertEqual([(part["name"], part["tasks"]) for part in parts],
                         [("all", 150), ("unseen shape", 64), ("unseen structure", 86)])
        values = {(m["metric"], m.get("k")): m["value"] for m in parts[0]["scorers"][0]["metrics"]}
        # Computed once by a script of a few lines, from the least of the repeats.
        self.assertAlmostEqual(values["pooled", 1], 0.036583, places=5)
        self.assertAlmostEqual(values["networks", 1], (0.035067 + 0.046115 + 0.037334) / 3, places=5)
        self.assertAlmostEqual(values["tasks", 1], 0.268392, places=5)


if __name__ == "__main__":
    unittest.main()
