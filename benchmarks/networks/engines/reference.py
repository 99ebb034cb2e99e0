"""Random inputs of a model, and what ONNX Runtime makes of them, as files: reference.py MODEL.onnx FOLDER"""
import sys
from pathlib import Path

import numpy
import onnxruntime

from engines.engine import Tensors

TYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64}
# Integers stand for something: words of a vocabulary, else the number of a sentence, or a word that counts or not.
BOUNDS = {"input_ids": 30522}


def random_inputs(session: onnxruntime.InferenceSession, seed: int) -> Tensors:
    random = numpy.random.default_rng(seed)
    inputs = {}
    for value in session.get_inputs():
        element = TYPES[value.type]
        if element is numpy.int64:
            inputs[value.name] = random.integers(0, BOUNDS.get(value.name, 2), value.shape, element)
        else:
            inputs[value.name] = random.standard_normal(value.shape, element)
    return inputs


def make(model: str, folder: Path) -> None:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    inputs = random_inputs(session, seed=1)
    names = [output.name for output in session.get_outputs()]
    numpy.savez(folder / "inputs.npz", **inputs)
    numpy.savez(folder / "outputs.npz", **dict(zip(names, session.run(names, inputs))))


def largest_error(outputs: Tensors, expected: Tensors) -> float:
    """max|a - b| / max|b| of the output that is worst; not a number counts as infinite."""
    def error(a: numpy.ndarray, b: numpy.ndarray) -> float:
        if a.shape != b.shape or not numpy.isfinite(a).all():
            return float("inf")
        return float(numpy.abs(a.astype(numpy.float64) - b).max() / numpy.abs(b).max())
    return max(error(outputs[name], value) for name, value in expected.items())


if __name__ == "__main__":
    make(sys.argv[1], Path(sys.argv[2]))
