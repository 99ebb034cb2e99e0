"""ONNX Runtime, its inputs and outputs bound to memory once."""
import numpy
import onnxruntime

from engines.engine import Tensors


class OnnxRuntimeEngine:
    def __init__(self, model: str, threads: int, inputs: Tensors) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        self.values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in inputs.items()}
        for name, value in self.values.items():
            self.binding.bind_ortvalue_input(name, value)
        names = [output.name for output in self.session.get_outputs()]
        self.made = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array)
                     for name, array in zip(names, self.session.run(names, inputs))}
        for name, value in self.made.items():
            self.binding.bind_ortvalue_output(name, value)

    def run(self) -> None:
        self.session.run_with_iobinding(self.binding)

    def outputs(self) -> Tensors:
        return {name: numpy.asarray(value.numpy()) for name, value in self.made.items()}
