"""What tasks in TVM's blocked layout for CPUs may compute: NCHW, and as the last axis a block of channels."""
from collections.abc import Iterator
from itertools import product

from lines import Shape, at, axes, padded, padding_of, placeholder

Start = tuple[str, list[str]]  # a tensor's name, and all lines up to it


def padding_of_image(data: Shape, kernel: Shape, stride: int, out: Shape) -> dict[int, int] | None:
    found = {axis: padding_of(data[axis], kernel[axis], stride, out[axis]) for axis in (2, 3)}
    return None if None in found.values() else found


def convolutions(data: Shape, weight: Shape, out: Shape) -> Iterator[Start]:
    stride, block = data[2] // out[2], data[4]
    padding = padding_of_image(data, weight, stride, out)
    if padding is None:
        return
    is_depthwise = weight[1] == 1 and weight[4] == 1 and data[1] * block > 1
    image = ("PaddedInput" if is_depthwise else "data_pad") if any(padding.values()) else "p0"
    lines = [placeholder("p0", data), *([padded(image, "p0", data, padding)] if image != "p0" else []),
             placeholder("p1", weight)]
    place = f"{at('oh', 'kh', stride)}, {at('ow', 'kw', stride)}"
    if is_depthwise:
        channel = f"((oco*{out[4]}) + oci)"
        yield "DepthwiseConv2d", [*lines, (
            f"DepthwiseConv2d(b, oco, oh, ow, oci) += ({image}[b, floordiv({channel}, {block}), {place}, "
            f"floormod({channel}, {block})]*p1[oco, 0, kh, kw, 0, oci])")]
    else:
        yield "conv2d_NCHWc", [*lines, (
            f"conv2d_NCHWc(n, oc_chunk, oh, ow, oc_block) += ({image}[n, floordiv(ic, {block}), {place}, "
            f"floormod(ic, {block})]*p1[oc_chunk, floordiv(ic, {block}), kh, kw, floormod(ic, {block}), oc_block])")]


def mean(sums: str, all_axes: str, count: str) -> str:
    return f"{sums.replace('sum', 'avg')}({all_axes}) = ({sums}[{all_axes}]/{count})"


def pools(data: Shape, out: Shape) -> Iterator[Start]:
    """The text leaves the window open; it follows from the sizes. A digest says that a pool pads, not on which sides:
    ResNet's pads both."""
    stride, size, all_axes, first = data[2] // out[2], data[2], axes(data), placeholder("p0", data)
    window = f"ax0, ax1, {at('ax2', 'rv0', stride)}, {at('ax3', 'rv1', stride)}, ax4"
    around = {2: 1, 3: 1}
    if out[2] == 1 and size > 1:
        ends = [f"float32((select((bool)1, (({axis} + 1)*{size}), ((({axis} + 1)*{size}) + 1)) - ({axis}*{size})))"
                for axis in ("ax2", "ax3")]
        yield "adaptive_pool_avg", [first, f"adaptive_pool_sum({all_axes}) += p0[{window}]",
                                    mean("adaptive_pool_sum", all_axes, f"({ends[0]}*{ends[1]})")]
    elif stride == 2:
        counts = [f"((min((({axis}*2) + 1), {size - 1}) - (({axis}*2) + max((0 - ({axis}*2)), 0))) + 1)"
                  for axis in ("ax2", "ax3")]
        yield "pool_avg", [first, f"pool_sum({all_axes}) += p0[{window}]",
                           mean("pool_sum", all_axes, f"float32(max(({counts[0]}*{counts[1]}), 1))")]
        yield "pool_max", [first, f"pool_max({all_axes}) max= p0[{window}]"]
    elif stride == 1:
        counts = [f"((min((({axis} - 1) + 2), {size}) - ({axis} - 1)) + 1)" for axis in ("ax2", "ax3")]
        yield "pool_avg", [first, padded("pad_temp", "p0", data, around, "0f", "ax"),
                           f"pool_sum({all_axes}) += pad_temp[{window}]",
                           mean("pool_sum", all_axes, f"float32(({counts[0]}*{counts[1]}))")]
    if padding_of_image(data, [0, 0, 3, 3], stride, out) == around:
        yield "pool_max", [first, padded("pad_temp", "p0", data, around, "-3.40282e+38f", "ax"),
                           f"pool_max({all_axes}) max= pad_temp[{window}]"]


def with_operands(start: Start, operands: list[Shape], first: int, out: Shape) -> Iterator[list[str]]:
    """A tensor as large as the result is added, one of a number a channel added or multiplied; a ReLU may follow."""
    all_axes = axes(out)
    for multiplies in product((False, True), repeat=len(operands)):
        name, lines = start
        for place, (operand, is_factor) in enumerate(zip(operands, multiplies), first):
            index = all_axes if operand == out else "ax0, ax1, 0, 0, ax4"
            result, sign = ("T_multiply", "*") if is_factor else ("T_add", " + ")
            lines = [*lines, placeholder(f"p{place}", operand),
                     f"{result}({all_axes}) = ({name}[{all_axes}]{sign}p{place}[{index}])"]
            name = result
        yield lines
        yield [*lines, f"T_relu({all_axes}) = max({name}[{all_axes}], 0f)"]


def blocked_guesses(shapes: list[Shape]) -> Iterator[list[str]]:
    data, *operands, out = shapes
    if operands and len(operands[0]) == 6:
        for start in convolutions(data, operands[0], out):
            yield from with_operands(start, operands[1:], 2, out)
    else:
        for start in pools(data, out):
            yield from with_operands(start, operands, 1, out)
