"""The ONNX operators of the built-in networks as calls of torch's: no more than the benchmark needs."""
from collections.abc import Callable, Sequence
from typing import Any

import numpy
import onnx
import torch
from torch import Tensor
from torch.nn import functional

Attributes = dict[str, Any]
Convolution = Callable[..., Tensor]


def by_rank(functions: Sequence[Callable], x: Tensor) -> Callable:
    """The function for so many dimensions behind batch and channel."""
    return functions[x.dim() - 3]


def padded(x: Tensor, pads: list[int], fill: float) -> tuple[Tensor, list[int]]:
    """The tensor and how much is left to pad on both sides; torch's operators pad evenly only."""
    half = len(pads) // 2
    begins, ends = pads[:half], pads[half:]
    if begins == ends:
        return x, begins
    both = [pad for pair in zip(reversed(begins), reversed(ends)) for pad in pair]
    return functional.pad(x, both, value=fill), [0] * half


def conv(at: Attributes, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    call = by_rank([functional.conv1d, functional.conv2d, functional.conv3d], x)
    rank = x.dim() - 2
    x, padding = padded(x, at.get("pads", [0] * 2 * rank), 0.0)
    return call(x, weight, bias, at.get("strides", 1), padding, at.get("dilations", 1), at.get("group", 1))


def conv_transpose(at: Attributes, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    call = by_rank([functional.conv_transpose1d, functional.conv_transpose2d, functional.conv_transpose3d], x)
    rank = x.dim() - 2
    pads = at.get("pads", [0] * 2 * rank)
    more = at.get("output_padding", [0] * rank)
    # What ONNX cuts off at the end beyond the beginning is negative extra output.
    extra = [a + begin - end for a, begin, end in zip(more, pads[:rank], pads[rank:])]
    return call(x, weight, bias, at.get("strides", 1), pads[:rank], extra, at.get("group", 1),
                at.get("dilations", 1))


def max_pool(at: Attributes, x: Tensor) -> Tensor:
    call = by_rank([functional.max_pool1d, functional.max_pool2d, functional.max_pool3d], x)
    kernel = at["kernel_shape"]
    x, padding = padded(x, at.get("pads", [0] * 2 * len(kernel)), float("-inf"))
    return call(x, kernel, at.get("strides", 1), padding, at.get("dilations", 1), bool(at.get("ceil_mode", 0)))


def gemm(at: Attributes, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    assert at.get("alpha", 1.0) == 1.0 and at.get("beta", 1.0) == 1.0
    a = a.T if at.get("transA", 0) else a
    return functional.linear(a, b if at.get("transB", 0) else b.T, c)


def gather(at: Attributes, x: Tensor, indices: Tensor) -> Tensor:
    axis = at.get("axis", 0)
    if axis == 0 and x.dim() == 2:
        return functional.embedding(indices, x)
    taken = x.index_select(axis, indices.reshape(-1))
    return taken.reshape(*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])


def layer_normalization(at: Attributes, x: Tensor, scale: Tensor, bias: Tensor | None = None) -> Tensor:
    axis = at.get("axis", -1) % x.dim()
    return functional.layer_norm(x, x.shape[axis:], scale, bias, at.get("epsilon", 1e-5))


def unsqueeze(_: Attributes, x: Tensor, axes: list[int]) -> Tensor:
    for axis in axes:
        x = x.unsqueeze(axis)
    return x


def cast(at: Attributes, x: Tensor) -> Tensor:
    made = numpy.empty(0, onnx.helper.tensor_dtype_to_np_dtype(at["to"]))
    return x.to(torch.from_numpy(made).dtype)


OPERATORS: dict[str, Callable[..., Tensor]] = {
    "Add": lambda _, a, b: a + b,
    "BatchNormalization": lambda at, x, scale, bias, mean, variance: functional.batch_norm(
        x, mean, variance, scale, bias, eps=at.get("epsilon", 1e-5)),
    "Cast": cast,
    "Clip": lambda _, x, low, high: functional.hardtanh(x, low, high),
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Div": lambda _, a, b: a / b,
    "Erf": lambda _, x: torch.erf(x),
    "Flatten": lambda at, x: x.flatten(at.get("axis", 1)),
    "Gather": gather,
    "Gemm": gemm,
    "GlobalAveragePool": lambda _, x: x.mean(tuple(range(2, x.dim())), keepdim=True),
    "LayerNormalization": layer_normalization,
    "MatMul": lambda _, a, b: a @ b,
    "MaxPool": max_pool,
    "Mul": lambda _, a, b: a * b,
    "Relu": lambda _, x: functional.relu(x),
    "Reshape": lambda _, x, shape: x.reshape(shape),
    "Softmax": lambda at, x: functional.softmax(x, at.get("axis", -1)),
    "Sub": lambda _, a, b: a - b,
    "Tanh": lambda _, x: torch.tanh(x),
    "Transpose": lambda at, x: x.permute(at["perm"]),
    "Unsqueeze": unsqueeze,
}

# Inputs that torch wants as numbers of Python's, not as tensors: operator -> their places.
NUMBERS = {"Clip": (1, 2), "Reshape": (1,), "Unsqueeze": (1,)}


class OnnxModule(torch.nn.Module):
    """Runs a model's nodes in their order; its constants are buffers, so that a compiler may fold them."""

    def __init__(self, path: str) -> None:
        super().__init__()
        graph = onnx.load(path).graph
        self.nodes = list(graph.node)
        self.outputs = [output.name for output in graph.output]
        self.numbers: dict[str, Any] = {}
        self.weights: dict[str, str] = {}  # name in the model -> name of the buffer
        for index, tensor in enumerate(graph.initializer):
            self.weights[tensor.name] = f"weight_{index}"
            value = torch.from_numpy(onnx.numpy_helper.to_array(tensor).copy())
            self.register_buffer(f"weight_{index}", value)
            if value.numel() < 16:
                self.numbers[tensor.name] = value.tolist()
        self.inputs = [value.name for value in graph.input if value.name not in self.weights]

    def forward(self, *arguments: Tensor) -> list[Tensor]:
        values = dict(zip(self.inputs, arguments))
        values |= {name: getattr(self, buffer) for name, buffer in self.weights.items()}
        for node in self.nodes:
            numbers = NUMBERS.get(node.op_type, ())
            inputs = [self.numbers[name] if place in numbers else values[name]
                      for place, name in enumerate(node.input)]
            attributes = {at.name: onnx.helper.get_attribute_value(at) for at in node.attribute}
            values[node.output[0]] = OPERATORS[node.op_type](attributes, *inputs)
        return [values[name] for name in self.outputs]
