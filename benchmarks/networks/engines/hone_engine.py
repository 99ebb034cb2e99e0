"""Artefacts, through hone's C interface (runtime/hone.h) and nothing else of hone's."""
import ctypes
import pathlib

import numpy

from engines.engine import Tensors

LIBRARY = pathlib.Path(__file__).resolve().parents[3] / "build/runtime/libhone_runtime.so"
# Elements in the order of hone_type; there is no numpy type for bfloat16.
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", None,
         "float32", "float64"]


class Description(ctypes.Structure):
    """hone_description"""
    _fields_ = [("inputs", ctypes.c_size_t), ("outputs", ctypes.c_size_t), ("steps", ctypes.c_size_t),
                ("tuned_threads", ctypes.c_int), ("target", ctypes.c_char_p), ("manifest", ctypes.c_char_p),
                ("arena_bytes", ctypes.c_size_t), ("weight_bytes", ctypes.c_size_t)]


class Tensor(ctypes.Structure):
    """hone_tensor"""
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("rank", ctypes.c_size_t),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("size_bytes", ctypes.c_size_t)]


class Memory(ctypes.Structure):
    """hone_in and hone_out"""
    _fields_ = [("data", ctypes.c_void_p), ("size_bytes", ctypes.c_size_t)]


def memory_of(arrays: list[numpy.ndarray]) -> ctypes.Array:
    return (Memory * len(arrays))(*(Memory(array.ctypes.data, array.nbytes) for array in arrays))


class HoneEngine:
    def __init__(self, model: str, threads: int, inputs: Tensors) -> None:
        self.library = ctypes.CDLL(str(LIBRARY))
        self.library.hone_describe.restype = Description
        self.library.hone_error.restype = ctypes.c_char_p
        self.check(self.library.hone_set_threads(threads))
        self.model = ctypes.c_void_p()
        self.check(self.library.hone_open(model.encode(), ctypes.byref(self.model)))
        description = self.library.hone_describe(self.model)
        names = [self.tensor("hone_input", i).name.decode() for i in range(description.inputs)]
        self.inputs = [numpy.ascontiguousarray(inputs[name]) for name in names]
        made = [self.tensor("hone_output", i) for i in range(description.outputs)]
        self.output_arrays = {t.name.decode(): numpy.empty(t.shape[:t.rank], TYPES[t.type]) for t in made}
        ins, outs = memory_of(self.inputs), memory_of(list(self.output_arrays.values()))
        self.call = (self.model, ins, ctypes.c_size_t(len(ins)), outs, ctypes.c_size_t(len(outs)))

    def check(self, status: int) -> None:
        if status != 0:
            raise RuntimeError(self.library.hone_error().decode())

    def tensor(self, function: str, index: int) -> Tensor:
        tensor = Tensor()
        self.check(getattr(self.library, function)(self.model, ctypes.c_size_t(index), ctypes.byref(tensor)))
        return tensor

    def run(self) -> None:
        self.check(self.library.hone_run(*self.call))

    def outputs(self) -> Tensors:
        return self.output_arrays
