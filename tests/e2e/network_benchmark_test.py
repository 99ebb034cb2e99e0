#!/usr/bin/env python3
"""The parts of benchmarks/networks that need no peer."""
import json
import pathlib
import subprocess
import sys
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/networks"))

from comparison import compare, geomean, ratio_of  # noqa: E402
from engine_process import EngineFailed, EngineProcess  # noqa: E402
from report import Row, row_json, row_text, summary_json  # noqa: E402
from rounds import RUNS, measure  # noqa: E402

# Answers as engines/serve.py does.
ENGINE = textwrap.dedent("""
    import sys
    print('{"error": 0.25}', flush=True)
    for line in sys.stdin:
        print('{"fastest_ms": %d}' % (10 * int(line)), flush=True)
""")


def row(network="net", threads=2, hone_ms=1.0, peer_ms=2.0, error=1e-6):
    peers = compare([hone_ms] * 3, {"slow": [3 * peer_ms] * 3, "fast": [peer_ms] * 3})
    return Row(network, threads, hone_ms, peers, error, 1e-4, 60.0, 3, 0.0, {})


class Turn:
    """Takes as long as it is told, and notes when its turns were."""

    def __init__(self, name, turns):
        self.name, self.turns = name, turns

    def fastest_ms(self, runs):
        self.turns.append((self.name, runs))
        return float(len(self.turns))

    def cpu_s(self):
        return 0.0


class ComparisonTest(unittest.TestCase):
    def test_a_ratio_is_taken_round_by_round(self):
        # The machine was ten times slower in one round, for both.
        ratio = ratio_of([2.0, 20.0, 2.2], [1.0, 10.0, 1.0])
        self.assertEqual(ratio.median, 2.0)
        self.assertAlmostEqual(ratio.high, 2.1)

    def test_the_best_peer_comes_first(self):
        self.assertEqual([pair.peer for pair in row().peers], ["fast", "slow"])

    def test_geomean(self):
        self.assertAlmostEqual(geomean([0.5, 8.0]), 2.0)


class ReportTest(unittest.TestCase):
    def test_a_line_has_what_was_promised(self):
        line = row_json(row())
        wanted = {"network": "net", "threads": 2, "hone_ms": 1.0, "peer": "fast", "peer_ms": 2.0, "ratio": 2.0}
        self.assertEqual(wanted, {key: line[key] for key in wanted})
        json.dumps(line)

    def test_the_geomean_is_that_of_the_most_threads(self):
        rows = [row(threads=1, peer_ms=9.0), row(threads=2, peer_ms=1.0), row(threads=2, peer_ms=4.0)]
        summary = summary_json(rows, 0, "run")
        self.assertAlmostEqual(summary["geomean"], 2.0)
        self.assertAlmostEqual(summary["geomeans"]["1"], 9.0)

    def test_a_run_without_results_has_no_geomean(self):
        summary = summary_json([], 7, "run")
        self.assertIsNone(summary["geomean"])
        self.assertEqual(summary["missing"], 7)

    def test_a_wrong_answer_is_said(self):
        self.assertNotIn("WRONG", row_text(row()))
        self.assertIn("WRONG: more than 0.0001", row_text(row(error=2e-4)))
        self.assertFalse(summary_json([row(), row(error=2e-4)], 0, "run")["correct"])


class TurnsTest(unittest.TestCase):
    def test_every_engine_has_a_turn_a_round_and_each_begins_once(self):
        turns = []
        samples = measure([Turn("a", turns), Turn("b", turns)], rounds=2)
        self.assertEqual(turns, [("a", RUNS), ("b", RUNS), ("b", RUNS), ("a", RUNS)])
        self.assertEqual(samples.fastest_ms, {"a": [1.0, 4.0], "b": [2.0, 3.0]})

    def test_an_engine_is_stopped_between_its_turns(self):
        engine = EngineProcess([sys.executable, "-c", ENGINE], "fake", threads=1)
        self.addCleanup(engine.close)
        state = pathlib.Path(f"/proc/{engine.process.pid}/stat")
        self.assertEqual(engine.error, 0.25)
        for runs in (5, 7):
            self.assertEqual(engine.fastest_ms(runs), 10.0 * runs)
            self.assertEqual(state.read_text().rpartition(")")[2].split()[0], "T")

    def test_an_engine_that_ends_says_why(self):
        with self.assertRaisesRegex(EngineFailed, "fake ended with 1: no such operator"):
            EngineProcess([sys.executable, "-c", "import sys; sys.exit('no such operator')"], "fake", threads=1)


class ProgramTest(unittest.TestCase):
    def test_a_network_that_is_not_known_is_refused(self):
        result = subprocess.run([ROOT / "benchmarks/networks/run", "--networks", "resnet18,vgg"], capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("vgg: not among resnet18,", result.stderr)


if __name__ == "__main__":
    del sys.argv[1:]  # the program that the other tests of this folder need
    unittest.main()
