#!/usr/bin/env python3
"""What one run of `hone tune` finds is where the next begins: store_test.py HONE"""
import json
import unittest

from tune_run import HONE, RunTest, candidates

assert HONE


class StoreTest(RunTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "home/records.db"

    def tune(self, folder, *options):
        code, out, err = self.run_to_end("--trials", "16", *options, output=folder)
        self.assertEqual(code, 0, err)
        return out, err, candidates(self.folder / folder / "records.jsonl")

    def test_a_second_run_begins_with_what_the_first_found(self):
        _, err, _ = self.tune("one")
        self.assertNotIn("store  ", err)
        best = json.loads((self.folder / "one/summary.json").read_text())["best_steps"]
        _, err, found = self.tune("two", "--seed", "2")
        self.assertRegex(err, r"store +\d found by earlier runs to begin with\n")
        self.assertIn(best, [json.loads(candidate)[1] for candidate in found[:5]])
        events, _, _ = self.tune("three", "--json")
        self.assertGreater(json.loads(events.splitlines()[0])["starts"], 0)

    def test_the_store_can_be_left_alone(self):
        self.tune("one", "--no-store")
        self.assertFalse(self.store.exists())

    def test_a_run_that_measures_nothing_leaves_it_alone(self):
        self.tune("one", "--no-store")
        self.tune("two", "--replay", "one/records.jsonl")
        self.assertFalse(self.store.exists())

    def test_a_damaged_store_is_a_warning(self):
        self.store.parent.mkdir()
        self.store.write_text("this is no database, and long enough for anybody to see that it is none at all...")
        _, err, _ = self.tune("one")
        self.assertIn("warning: the store of earlier records is not used: ", err)
        self.assertEqual(err.count("warning:"), 1)
        self.assertIn("hint: ", err)


if __name__ == "__main__":
    unittest.main()
