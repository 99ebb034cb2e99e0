#!/usr/bin/env python3
"""A run of `hone tune` that is killed again and again: tune_kill_test.py HONE"""
import random
import time
import unittest

from tune_run import RunTest, candidates, records, wait_for, workers_in


class TuneKillTest(RunTest):
    def test_resumes_after_being_killed_fifty_times(self):
        generator = random.Random(1)
        for attempt in range(50):
            before = records(self.log)
            process = self.start("--trials", "100000", "--search", "random", "--scorer", "random")
            if attempt % 2:  # while it measures; else at any time, also before it has begun
                wait_for(lambda: len(records(self.log)) > len(before))
            time.sleep(generator.uniform(0, 0.15))
            process.kill()
            process.communicate()
            after = records(self.log)
            self.assertEqual(after[:len(before)], before, "what was written stays")
        wait_for(lambda: not workers_in(self.folder))
        killed = len(records(self.log))
        self.assertGreaterEqual(killed, 25, "a session that is killed keeps what it measured")
        code, out, err = self.run_to_end("--trials", str(killed + 10))
        self.assertEqual(code, 0, err)
        self.assertIn(f"resumed after {killed} trials", err)
        tried = candidates(self.log)
        self.assertEqual(len(tried), killed + 10)
        self.assertEqual(len(set(tried)), len(tried), "nothing is measured twice")


if __name__ == "__main__":
    unittest.main()
