#!/usr/bin/env python3
"""The parts of benchmarks/cost_models that train nothing."""
import importlib.util
import pathlib
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/cost_models"))

import steps  # noqa: E402
from models import MODELS, RECORDS, Model, file_name  # noqa: E402
from report import Goal, below_floor, page, value  # noqa: E402
from studies import STUDIES, Row  # noqa: E402


def program(name):
    """One that is called without .py."""
    loader = SourceFileLoader(name, str(ROOT / "benchmarks/cost_models" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
study = program("study")


def row(name, pooled, tasks, far_off):
    return {"name": name, "seeds": 3, "metrics": [
        {"metric": "pooled", "k": 5, "value": pooled}, {"metric": "pooled", "k": 1, "value": pooled},
        {"metric": "pooled", "k": 10, "value": pooled},
        {"metric": "tasks", "k": 1, "value": tasks}, {"metric": "far_off", "value": far_off}]}


EVALUATION = {"parts": [{"name": "all", "scorers": [
    row("random", 0.04, 0.3, 60), row("hone", 0.96, 0.8, 5), row("TLP attention+rank", 0.9, 0.2, 9)]}]}


class ReportTest(unittest.TestCase):
    def test_values_are_found_by_name_metric_and_k(self):
        self.assertEqual(value(EVALUATION, "hone", "pooled", 5), 0.96)
        self.assertEqual(value(EVALUATION, "hone", "far_off"), 5)
        self.assertIsNone(value(EVALUATION, "LightGBM", "pooled", 5))

    def test_goals_are_reached_missed_or_absent(self):
        infinite = float("inf")
        self.assertIn("| 0.960 | reached |", Goal("hone", "pooled", 5, 0.95, infinite).line(EVALUATION))
        self.assertIn("at most 4 | 5.000 | **missed** |", Goal("hone", "far_off", 0, -infinite, 4).line(EVALUATION))
        self.assertIn("not in the table", Goal("LightGBM", "tasks", 1, 0.5, infinite).line(EVALUATION))

    def test_a_table_with_a_model_below_the_floor_is_void(self):
        self.assertEqual(below_floor(EVALUATION), ["TLP attention+rank"])
        self.assertIn("**Void**", page(RECORDS["x86"], EVALUATION, "tables", "run", []))


def train(place, model, seed):
    steps.train_all(steps.trainings_of(place, model, seed), parallel=1, threads=0, device="cpu")


class StepsTest(unittest.TestCase):
    def test_names_are_files(self):
        names = [file_name(model) for model in MODELS]
        self.assertIn("tlp-lstm-mse", names)
        self.assertEqual(len(set(names)), len(names))

    def test_what_is_there_is_not_made_again(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(steps, "run") as run:
            place, model = steps.Place(RECORDS["x86"], pathlib.Path("data"), pathlib.Path(folder)), Model("M", "m", {"loss": "mse"})
            self.assertEqual(steps.judged_by(place, model, 1), [])
            train(place, model, 1)
            words = [str(word) for word in run.call_args.args]
            self.assertEqual(words[1:3], ["train", str(place.training)])
            self.assertIn("loss=mse", words)
            run.reset_mock()
            place.scorers(model, 1)[0].touch()
            train(place, model, 1)
            run.assert_not_called()
            self.assertEqual(steps.judged_by(place, model, 1), ["--scorer", f"M={place.scorers(model, 1)[0]}"])

    def test_every_fold_is_trained_and_all_are_judged_together(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(steps, "run") as run:
            place, model = steps.Place(RECORDS["v100"], pathlib.Path("data"), pathlib.Path(folder)), Model("M", "m")
            train(place, model, 2)
            lines = [[str(word) for word in call.args] for call in run.call_args_list]
            self.assertEqual([line[line.index("--fold") + 1] for line in lines], [f"{k}/5" for k in range(5)])
            for scorer in place.scorers(model, 2)[:4]:
                scorer.touch()
            self.assertEqual(steps.judged_by(place, model, 2), [], "a fold is missing")
            place.scorers(model, 2)[4].touch()
            self.assertEqual(steps.judged_by(place, model, 2)[1].count(","), 4)

    def test_scores_of_folds_are_made_once_when_the_last_fold_is_there(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(steps, "run") as run, mock.patch("sys.stderr"):
            place, model = steps.Place(RECORDS["v100"], pathlib.Path("data"), pathlib.Path(folder)), Model("M", "m")
            run.side_effect = lambda *words, **_: pathlib.Path(words[words.index("-o") + 1]).touch()
            self.assertIs(steps.scoring(place, model, 0, True, []), steps.nothing, "hone scores what it judges")
            self.assertIs(steps.scoring(place, Model("X", "xgboost"), 0, False, []), steps.nothing)
            then = steps.scoring(place, model, 0, False, ["--device", "cuda"])
            then()
            run.assert_not_called()
            steps.train_all(steps.trainings_of(place, model, 0, then), parallel=1, threads=0, device="cuda")
            then()
            lines = [[str(word) for word in call.args] for call in run.call_args_list]
            self.assertEqual([line[1] for line in lines], ["train"] * 5 + ["--predict"])
            self.assertEqual(lines[-1][2], str(place.whole))
            self.assertEqual(lines[-1][4].split(","), [str(scorer) for scorer in place.scorers(model, 0)])
            self.assertEqual(steps.judged_by(place, model, 0)[0], "--scores")

    def test_several_at_a_time_have_a_thread_and_a_file_each(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(steps, "run") as run:
            trainings = [steps.Training([f"set{i}"], pathlib.Path(folder) / f"{i}.scorer") for i in range(3)]
            run.side_effect = lambda *words, **_: (_ for _ in ()).throw(steps.Stop("too bad")) if "set1" in words else None
            with self.assertRaisesRegex(steps.Stop, "1 of 3 trainings failed; the first: too bad"):
                steps.train_all(trainings, parallel=2, threads=0, device="cuda")
            self.assertEqual(len(run.call_args_list), 3, "one that fails does not end the others")
            for call in run.call_args_list:
                self.assertIn("--threads", call.args)
                self.assertEqual(call.kwargs["log"].suffix, ".log")

    def test_scores_of_another_machine_are_as_good(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(steps, "run") as run:
            place, model = steps.Place(RECORDS["x86"], pathlib.Path("data"), pathlib.Path(folder)), Model("M", "m")
            place.scores(model, 0).parent.mkdir()
            place.scores(model, 0).touch()
            train(place, model, 0)
            run.assert_not_called()
            self.assertEqual(steps.judged_by(place, model, 0), ["--scores", f"M={place.scores(model, 0)}"])


class StudyTest(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def samples(self, *names):
        return [study.RowWithSeed(self.folder, row, seed) for name in names for row in STUDIES[name][1] for seed in range(3)]

    def train(self, trainings):
        """What was run, in its order, where every program leaves what it is asked for."""
        lines = []

        def run(*words, log=None):
            lines.append([str(word) for word in words])
            pathlib.Path(lines[-1][lines[-1].index("-o") + 1]).touch()

        arguments = mock.Mock(parallel=1, threads=0, device="cpu")
        with mock.patch.object(study, "run", run), mock.patch.object(steps, "run", run), mock.patch("sys.stderr"):
            study.train_all(trainings, self.folder / "part", arguments)
        return lines

    def test_trainings_have_files_of_their_own_and_each_seed_another_part(self):
        samples = self.samples(*STUDIES)
        self.assertEqual(len({one.scores for one in samples}), len(samples))
        small = [one for one in samples if one.row.tasks == 20 and one.row.kind == "tlp"]
        self.assertEqual(len({one.part for one in small}), 3)
        self.assertEqual(len({one.judged for one in small}), 1)

    def test_the_largest_are_trained_first_and_scored_at_once(self):
        lines = self.train(self.samples("curve"))
        kinds = [line[1] for line in lines if line[1] in ("train", "--predict")]
        self.assertEqual(kinds, ["train", "--predict"] * 45)
        first = [line for line in lines if line[1] == "train"]
        self.assertIn("401xall.0", first[0][2])
        self.assertIn("20xall.2", first[-1][2])

    def test_scores_of_another_machine_need_no_training(self):
        samples = self.samples("sizes")
        for one in samples[1:]:
            one.scores.touch()
        self.assertEqual([line[1] for line in self.train(samples)].count("train"), 1)
        self.assertEqual(self.train(samples), [], "what is there is not made again")

    def test_one_seed_says_so_and_has_no_deviation(self):
        def entry(name, n_seeds):
            metrics = [("tasks", 1), ("tasks", 5), ("pooled", 1), ("pooled", 5), ("far_off", 0), ("pairwise", 0)]
            return {"name": name, "seeds": n_seeds, "metrics": [
                {"metric": metric, "k": k, "value": 0.5, "low": 0.4, "high": 0.6, "seed_deviation": 0.125}
                for metric, k in metrics]}
        found = {"parts": [{"scorers": [entry("random", 1), entry("a", 3), entry("b", 1)]}]}
        self.assertEqual(study.line(found, "b"),
                         "| b (one seed) | 0.500 [0.400, 0.600] | 0.500 | 0.500 | 0.500 | 0.5 | 0.500 [0.400, 0.600] |")
        self.assertIn("| a | 0.500 ± 0.125 [0.400, 0.600] |", study.line(found, "a"))
        place = steps.Place(RECORDS["x86"], pathlib.Path("data"), self.folder)
        text = study.page("curve", found, [study.RowWithSeed(self.folder, Row(name, "tlp"), 0) for name in "abc"], place)
        self.assertIn("Neither trained nor given: c.", text)
        self.assertIn("3 seeds", text)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]  # the program to test, which nothing here runs
    unittest.main()
