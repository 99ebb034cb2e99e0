#!/usr/bin/env python3
"""The parts of benchmarks/transfer that train nothing: transfer_benchmark_test.py HONE"""
import dataclasses
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks/transfer"), str(ROOT / "benchmarks/cost_models")]
if len(sys.argv) > 1:
    os.environ["HONE"] = str(pathlib.Path(sys.argv.pop(1)).resolve())

import page  # noqa: E402
import sets  # noqa: E402
from computations import computation  # noqa: E402
from cpu import CPU, has_unseen_shape  # noqa: E402
from gpu import GPU  # noqa: E402
from judge import Judged, read_npy, scores_of, write_npy  # noqa: E402
from logs import chosen  # noqa: E402
from mixed import MIXED  # noqa: E402
from sets import Place, deal  # noqa: E402
from steps import HONE, Stop  # noqa: E402
from table import ALL, Choice, Machine  # noqa: E402
from trainings import Training, check_unseen, command, trainings_of  # noqa: E402

DEPTHWISE = '["f2a620ad0e2edcbe20f9a90fb97fc480", [1, 96, 112, 112], [96, 1, 3, 3], [1, 96, 1, 1], [1, 96, 56, 56]]'


# In blocks of channels: with a residual, a factor, a bias and a ReLU; without padding; pools.
BLOCKED = [
    '["c5ea458739f6f54200e5b7f00b9bc6e8", [1, 1, 7, 7, 512], [16, 1, 3, 3, 512, 32], [1, 16, 7, 7, 32], '
    '[1, 16, 1, 1, 32], [1, 16, 1, 1, 32], [1, 16, 7, 7, 32]]',
    '["661930c81a0390f6b350f067661b33f8", [1, 1, 299, 299, 3], [8, 1, 3, 3, 3, 4], [1, 8, 1, 1, 4], '
    '[1, 8, 149, 149, 4]]',
    '["54df7b905de0e570d7505cc9c6287a22", [1, 12, 112, 112, 4], [12, 1, 3, 3, 1, 4], [1, 12, 1, 1, 4], '
    '[1, 12, 56, 56, 4]]',
    '["557f060b2f56af25edd4b26bd38e1036", [1, 2, 112, 112, 32], [1, 2, 1, 1, 32], [1, 2, 56, 56, 32]]',
    '["758f7ad612c2fc7791f1377c1c1c3862", [1, 64, 28, 28, 4], [1, 64, 14, 14, 4]]',
    '["033bae5bde2e681d337a8e446b3fda73", [1, 192, 17, 17, 4], [1, 192, 17, 17, 4]]',
    '["69bf11aba18196edb4e9e4bb5a4c9448", [1, 512, 8, 8, 4], [1, 512, 1, 1, 4]]',
]


def place_in(folder: str, table=GPU) -> Place:
    return Place(table, pathlib.Path("data"), pathlib.Path(folder))


def record(size: int, cores: int, factor: int = 1) -> str:
    key = json.dumps(["matmul", size, size, size, "float32"])
    hardware, steps = [cores, 64, 64, 0, 0, 0, 0, 0], [["SP", 2, 0, size, [factor], 1], ["AN", 2, 0, 3]]
    return json.dumps({"i": [[key, "llvm -keys=cpu ", hardware, "", 2, []], [[], steps]],
                       "r": [[0.001 * factor], 0, 1, 1700000000], "v": "v0.6"}) + "\n"


def row(name: str):
    return next(row for row in GPU.rows if row.name == name)


class ComputationsTest(unittest.TestCase):
    def test_what_has_the_digest_of_the_key_is_proven(self):
        text = computation(DEPTHWISE)
        self.assertIn("PaddedInput[b, c, ((i*2) + di), ((j*2) + dj)]*p1[c, 0, di, dj]", text)
        self.assertIn("(i2 < 113)", text)

    def test_what_has_another_digest_is_not_known(self):
        self.assertIsNone(computation(DEPTHWISE.replace("f2a6", "f2a7")))
        self.assertIsNone(computation(BLOCKED[0].replace("c5ea", "c5eb")))

    def test_those_in_blocks_of_channels_are_proven_too(self):
        texts = [computation(key) for key in BLOCKED]
        self.assertNotIn(None, texts)
        self.assertIn("(i2 < 8)) && (i3 >= 1)", texts[0])
        self.assertIn("T_multiply(ax0, ax1, ax2, ax3, ax4) = (T_add[ax0, ax1, ax2, ax3, ax4]*p3[ax0, ax1, 0, 0, ax4])",
                      texts[0])
        self.assertNotIn("data_pad", texts[1])

    def test_functions_that_were_tuned_by_themselves_have_names(self):
        text = computation('["conv3d_ansor", [1, 3, 3, 224, 224], [64, 3, 3, 3, 3]]')
        self.assertIn("W[ff, rc, rz, ry, rx]", text)
        self.assertIn("# op pool_sum shape 2 4 5 5 reduce", computation('["ansor_pool2d", [2, 4, 9, 9], "float32"]'))


class LogsTest(unittest.TestCase):
    def test_records_are_of_the_cores_that_they_state_and_of_tasks_with_enough(self):
        log = [record(8, 4), record(8, 8), record(16, 8), *[record(32, 8, factor) for factor in range(1, 9)]]
        self.assertEqual(chosen(log, Choice(cores=4)), log[:1])
        self.assertEqual(chosen(log, Choice(cores=8, at_least=2)), log[3:])
        few = chosen(log, Choice(at_most=3))
        self.assertEqual(len(few), 6)  # two, one and three
        self.assertEqual(few, chosen(log[::-1], Choice(at_most=3))[::-1])
        self.assertEqual(chosen(log, Choice(without=("matmul",))), [])


@unittest.skipUnless(HONE.exists(), "needs the program")
class PrepareTest(unittest.TestCase):
    """One log, two machines; five folds, of which neither has all."""
    def test_a_task_is_held_out_on_all_machines_and_folds_without_tasks_are_passed_over(self):
        with tempfile.TemporaryDirectory() as folder:
            log = [record(size, cores, factor) for size, cores in ((8, 4), (16, 4), (8, 8), (32, 8), (64, 8))
                   for factor in (1, 2, 4)]
            (pathlib.Path(folder) / "log.jsonl").write_text("".join(log))
            machines = [Machine(f"m{cores}", "log.jsonl", Choice(cores=cores), facts=f"kind=cpu,isa=x86,cores={cores}")
                        for cores in (4, 8)]
            table = dataclasses.replace(CPU, machines=machines, features="tlp,machine")
            place = Place(table, pathlib.Path(folder), pathlib.Path(folder) / "work")
            sets.prepare(place, with_features=True)
            self.assertEqual((len(place.folds("m4")), len(place.folds("m8"))), (2, 3))
            self.assertEqual(place.parts("m4"), {0: "unseen shape"})
            self.assertEqual(len(sets.keys_of(place, "m8")), 3)
            fold = next(fold for fold in place.folds("m4") if "[\"matmul\", 8," in place.keys("m4", fold).read_text())
            self.assertEqual(place.keys("m4", fold).read_text(), place.keys("m8", fold).read_text())
            absent = next(fold for fold in range(5) if fold not in place.folds("m4"))
            self.assertTrue(place.training("m4", absent).exists())
            self.assertFalse(place.test("m4", absent).exists())
            said = subprocess.run([HONE, "dataset", "stats", place.judged("m4"), "--json"], check=True,
                                  capture_output=True, text=True).stdout
            self.assertEqual(json.loads(said)["programs"], 6)


class FoldsTest(unittest.TestCase):
    def test_all_names_of_a_task_are_in_one_fold(self):
        names = [f'["pool_layer", "max", 1, {n}, 8, 8, 2, 2, 2, {pad}]' for n in range(9) for pad in ('"VALID"', 0)]
        fold_of = deal([names[::2], names[1::2]], GPU.same_task, 5)
        self.assertEqual(len(fold_of), 9)
        self.assertEqual({len([f for f in fold_of.values() if f == k]) for k in range(5)}, {1, 2})
        reduction = '["reduction_layer", [8, 8], 1, false]'
        self.assertEqual(GPU.same_task(reduction), reduction)


    def test_a_product_has_two_names_and_structures_that_one_task_has_are_judged_apart(self):
        old, new = '["matmul", 8, 8, 8, "float32"]', '["ansor_mm", 8, 8, 8, "float32"]'
        self.assertEqual(CPU.same_task(old), CPU.same_task(new))
        self.assertTrue(has_unseen_shape(new, Counter({"matmul": 2})))
        self.assertFalse(has_unseen_shape(new, Counter({"matmul": 1})))
        parts_of = lambda key: [name for name, is_in in MIXED.parts.items() if is_in(key, Counter())]
        self.assertEqual(parts_of('["pool_layer", 1]'), ["the rest"])
        self.assertEqual(parts_of('["c5ea"]'), ["unseen structure"])


class TablesTest(unittest.TestCase):
    def test_every_cpu_is_left_out_once(self):
        names = {machine.name for machine in CPU.machines}
        self.assertEqual({transfer.target for transfer in CPU.transfers}, names)
        for transfer in CPU.transfers:
            self.assertEqual({*transfer.sources, transfer.target}, names)

    def test_a_study_shares_what_the_table_trains(self):
        (study,), place = CPU.studies, place_in("w", CPU)
        files = [training.file(place, "scorer") for training in trainings_of(place, CPU.rows, 1)]
        self.assertEqual(len(set(files)), len(files))
        for transfer in study.transfers:
            self.assertIn(Training(transfer, CPU.row("MTL-TLP"), 256, 0, 0).file(place, "scorer"), files)
        self.assertEqual(len([sources for sources in study.sources if len(sources) == 1]), 3)

    def test_what_needs_no_sources_is_trained_once_for_a_target(self):
        of_scratch = [training for training in trainings_of(place_in("w", MIXED), MIXED.rows, 1)
                      if training.row.way == "scratch"]
        self.assertEqual(len(of_scratch), 2 * 2 * MIXED.folds)  # targets, budgets
        self.assertEqual(len({training.file(place_in("w", MIXED), "npy") for training in of_scratch}), len(of_scratch))


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

    def test_the_page_shows_sources_side_by_side_and_counts_no_transfer_of_three_tasks(self):
        metric = {"value": 0.5, "low": 0, "high": 1, "behind_best": {"value": 0, "low": 0, "high": 0}}
        by_row = {("tasks", 1): metric, ("tasks", 5): metric, ("pairwise", 0): metric}
        judged = Judged(7, {name: by_row for name in ("hone", "MTL-TLP", "none", "x86-24core + bennu-16core")})
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(page, "judge_labels", return_value=judged), \
                mock.patch.object(page, "judge_sources", return_value=judged):
            text = page.page(place_in(folder, CPU), "run")
        self.assertIn("| x86-24core + bennu-16core | 0.500 [0.00, 1.00] * | 0.500 [0.00, 1.00] * |", text)
        self.assertIn("## Sources for bennu-8core: unseen structure", text)
        self.assertIn("in 0 of 56 comparisons", text)  # 14 budgets, two parts, first pick and best of five
        self.assertIn("too few to tell models apart", text)


if __name__ == "__main__":
    unittest.main()
