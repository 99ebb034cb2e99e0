"""Computations of recorded tasks that nobody printed: those of MobileNet-V2, one picture in NCHW, as TVM's operator
library writes them. A key begins with the MD5 digest of the text without sizes, so each is proven before it is used."""
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

Shape = list[int]
AXES = "ax0, ax1, ax2, ax3"


def placeholder(name: str, shape: Shape) -> str:
    return f"{name} = PLACEHOLDER {shape}"


def padded(name: str, data: str, shape: Shape, padding: int) -> str:
    if padding == 0:
        return f"{name}(i0, i1, i2, i3) = {data}[i0, i1, i2, i3]"
    inside = [f"(i{axis} >= {padding})" if low else f"(i{axis} < {shape[axis] + padding})"
              for axis in (2, 3) for low in (True, False)]
    condition = f"((({inside[0]} && {inside[1]}) && {inside[2]}) && {inside[3]})"
    return (f"{name}(i0, i1, i2, i3) = tir.if_then_else({condition}, "
            f"{data}[i0, i1, (i2 - {padding}), (i3 - {padding})], 0f)")


def at(axis: str, kernel_axis: str, stride: int) -> str:
    return f"({axis} + {kernel_axis})" if stride == 1 else f"(({axis}*{stride}) + {kernel_axis})"


def convolution(data: Shape, weight: Shape, out: Shape) -> tuple[str, list[str]]:
    """Its name, and the lines from its first operand on."""
    stride, padding = data[2] // out[2], weight[2] // 2
    if weight[1] == data[1]:
        name, pad = "conv2d_nchw", "pad_temp"
        body = (f"{name}(nn, ff, yy, xx) += ({pad}[nn, rc, {at('yy', 'ry', stride)}, {at('xx', 'rx', stride)}]"
                "*p1[ff, rc, ry, rx])")
    else:
        name, pad = "DepthwiseConv2d", "PaddedInput"
        body = (f"{name}(b, c, i, j) += ({pad}[b, c, {at('i', 'di', stride)}, {at('j', 'dj', stride)}]"
                "*p1[c, 0, di, dj])")
    return name, [placeholder("p0", data), padded(pad, "p0", data, padding), placeholder("p1", weight), body]


def with_bias(name: str, lines: list[str], bias: Shape) -> list[str]:
    return [*lines, placeholder("p2", bias), f"T_add({AXES}) = ({name}[{AXES}] + p2[ax0, ax1, 0, 0])"]


def guesses(shapes: list[Shape]) -> Iterator[list[str]]:
    """What a task with tensors of these shapes, the last one written, may compute."""
    if len(shapes) == 5:
        other, data, weight, bias, out = shapes
        lines = with_bias(*convolution(data, weight, out), bias)
        yield [placeholder("p3", other), *lines, f"T_add({AXES}) = (p3[{AXES}] + T_add[{AXES}])"]
    elif len(shapes) == 4 and len(shapes[0]) == 4:
        data, weight, bias, out = shapes
        lines = with_bias(*convolution(data, weight, out), bias)
        yield lines
        yield [*lines, "compute(i0, i1, i2, i3) = max(min(T_add[i0, i1, i2, i3], 6f), 0f)"]
    elif len(shapes) == 4:
        yield [placeholder("p0", shapes[0]), placeholder("p1", shapes[1]), "T_matmul_NT(i, j) += (p0[i, k]*p1[j, k])",
               placeholder("p2", shapes[2]), "T_add(ax0, ax1) = (T_matmul_NT[ax0, ax1] + p2[ax0, ax1])"]
    elif len(shapes) == 2:
        yield [placeholder("p0", shapes[0]), "T_softmax_maxelem(i0) max= p0[i0, k]",
               "T_softmax_exp(i0, i1) = tir.exp((p0[i0, i1] - T_softmax_maxelem[i0]))",
               "T_softmax_expsum(i0) += T_softmax_exp[i0, k]",
               "T_softmax_norm(i0, i1) = (T_softmax_exp[i0, i1]/T_softmax_expsum[i0])"]


def digest(lines: list[str]) -> str:
    """As TVM names it: without the shapes of placeholders, and of calls their name alone."""
    short = [re.sub(r" = (tir\.\w+)\(.*", r" = Op(\1)", re.sub(r"(PLACEHOLDER ).*", r"\1", line)) for line in lines]
    return hashlib.md5("".join(line + "\n" for line in short).encode()).hexdigest()


def computation(key: str) -> str | None:
    """None where no guess has the digest of the key."""
    first, *shapes = json.loads(key)
    found = (lines for lines in guesses(shapes) if digest(lines) == first)
    return "".join(line + "\n" for line in next(found, [])) or None


def keys_of_log(log: Path) -> set[str]:
    with gzip.open(log, "rt") as lines:
        return {json.loads(line)["i"][0][0] for line in lines}


def write_computations(log: Path, public: Path, to: Path) -> None:
    """For `hone dataset import --dags`: the public ones, and those of the log that can be proven."""
    with gzip.open(public, "rt") as lines:
        text = lines.read()
    of_digests = (key for key in sorted(keys_of_log(log)) if re.match(r'\["[0-9a-f]{32}"', key))
    proven = [(key, found) for key in of_digests if (found := computation(key))]
    to.write_text(text + "".join(json.dumps({"workload_key": key, "dag": dag}) + "\n" for key, dag in proven))
