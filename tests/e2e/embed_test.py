#!/usr/bin/env python3
"""Models as C and as shared libraries, taken in by a C program: embed_test.py HONE"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

HONE = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""

# Reads in0.bin, in1.bin, ...; writes out0.bin, out1.bin, ...; prints what the model says of itself.
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "bert_tiny.h"
int main(void) {
  bert_tiny_model* model = bert_tiny_create(2);
  if (model == NULL || bert_tiny_create(0) != NULL) return 2;
  void *inputs[bert_tiny_inputs], *outputs[bert_tiny_outputs];
  char name[32];
  for (int i = 0; i < bert_tiny_inputs; ++i) {
    const bert_tiny_tensor* t = &bert_tiny_input[i];
    printf("%s %s %zu\\n", t->name, t->type, t->size_bytes);
    inputs[i] = malloc(t->size_bytes);
    sprintf(name, "in%d.bin", i);
    FILE* file = fopen(name, "rb");
    if (file == NULL) continue;
    if (fread(inputs[i], 1, t->size_bytes, file) != t->size_bytes) return 3;
    fclose(file);
  }
  for (int i = 0; i < bert_tiny_outputs; ++i) outputs[i] = malloc(bert_tiny_output[i].size_bytes);
  for (int k = 0; k < 3; ++k) bert_tiny_run(model, (const void* const*)inputs, outputs);
  for (int i = 0; i < bert_tiny_outputs; ++i) {
    sprintf(name, "out%d.bin", i);
    FILE* file = fopen(name, "wb");
    fwrite(outputs[i], 1, bert_tiny_output[i].size_bytes, file);
    fclose(file);
  }
  bert_tiny_destroy(model);
  return 0;
}
"""


def npy(shape, elements):
    header = str({"descr": "<i8", "fortran_order": False, "shape": shape}).encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + elements


def floats(data):
    return struct.unpack(f"<{len(data) // 4}f", data)


class EmbedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.keeper.name)
        (cls.folder / "main.c").write_text(MAIN)
        cls.run_ok(HONE, "compile", "builtin:bert_tiny", "--threads", "2", "--emit", "hone,so,c")

    @classmethod
    def tearDownClass(cls):
        cls.keeper.cleanup()

    @classmethod
    def run_ok(cls, *command):
        result = subprocess.run(command, cwd=cls.folder, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, f"{command}: {result.stderr}"
        return result.stdout

    def answers_of(self, program):
        """The program's outputs on inputs of zeros and ones, and those of `hone run` on the same."""
        inputs = [line.split() for line in self.run_ok(program).splitlines()]
        with zipfile.ZipFile(self.folder / "x.npz", "w") as archive:
            for i, (name, kind, size) in enumerate(inputs):
                self.assertEqual(kind, "int64")
                count = int(size) // 8
                data = struct.pack(f"<{count}q", *[(k + i) % 2 for k in range(count)])
                (self.folder / f"in{i}.bin").write_bytes(data)
                archive.writestr(f"{name}.npy", npy((1, count), data))
        self.run_ok(program)
        self.run_ok(HONE, "run", "bert_tiny.hone", "--input", "x.npz", "-o", "y.npz", "--threads", "2")
        with zipfile.ZipFile(self.folder / "y.npz") as archive:
            wanted = [archive.read(name) for name in archive.namelist()]
        got = [(self.folder / f"out{i}.bin").read_bytes() for i in range(len(wanted))]
        return got, [text[-len(answer):] for text, answer in zip(wanted, got)]

    def test_c_computes_the_same_up_to_rounding(self):
        first = (self.folder / "bert_tiny.c").read_text().splitlines()[0]
        options = first.split("-c ")[1].split(" bert_tiny.c")[0].replace("-O3", "-O1")  # compiles in less time
        self.run_ok("cc", *options.split(), "-pthread", "main.c", "bert_tiny.c", "-o", "main_c")
        for got, wanted in zip(*self.answers_of("./main_c")):
            largest = max(abs(x) for x in floats(wanted))
            self.assertLess(max(abs(x - y) for x, y in zip(floats(got), floats(wanted))), 1e-4 * largest)

    def test_a_shared_library_computes_the_same_bits(self):
        self.run_ok("cc", "main.c", "./bert_tiny.so", "-o", "main_so")
        got, wanted = self.answers_of("./main_so")
        self.assertEqual(got, wanted)
        needed = self.run_ok("ldd", "./bert_tiny.so")
        self.assertNotIn("hone", needed)
        self.assertNotIn("stdc++", needed)

    def test_without_a_c_compiler_nothing_is_left_behind(self):
        result = subprocess.run([HONE, "compile", "builtin:bert_tiny", "--emit", "so", "-o", "no/net"], cwd=self.folder,
                                env={**os.environ, "HONE_CC": "no-such-compiler"}, capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("there is no C compiler no-such-compiler", result.stderr)
        self.assertIn("hint:", result.stderr)
        self.assertFalse(list(self.folder.glob("no/*")))


if __name__ == "__main__":
    unittest.main()
