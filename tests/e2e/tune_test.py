#!/usr/bin/env python3
"""What becomes of a run of `hone tune` that is stopped, starved of disk, resumed or replayed: tune_test.py HONE"""
import json
import os
import pty
import resource
import signal
import subprocess
import time
import unittest

from tune_run import HONE, OP, RunTest, notes, records, wait_for, workers_in


class TuneTest(RunTest):
    def test_ctrl_c_finishes_the_batch_and_saves(self):
        process = self.start("--trials", "100000")
        wait_for(lambda: len(records(self.log)) > 10)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertTrue(out.startswith("stopped   "), out)
        self.assertIn("the same command goes on from here", out)
        self.assertEqual(notes(self.log, "end")[-1]["state"], "stopped")
        self.assertEqual(json.loads((self.folder / "run/summary.json").read_text())["state"], "stopped")
        self.assertEqual(workers_in(self.folder), [])

    def test_a_second_ctrl_c_ends_at_once(self):
        process = self.start("--trials", "100000")
        wait_for(lambda: len(records(self.log)) > 10)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertLess(time.monotonic() - start, 5)
        wait_for(lambda: not workers_in(self.folder))

    def test_a_full_disk_is_reported_and_what_fits_is_kept(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        code, _, err = self.run_to_end("--trials", "1000", preexec_fn=limit)
        self.assertEqual(code, 2)
        self.assertIn("note: run.db is no longer written", err)
        self.assertIn("error: run/records.jsonl took only", err)
        self.assertIn("hint: the disk may be full", err)
        kept = len(records(self.log))
        self.assertGreater(kept, 3)
        code, _, err = self.run_to_end("--trials", str(kept + 1))
        self.assertEqual(code, 0, err)
        self.assertIn("the last line of the log was cut short; it is dropped", err)
        self.assertEqual(len(records(self.log)), kept + 1)

    def test_the_same_command_again_measures_nothing_new(self):
        self.run_to_end("--trials", "12")
        first = records(self.log)
        code, out, err = self.run_to_end("--trials", "12")
        self.assertEqual(code, 0, err)
        self.assertEqual(records(self.log), first)

    def failing_log(self):
        """A log like that of a run of which nothing gave a right answer."""
        self.run_to_end("--trials", "12")
        broken = self.folder / "broken.jsonl"
        with broken.open("w") as file:
            for line in records(self.log):
                record = json.loads(line)
                record["r"] = [[1e10], 5 if len(line) % 2 else 7, 0.1, 1]
                file.write(json.dumps(record) + "\n")
        return str(broken)

    def test_a_task_without_a_valid_candidate_exits_1_with_reasons(self):
        log = self.failing_log()
        code, out, err = self.run_to_end("--replay", log, output="replayed")
        self.assertEqual(code, 1, err)
        self.assertIn("none of 12 trials gave a right answer", err)
        self.assertRegex(out, r"failed    \d+ wrong answer\n(?s:.*)failed    \d+ run timeout\n")
        self.assertIn(f"next      hone inspect --op {OP} --record replayed/records.jsonl:", out)

    def test_a_machine_on_which_everything_fails_is_said(self):
        env = {**os.environ, "HONE_WORKER": os.environ["HONE_FAILING_WORKER"]}
        code, out, err = self.run_to_end("--trials", "12", env=env)
        self.assertEqual(code, 1, err)
        self.assertIn("none of 12 trials gave a right answer", err)
        self.assertIn("failed    8 wrong answer, for example: it was not run\n"
                      "failed    4 run timeout, for example: it was not run\n", out)

    def test_what_to_do_after_failures_can_be_done(self):
        _, out, _ = self.run_to_end("--replay", self.failing_log(), output="replayed")
        command = next(line for line in out.splitlines() if line.startswith("next      hone "))
        shown = subprocess.run([HONE, *command.split()[2:]], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("program ", shown.stdout)

    def test_a_worker_that_does_not_answer_is_named(self):
        code, _, err = self.run_to_end("--trials", "6", env={**os.environ, "HONE_WORKER": "/bin/true"})
        self.assertEqual(code, 3)
        self.assertEqual(err, "error: /bin/true does not answer\n\nhint: run it by hand to see why\n")

    def test_a_worker_that_is_not_there_is_named(self):
        code, _, err = self.run_to_end("--trials", "6", env={**os.environ, "HONE_WORKER": "/nowhere"})
        self.assertEqual(code, 3)
        self.assertIn("error: cannot start /nowhere", err)

    def test_a_single_element_leaves_nothing_to_tune(self):
        command = [HONE, "tune", "--op", "elementwise:n=1,fn=tanh", "--space", "ansor", "--trials", "8", "-o", "run"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nothing to tune: the computation has one candidate only", done.stdout)

    def test_a_task_without_choices_says_so(self):
        self.run_to_end("--trials", "2")
        (self.folder / "one.jsonl").write_text(records(self.log)[0] + "\n")
        code, out, err = self.run_to_end("--replay", "one.jsonl", output="replayed")
        self.assertEqual(code, 0, err)
        self.assertIn("nothing to tune: the computation has one candidate only", out)

    def test_a_replay_measures_nothing_and_does_not_depend_on_threads(self):
        self.run_to_end("--trials", "60")
        lines = []
        for jobs in ["1", "3"]:
            environment = {**os.environ, "HONE_JOBS": jobs, "HONE_WORKER": "/nowhere"}
            code, _, err = self.run_to_end("--replay", "run/records.jsonl", "--trials", "40",
                                           output=f"replayed{jobs}", env=environment)
            self.assertEqual(code, 0, err)
            lines.append(records(self.folder / f"replayed{jobs}/records.jsonl"))
        self.assertEqual(len(lines[0]), 40)
        self.assertEqual(lines[0], lines[1])

    def test_records_with_steps_of_our_own_are_inspected_replayed_and_resumed(self):
        self.run_to_end("--trials", "12")
        theirs = [line for line in records(self.log) if '"PF"' not in line]
        ours = json.loads(theirs[-1])
        ours["i"][1][1].append(["PF", 2, 0, 1, 16])
        with (self.folder / "own.jsonl").open("w") as file:
            file.write("".join(line + "\n" for line in theirs) + f" {json.dumps(ours)}\n")
        listed = subprocess.run([HONE, "inspect", "own.jsonl"], cwd=self.folder, capture_output=True, text=True)
        count = len(theirs) + 1
        self.assertIn(f"records    {count} of 1 workloads", listed.stdout)
        log = self.folder / "replayed/records.jsonl"
        for _ in range(2):  # the second time there is nothing left to do
            code, _, err = self.run_to_end("--replay", "own.jsonl", "--trials", str(count), output="replayed")
            self.assertEqual(code, 0, err)
            self.assertEqual(len(records(log)), count)
            self.assertEqual([line.count('"PF"') for line in records(log) if line.startswith(" ")], [1])

    def test_events_are_json_and_everything_is_in_the_folder(self):
        code, out, err = self.run_to_end("--trials", "20", "--json", "--seed", "7")
        self.assertEqual((code, err), (0, ""))
        events = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(events[0]["schema"], "hone.tune/1")
        self.assertEqual([e["event"] for e in events].count("trial"), 20)
        summary = events[-1]["summary"]
        self.assertEqual(summary, json.loads((self.folder / "run/summary.json").read_text()))
        self.assertEqual((summary["state"], summary["trials"], summary["seed"]), ("done", 20, "7"))
        self.assertIn('seed = 7', (self.folder / "run/run.toml").read_text())
        self.assertGreaterEqual(len((self.folder / "run/log.txt").read_text().splitlines()), 2)
        self.assertEqual(list(self.folder.glob("run/*.part")), [])

    def test_a_terminal_sees_a_display_that_is_drawn_anew(self):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([HONE, "tune", "--op", OP, "--threads", "1", "-o", "run", "--trials", "60"],
                                   cwd=self.folder, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:
                break
            text += chunk
        process.wait(timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"\x1b[J", text)
        self.assertIn(b"Ctrl-C", text)
        self.assertTrue(text.endswith(b"\x1b[J"), "nothing of the display stays behind")


if __name__ == "__main__":
    unittest.main()
