#!/usr/bin/env python3
"""The parts of benchmarks/transfer that train nothing."""
import json
import pathlib
import struct
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks/transfer"), str(ROOT / "benchmarks/cost_models")]

import page  # noqa: E402
from computations import computation  # noqa: E402
from gpu import GPU  # noqa: E402
from judge import Judged, read_npy, scores_of, write_npy  # noqa: E402
from sets import Place, deal  # noqa: E402
from steps import Stop  # noqa: E402
from table import ALL  # noqa: E402
from trainings import Training, check_unseen, command, trainings_of  # noqa: E402

DEPTHWISE = '["f2a620ad0e2edcbe20f9a90fb97fc480", [1, 96, 112, 112], [96, 1, 3, 3], [1, 96, 1, 1], [1, 96, 56, 56]]'


def place_in(folder: str) -> Place:
    return Place(GPU, pathlib.Path("data"), pathlib.Path(folder))


def row(name: str):
    return next(row for row in GPU.rows if row.name == name)


class ComputationsTest(unittest.TestCase):
    def test_what_has_the_digest_of_the_key_is_proven(self):
        text = computation(DEPTHWISE)
        self.assertIn("PaddedInput[b, c, ((i*2) + di), ((j*2) + dj)]*p1[c, 0, di, dj]", text)
        self.assertIn("(i2 < 113)", text)

    def test_what_has_another_digest_is_not_known(self):
        self.assertIsNone(computation(DEPTHWISE.replace("f2a6", "f2a7")))


class FoldsTest(unittest.TestCase):
    def test_all_names_of_a_task_are_in_one_fold(self):
        names = [f'["pool_layer", "max", 1, {n}, 8, 8, 2, 2, 2, {pad}]' for n in range(9) for pad in ('"VALID"', 0)]
        fold_of = deal([names[::2], names[1::2]], GPU.same_task, 5)
        self.assertEqual(len(fold_of), 9)
        self.assertEqual({len([f for f in fold_of.values() if f == k]) for k in range(5)}, {1, 2})
        reduction = '["reduction_layer", [8, 8], 1, false]'
        self.assertEqual(GPU.same_task(reduction), reduction)


class TrainingsTest(unittest.TestCase):
    def test_rows_learn_from_what_their_way_says(self):
        place, transfer = place_in("w"), GPU.transfers[2]
        of = lambda name, labels: command(place, Training(transfer, row(name), labels, 0, 3), [])[1:]
        sources, own = ["w/k80.3.train.rows.hds", "w/v100.3.train.rows.hds"], "w/a100.3.train.rows.hds"
        self.assertEqual(of("MTL-TLP", 0)[:3], [*sources, own])
        self.assertIn("--target-labels", of("MTL-TLP", 0))
        self.assertNotIn("--target-labels", of("MTL-TLP", ALL))
        self.assertEqual(of("TLP, from scratch", 64)[:2], [own, "--kind"])
        self.assertEqual(of("TLP, fine-tuned", 0)[:3], [*sources, "--kind"])
        tuned = of("TLP, fine-tuned", 64)
        self.assertEqual(tuned[:2], [own, "--kind"])
        self.assertTrue(tuned[tuned.index("--from") + 1].endswith("tlp-fine-tuned/0.0.3.scorer"))

    def test_what_others_start_from_comes_before_them(self):
        files = [training.file(place_in("w"), "scorer") for training in trainings_of(place_in("w"), GPU.rows, 1)]
        self.assertEqual(len(set(files)), len(files))
        for training in trainings_of(place_in("w"), GPU.rows, 1):
            if training.base:
                self.assertLess(files.index(training.base.file(place_in("w"), "scorer")),
                                files.index(training.file(place_in("w"), "scorer")))

    def test_a_scorer_that_has_seen_a_judged_task_gets_no_score(self):
        with tempfile.TemporaryDirectory() as folder:
            place, training = place_in(folder), Training(GPU.transfers[0], row("hone"), 0, 0, 1)
            scorer = training.file(place, "scorer")
            scorer.parent.mkdir(parents=True)
            scorer.write_bytes(json.dumps({"tasks": ['["pool_layer", 1, 0]']}).encode() + b"\nweights")
            held_out = place.work / "v100.1.keys"
            held_out.write_text('["pool_layer", 2, 0]\n')
            check_unseen(place, training)
            held_out.write_text('["pool_layer", 1, "VALID"]\n')
            self.assertRaises(Stop, check_unseen, place, training)


class JudgeTest(unittest.TestCase):
    def test_scores_are_joined_fold_after_fold_when_all_are_there(self):
        with tempfile.TemporaryDirectory() as folder:
            place, transfer = place_in(folder), GPU.transfers[0]
            for fold in range(GPU.folds):
                file = Training(transfer, row("hone"), 64, 0, fold).file(place, "npy")
                file.parent.mkdir(parents=True, exist_ok=True)
                self.assertEqual(scores_of(place, transfer, row("hone"), 64), [])
                write_npy(file, struct.pack("<f", fold))
            whole, = scores_of(place, transfer, row("hone"), 64)
            self.assertEqual(struct.unpack("<5f", read_npy(whole)), (0, 1, 2, 3, 4))

    def test_the_page_says_where_ours_is_behind_and_what_is_missing(self):
        def metrics(value, high):
            behind = {"value": -0.1, "low": -0.2, "high": high}
            return {("tasks", k): {"value": value, "low": 0, "high": 1, "behind_best": behind} for k in (1, 5)}
        judged = Judged(7, {"hone": metrics(0.5, -0.1), "MTL-TLP": metrics(0.6, 0.1)})
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(page, "judge_labels", return_value=judged), \
                mock.patch.object(page, "judge_pair", return_value=judged):
            text = page.page(place_in(folder), "run")
        self.assertIn("below another one in 60 of 60 comparisons", text)
        self.assertIn("| MTL-TLP | -0.100 [-0.200, -0.100] |", text)
        self.assertIn("- K80 → V100: hone · hone, from scratch · ", text)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]  # the program to test, which nothing here runs
    unittest.main()
