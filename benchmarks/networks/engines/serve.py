"""An engine as a process: serve.py ENGINE MODEL THREADS FOLDER

It loads the model, checks its outputs against those in the folder, and says so; then each line of its input asks
for so many runs and gets the fastest of them. Answers are lines of JSON.
"""
import ctypes
import gc
import importlib
import json
import os
import signal
import sys
import time
from pathlib import Path

# The folder above, not this one: packages must not be found here under their engines' names.
sys.path[0] = str(Path(__file__).resolve().parents[1])

import numpy  # noqa: E402

from engines.engine import Engine, Tensors  # noqa: E402
from engines.reference import largest_error  # noqa: E402

ENGINES = {"hone": "hone_engine.HoneEngine", "onnxruntime": "onnxruntime_engine.OnnxRuntimeEngine",
           "openvino": "openvino_engine.OpenVinoEngine", "torch": "torch_engine.TorchEngine"}
WARM_UP_S = 0.5
PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>


def engine_type(name: str) -> type[Engine]:
    module, kind = ENGINES[name].split(".")
    return getattr(importlib.import_module(f"engines.{module}"), kind)


def load(path: Path) -> Tensors:
    with numpy.load(path) as file:
        return dict(file)


def fastest_ms(engine: Engine, runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        engine.run()
        times.append(time.perf_counter_ns() - start)
    return min(times) * 1e-6


def warm_up(engine: Engine) -> None:
    end = time.perf_counter() + WARM_UP_S
    while time.perf_counter() < end:
        engine.run()


def main() -> None:
    name, model, threads, folder = sys.argv[1:]
    # An engine is stopped most of the time and would stay so for ever if whoever started it were killed.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Whatever an engine prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    engine = engine_type(name)(model, int(threads), load(Path(folder, "inputs.npz")))
    engine.run()
    error = largest_error(engine.outputs(), load(Path(folder, "outputs.npz")))
    warm_up(engine)
    gc.collect()
    gc.disable()
    print(json.dumps({"error": error}), file=answers)
    for line in sys.stdin:
        print(json.dumps({"fastest_ms": fastest_ms(engine, int(line))}), file=answers)


if __name__ == "__main__":
    main()
