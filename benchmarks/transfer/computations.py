"""Computations of recorded tasks that nobody printed, as TVM's operator library writes them. A key begins with the MD5
digest of the text without sizes, so each is proven before it is used."""
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from blocked import blocked_guesses
from lines import Shape, at, axes, padded, placeholder

AXES = axes([0] * 4)


def convolution(data: Shape, weight: Shape, out: Shape) -> tuple[str, list[str]]:
    """In NCHW: its name, and the lines from its first operand on."""
    stride, padding = data[2] // out[2], weight[2] // 2
    if weight[1] == data[1]:
        name, pad = "conv2d_nchw", "pad_temp"
        body = (f"{name}(nn, ff, yy, xx) += ({pad}[nn, rc, {at('yy', 'ry', stride)}, {at('xx', 'rx', stride)}]"
                "*p1[ff, rc, ry, rx])")
    else:
        name, pad = "DepthwiseConv2d", "PaddedInput"
        body = (f"{name}(b, c, i, j) += ({pad}[b, c, {at('i', 'di', stride)}, {at('j', 'dj', stride)}]"
                "*p1[c, 0, di, dj])")
    return name, [placeholder("p0", data), padded(pad, "p0", data, {2: padding, 3: padding}), placeholder("p1", weight),
                  body]


def with_bias(name: str, lines: list[str], bias: Shape) -> list[str]:
    return [*lines, placeholder("p2", bias), f"T_add({AXES}) = ({name}[{AXES}] + p2[ax0, ax1, 0, 0])"]


def channels_last(data: Shape, weight: Shape, bias: Shape) -> list[str]:
    return [placeholder("p0", data), padded("pad_temp", "p0", data, {1: weight[0] // 2, 2: weight[1] // 2}),
            placeholder("p1", weight),
            "conv2d_nhwc(nn, yy, xx, ff) += (pad_temp[nn, (yy + ry), (xx + rx), rc]*p1[ry, rx, rc, ff])",
            placeholder("p2", bias), f"T_add({AXES}) = (conv2d_nhwc[{AXES}] + p2[0, 0, 0, ax3])",
            f"T_relu({AXES}) = max(T_add[{AXES}], 0f)"]


def product(data: Shape, weight: Shape, bias: Shape) -> list[str]:
    return [placeholder("p0", data), placeholder("p1", weight), "T_matmul_NT(i, j) += (p0[i, k]*p1[j, k])",
            placeholder("p2", bias), "T_add(ax0, ax1) = (T_matmul_NT[ax0, ax1] + p2[ax0, ax1])"]


def guesses(shapes: list[Shape]) -> Iterator[list[str]]:
    """What a task with tensors of these shapes, the last one written, may compute."""
    if len(shapes[0]) == len(shapes[-1]) == 5:
        yield from blocked_guesses(shapes)
    elif len(shapes) == 5:
        other, data, weight, bias, out = shapes
        lines = with_bias(*convolution(data, weight, out), bias)
        yield [placeholder("p3", other), *lines, f"T_add({AXES}) = (p3[{AXES}] + T_add[{AXES}])"]
    elif len(shapes) == 4 and len(shapes[0]) == 4:
        data, weight, bias, out = shapes
        lines = with_bias(*convolution(data, weight, out), bias)
        yield lines
        yield [*lines, "compute(i0, i1, i2, i3) = max(min(T_add[i0, i1, i2, i3], 6f), 0f)"]
        yield channels_last(data, weight, bias)
    elif len(shapes) == 4:
        yield product(*shapes[:3])
        yield [*product(*shapes[:3]), "T_relu(ax0, ax1) = max(T_add[ax0, ax1], 0f)"]
    elif len(shapes) == 2:
        yield [placeholder("p0", shapes[0]), "T_softmax_maxelem(i0) max= p0[i0, k]",
               "T_softmax_exp(i0, i1) = tir.exp((p0[i0, i1] - T_softmax_maxelem[i0]))",
               "T_softmax_expsum(i0) += T_softmax_exp[i0, k]",
               "T_softmax_norm(i0, i1) = (T_softmax_exp[i0, i1]/T_softmax_expsum[i0])"]


def digest(lines: list[str]) -> str:
    """As TVM names it: without the shapes of placeholders, and of calls their name alone."""
    short = [re.sub(r" = (tir\.\w+)\(.*", r" = Op(\1)", re.sub(r"(PLACEHOLDER ).*", r"\1", line)) for line in lines]
    return hashlib.md5("".join(line + "\n" for line in short).encode()).hexdigest()


def proven(first: str, shapes: list[Shape]) -> list[str]:
    """Nothing where no guess has the digest of the key."""
    return next((lines for lines in guesses(shapes) if digest(lines) == first), [])


def conv3d(data: Shape, weight: Shape) -> list[str]:
    around = {axis: weight[axis] // 2 for axis in (2, 3, 4)}
    return [placeholder("A", data), padded("pad_temp", "A", data, around), placeholder("W", weight),
            "conv3d_ncdhw(nn, ff, yy, xx, zz) += (pad_temp[nn, rc, (yy + rz), (xx + ry), (zz + rx)]"
            "*W[ff, rc, rz, ry, rx])"]


def pool2d(data: Shape) -> list[str]:
    """Every second element; the sizes, which no text of TVM's says, follow in hone's words."""
    sizes = " ".join(map(str, [*data[:2], (data[2] + 1) // 2, (data[3] + 1) // 2]))
    return [placeholder("A", data), f"pool_sum({AXES}) += A[ax0, ax1, ((ax2*2) + rv0), ((ax3*2) + rv1)]",
            f"pool_avg({AXES}) = pool_sum[{AXES}]", f"# op A shape {' '.join(map(str, data))}",
            f"# op pool_sum shape {sizes} reduce rv0 1 rv1 1", f"# op pool_avg shape {sizes}"]


# Functions that were tuned by themselves, whose keys have names and no digest. They are written as the program that
# made the records has them (lac-dcc/bennu, benchmarks/), and the splits of the records have the extents that they say.
NAMED = {
    "conv2d_ansor": lambda data, weight: convolution(data, weight, data)[1],
    "conv3d_ansor": conv3d,
    "ansor_pool2d": lambda data, _: pool2d(data),
}


def computation(key: str) -> str | None:
    """None where it is not known."""
    first, *rest = json.loads(key)
    lines = NAMED[first](*rest) if first in NAMED else proven(first, rest)
    return "".join(line + "\n" for line in lines) or None


def write_computations(keys: set[str], public: Path, to: Path) -> None:
    """For `hone dataset import --dags`: the public ones, and of these keys those that can be told."""
    with gzip.open(public, "rt") as lines:
        text = lines.read()
    printed = {json.loads(line)["workload_key"] for line in text.splitlines()}
    told = (key for key in sorted(keys - printed) if re.match(r'\["[0-9a-f]{32}"', key) or json.loads(key)[0] in NAMED)
    added = [(key, found) for key in told if (found := computation(key))]
    to.write_text(text + "".join(json.dumps({"workload_key": key, "dag": dag}) + "\n" for key, dag in added))
