#!/usr/bin/env python3
"""Logs become a set, the set is parted and described, and the lines come back: dataset_test.py HONE"""
import gzip
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest

HONE = pathlib.Path(sys.argv[1]).resolve()
LOG = pathlib.Path(__file__).parent / "data/matmul_log.json"  # three records, one line that is torn
KEY = '["matmul_layer", 16, 64, 32]'
STEPS = [["SP", 2, 0, 16, [4, 2], 1], ["SP", 2, 3, 32, [8], 1], ["PR", 2, 0, "auto_unroll_max_step$16"]]


def line(key=KEY, steps=STEPS, seconds=(0.001, 0.002), error=0, time=1700000000):
    task = [key, "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, []]
    return json.dumps({"i": [task, [[], steps]], "r": [list(seconds), error, 0.5, time], "v": "v0.6"})


class DatasetTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def hone(self, *arguments, code=0):
        return self.run_hone("dataset", *arguments, code=code)

    def run_hone(self, *arguments, code=0):
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "HONE_HOME": str(self.folder)}
        result = subprocess.run([HONE, *arguments], cwd=self.folder, env=environment,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout, result.stderr

    def json(self, *arguments, code=0):
        return json.loads(self.hone(*arguments, "--json", code=code)[0])

    def write(self, name, *lines):
        (self.folder / name).write_text("".join(one + "\n" for one in lines))
        return name

    def import_log(self, *lines, output="set.hds", options=("--machine", "i7")):
        self.write(output + ".jsonl", *lines)
        return self.json("import", output + ".jsonl", "-o", output, *options)

    def test_lines_come_back_byte_for_byte(self):
        lines = [line(), line(error=4, seconds=[1e10]), line().replace(", ", ",  ")]
        self.import_log(*lines)
        self.assertEqual(self.hone("export", "set.hds")[0], "".join(one + "\n" for one in lines))
        self.hone("export", "set.hds", "-o", "again.jsonl")
        self.assertEqual((self.folder / "again.jsonl").read_text(), (self.folder / "set.hds.jsonl").read_text())

    def test_corrupt_lines_are_counted_and_named(self):
        out, err = self.hone("import", str(LOG), "-o", "set.hds")
        self.assertIn("programs   3 from 1 logs, 2 valid, 1 failed\n", out)
        self.assertIn("1 corrupt, 0 misaligned\n", out)
        self.assertIn(f"warning: {LOG}:5: step 2 (RE): column 201", err)
        self.assertIn("note: the machine of 1 tasks is not known", err)

    def test_only_some_of_many_are_named_unless_all_are_wanted(self):
        self.write("bad.jsonl", line(), *["nothing"] * 30)
        _, err = self.hone("import", "bad.jsonl", "-o", "a.hds")
        self.assertEqual(err.count("bad.jsonl:"), 10)
        self.assertIn("warning: 20 more; --verbose names them all", err)
        _, err = self.hone("import", "bad.jsonl", "-o", "b.hds", "-v")
        self.assertEqual(err.count("bad.jsonl:"), 30)

    def test_archives_and_folders(self):
        packed = self.folder / "logs/packed.json.gz"
        packed.parent.mkdir()
        packed.write_bytes(gzip.compress((line() + "\n").encode()))
        (self.folder / "logs/tasks.pkl").write_bytes(b"never opened")
        with tarfile.open(self.folder / "logs/logs.tar.gz", "w:gz") as archive:
            self.write("inner.log", line(seconds=[0.5]))
            archive.add(self.folder / "inner.log", "deep/inner.log")
        report = self.json("import", "logs", "-o", "set.hds")
        self.assertEqual((report["programs"], report["logs"], report["corrupt"]), (2, 3, 1))
        self.assertIn("pickle", report["problems"][0]["reason"])

    def test_networks_decide_what_is_held_out(self):
        self.write("networks.tsv", "network\tweight\tworkload_key", "one\t2\t[\"aa\", [4]]", "two\t1\t[\"bb\", [4]]")
        lines = [line(key='["aa", [4]]'), line(key='["bb", [4]]'), line(key='["aa", [4]]', time=1)]
        report = self.import_log(*lines, options=("--networks", "networks.tsv"))
        self.assertEqual(report["tasks_with_network"], 2)
        report = self.json("split", "set.hds", "--by", "model", "--hold-out", "one", "-o", "part")
        self.assertEqual(report["test"], {"file": "part.test.hds", "programs": 2, "tasks": 1})
        self.assertEqual(self.hone("export", "part.train.hds")[0], lines[1] + "\n")
        _, err = self.hone("split", "set.hds", "--by", "model", "--hold-out", "tow", "-o", "x", code=2)
        self.assertIn("did you mean 'two'", err)
        _, err = self.hone("split", "set.hds", "--by", "model", "-o", "x", code=2)
        self.assertIn("needs --hold-out", err)

    def test_only_sets_of_known_machines_merge(self):
        self.import_log(line(), output="a.hds")
        self.import_log(line(), line(time=5), output="b.hds")
        self.import_log(line(), output="unknown.hds", options=())
        report = self.json("merge", "a.hds", "b.hds", "-o", "all.hds")
        self.assertEqual((report["programs"], report["duplicates"], report["tasks"]), (2, 1, 1))
        _, err = self.hone("merge", "a.hds", "unknown.hds", "-o", "c.hds", code=2)
        self.assertIn("unknown.hds does not say which machine", err)
        self.assertIn("--machine NAME", err)
        self.assertFalse((self.folder / "c.hds").exists())

    def test_the_fastest_of_each_task(self):
        lines = [line(seconds=[0.3]), line(seconds=[0.2, 0.9]), line(key='["bb", [4]]', error=6, seconds=[1e10])]
        self.import_log(*lines)
        self.assertEqual(self.hone("best", "set.hds")[0], lines[1] + "\n")
        self.assertEqual([row["program"] for row in self.json("best", "set.hds")["best"]], [1])

    def test_what_a_set_is_worth(self):
        lines = [line(steps=[["CI", i % 3]], seconds=[0.001 * (i + 1)]) for i in range(4)]
        self.import_log(*lines, line(key='["bb", [4]]', error=6, seconds=[1e10]))
        report = self.json("stats", "set.hds")
        self.assertEqual((report["distinct_step_lists"], report["repeated_in_task"]), (4, 1))
        self.assertEqual(report["tasks_without_answer"], 1)
        self.assertAlmostEqual(report["random_floor"]["top1"], (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
        self.assertEqual(report["random_floor"]["top5"], 1)  # as many picks as programs
        self.assertAlmostEqual(report["again_minima"]["median"], 4, places=5)
        self.assertEqual([crop["colliding"] for crop in report["crops"]], [0, 0])
        out, _ = self.hone("stats", "set.hds")
        self.assertIn("machine    i7: kind=cpu isa=avx2 cores=4", out)

    def test_programs_collide_when_little_is_left_of_them(self):
        deep = [["CI", 0], ["CI", 1], ["CI", 2]]
        self.import_log(line(steps=deep), line(steps=deep[:2], seconds=[0.004]))
        crop = self.json("stats", "set.hds", "--crop", "2x22")["crops"][0]
        self.assertEqual((crop["distinct"], crop["colliding"]), (1, 2))
        self.assertAlmostEqual(crop["label_spread"]["median"], 0.75)
        _, err = self.hone("stats", "set.hds", "--crop", "2x3", code=2)
        self.assertIn("`2x3` is no size of TLP's tables", err)

    def test_check_finds_damage(self):
        self.import_log(line())
        self.assertEqual(self.json("check", "set.hds")["sets"][0]["faults"], 0)
        path = self.folder / "set.hds"
        bytes_ = bytearray(path.read_bytes())
        bytes_[64] ^= 1  # the first step
        path.write_bytes(bytes_)
        out, err = self.hone("check", "set.hds", code=1)
        self.assertIn("has another checksum", err)
        path.write_bytes(bytes_[:-1])
        _, err = self.hone("check", "set.hds", code=2)
        self.assertIn("is damaged", err)

    def test_check_of_two_sets_finds_lines_that_are_not_aligned(self):
        self.import_log(line(), line(steps=[["CI", 1]]), output="a.hds")
        self.import_log(line(), line(steps=[["CI", 2]]), line(), output="b.hds", options=("--machine", "e5-2673"))
        out, err = self.hone("check", "a.hds", "b.hds", code=1)
        self.assertIn("aligned    1 programs of 1 workloads, 1 misaligned, 1 in one set only", out)
        self.assertIn("a.hds.jsonl:2 and b.hds.jsonl:2 are different programs", err)

    def test_features_are_sections_and_arrays(self):
        self.import_log(line(), line(steps=STEPS[:1]))
        report = self.json("features", "set.hds", "--add", "tlp", "-o", "rows.hds")
        self.assertEqual(report["features"][0]["left_out"], [])
        self.assertEqual(self.json("check", "rows.hds")["sets"][0]["faults"], 0)
        self.hone("export", "rows.hds", "--features", "tlp", "-o", "arrays")
        header = (self.folder / "arrays/tlp.npy").read_bytes()
        size = struct.unpack("<H", header[8:10])[0]
        self.assertIn(b"'descr': '<f4'", header[:10 + size])
        self.assertEqual(sorted(path.name for path in (self.folder / "arrays").iterdir()),
                         ["seconds.npy", "status.npy", "task.npy", "tlp.npy", "tlp.offsets.npy"])
        _, err = self.hone("export", "set.hds", "--features", "tlp", "-o", "none", code=2)
        self.assertIn("has no section `feature.tlp.info`", err)

    def test_inspect_says_what_a_set_holds(self):
        self.import_log(line(), line(error=6, seconds=[1e10]))
        self.hone("features", "set.hds", "--add", "tlp", "-o", "rows.hds")
        out, _ = self.run_hone("inspect", "rows.hds")
        self.assertIn("programs   2 of 1 tasks\nmachine    i7: kind=cpu", out)
        report = json.loads(self.run_hone("inspect", "rows.hds", "--json")[0])
        self.assertEqual(list(report["features"]), ["tlp"])
        self.assertEqual(report["sources"], ["set.hds.jsonl"])

    def test_the_database_of_a_run_is_made_again(self):
        run = self.folder / "run"
        run.mkdir()
        shutil.copy(LOG, run / "records.jsonl")
        self.hone("index", "run")
        self.assertEqual((run / "run.db").read_bytes()[:6], b"SQLite")
        _, err = self.hone("index", "nowhere", code=2)
        self.assertIn("does not exist", err)

    def test_a_full_disk_is_no_fault_of_the_logs(self):
        self.write("a.jsonl", *[line(time=i) for i in range(4000)])

        def limit_file_size():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        result = subprocess.run([HONE, "dataset", "import", "a.jsonl", "-o", "set.hds"], cwd=self.folder,
                                capture_output=True, text=True, restore_signals=False, preexec_fn=limit_file_size)
        self.assertEqual(result.returncode, 2)
        self.assertIn("error: cannot write set.hds: File too large", result.stderr)
        self.assertNotIn("a.jsonl:", result.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a.jsonl"])

    def test_nothing_is_overwritten(self):
        self.import_log(line())
        before = (self.folder / "set.hds").read_bytes()
        _, err = self.hone("import", "set.hds.jsonl", "-o", "set.hds", code=2)
        self.assertIn("set.hds exists already", err)
        self.assertEqual((self.folder / "set.hds").read_bytes(), before)

    def test_wrong_use_is_explained(self):
        self.write("a.jsonl", line())
        for arguments, message in [
                (("import", "a.jsonl", "-o", "s.hds", "--machine", "e5-2763"), "did you mean 'e5-2673'"),
                (("import", "absent.jsonl", "-o", "s.hds"), "absent.jsonl"),
                (("import", "a.jsonl", "-o", "nowhere/s.hds"), "nowhere/s.hds"),
                (("stats", "a.jsonl"), "a.jsonl is no data set"),
                (("split", "a.jsonl", "--by", "tasks", "-o", "x"), "did you mean 'task'"),
        ]:
            _, err = self.hone(*arguments, code=2)
            self.assertIn(message, err)
            self.assertFalse((self.folder / "s.hds").exists())


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
