#!/usr/bin/env python3
"""Tuning a network: tune_network_test.py HONE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tiny_scorer

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
RUN = ("tune", "builtin:bert_tiny", "--threads", "1", "--run", "run", "-o", "out/tiny.hone")


class TuneNetworkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.keeper.name)
        code, out, err = cls.hone(*RUN, "--trials", "40", "--json")
        assert code == 0, err
        cls.events = [json.loads(line) for line in out.splitlines()]

    @classmethod
    def tearDownClass(cls):
        cls.keeper.cleanup()

    @classmethod
    def hone(cls, *arguments):
        result = subprocess.run([HONE, *arguments], cwd=cls.folder, capture_output=True, text=True, timeout=100,
                                env={**os.environ, "HOME": str(cls.folder), "HONE_HOME": str(cls.folder / "home")})
        return result.returncode, result.stdout, result.stderr

    def test_events_lead_from_start_to_summary(self):
        kinds = [event["event"] for event in self.events]
        self.assertEqual(kinds[:2], ["started", "untuned"])
        self.assertEqual(kinds.count("trial"), 40)
        self.assertEqual(kinds[-2:], ["tuned", "ended"])
        summary = self.events[-1]["summary"]
        self.assertEqual(summary["state"], "done")
        self.assertEqual(sum(task["trials"] for task in summary["tasks"]), 40)
        network = summary["networks"][0]
        self.assertEqual(network["artefact"], "out/tiny.hone")
        self.assertGreater(network["untuned_s"], 0)
        self.assertLess(network["error"], 1e-3)
        self.assertEqual(network["size_bytes"], (self.folder / "out/tiny.hone").stat().st_size)

    def test_the_run_folder_holds_all_of_it(self):
        names = sorted(file.name for file in (self.folder / "run").iterdir() if not file.name.startswith("run.db-"))
        self.assertEqual(names, ["log.txt", "records.jsonl", "run.db", "run.toml", "summary.json"])

    def test_the_log_can_be_learned_from_without_anything_beside_it(self):
        code, out, err = self.hone("dataset", "import", "run/records.jsonl", "-o", "run.hds", "--machine", "i7", "--json")
        self.assertEqual(code, 0, err)
        made = json.loads(out)
        self.assertGreaterEqual(made["programs"], 40)
        self.assertEqual((made["tasks_with_dag"], made["corrupt"]), (made["tasks"], 0))
        code, _, err = self.hone("dataset", "features", "run.hds", "--add", "statements,summary", "-o", "rows.hds")
        self.assertEqual(code, 0, err)
        self.assertNotIn("left out", err)

    def test_the_artefact_computes_what_the_model_says(self):
        code, _, err = self.hone("run", "out/tiny.hone", "--check-against", "builtin:bert_tiny", "--threads", "1")
        self.assertEqual(code, 0, err)

    def test_the_same_command_goes_on(self):
        code, out, err = self.hone(*RUN, "--trials", "48", "--json")
        self.assertEqual(code, 0, err)
        events = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([event["event"] for event in events].count("trial"), 8)
        self.assertEqual(events[-1]["summary"]["resumed"], 40)

    def test_a_network_that_computes_nothing_is_an_error(self):
        (self.folder / "identity.onnx").write_bytes(tiny_scorer.identity_onnx())
        for trials in ("0", "4"):
            code, _, err = self.hone("tune", "identity.onnx", "--trials", trials, "--no-store")
            self.assertEqual(code, 2, err)
            self.assertIn("there is nothing to tune", err)

    def test_the_folder_of_another_network_is_refused(self):
        code, _, err = self.hone("tune", "builtin:dcgan", "--threads", "1", "--run", "run", "--trials", "8")
        self.assertEqual(code, 2)
        self.assertIn("holds a run for something else: bert_tiny", err)

    def test_records_make_the_same_artefact_again(self):
        code, out, err = self.hone("compile", "builtin:bert_tiny", "--threads", "1", "--records", "run", "-o", "again.hone",
                                   "--json")
        self.assertEqual(code, 0, err)
        made = json.loads(out)
        self.assertLess(len(made["untuned"]), made["tasks"])

    def test_compile_takes_what_was_found_from_the_store(self):
        model = ("builtin:bert_tiny", "--threads", "1", "--json")
        _, out, _ = self.hone("compile", *model, "--no-store", "-o", "untuned.hone")
        without = json.loads(out)
        self.assertEqual(len(without["untuned"]), without["tasks"])
        code, out, err = self.hone("compile", *model, "-o", "stored.hone")
        self.assertEqual(code, 0, err)
        self.assertLess(len(json.loads(out)["untuned"]), without["tasks"])
        code, _, err = self.hone("run", "stored.hone", "--check-against", "builtin:bert_tiny", "--threads", "1")
        self.assertEqual(code, 0, err)

    def test_another_run_begins_with_the_winners_of_the_store(self):
        code, out, err = self.hone("tune", "builtin:bert_tiny", "--threads", "1", "--run", "other", "--trials", "8", "-o",
                                   "other.hone", "--json")
        self.assertEqual(code, 0, err)
        events = [json.loads(line) for line in out.splitlines()]
        notes = [event["text"] for event in events if event["event"] == "note"]
        self.assertRegex(notes[0], r"^\d+ of \d+ tasks begin with what earlier runs found for them$")
        known = [task for task in events[-1]["summary"]["tasks"] if task["trials"] > 0]
        self.assertGreater(len(known), 1, "eight trials are of one task")

    def test_only_the_tasks_that_are_asked_for(self):
        code, out, err = self.hone("tune", "builtin:bert_tiny", "--threads", "1", "--run", "some", "--task", "2-3",
                                   "--trials", "12", "--no-store", "--json", "-o", "some.hone")
        self.assertEqual(code, 0, err)
        tasks = json.loads(out.splitlines()[-1])["summary"]["tasks"]
        self.assertEqual({number for number, task in enumerate(tasks) if task["trials"] > 0}, {2, 3})
        code, _, err = self.hone("tune", "builtin:bert_tiny", "--task", "200", "--run", "none")
        self.assertEqual(code, 2)
        self.assertIn("there is no task 200", err)

    def test_wrong_use(self):
        for arguments, message in [
            (("tune",), "neither a model nor --op is given"),
            (("tune", "builtin:bert_tiny", "--op", "matmul:m=4,n=4,k=4"), "not both at once"),
            (("tune", "builtin:bert_tiny", "--task", "3-x"), "is no list of tasks"),
            (("tune", "builtin:bert_tinny"), "bert_tiny"),
            (("tune", "builtin:bert_tiny", "--effort", "quik"), "quick"),
        ]:
            code, _, err = self.hone(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()
