"""Scorers small enough to be written out here: a network in a scorer's file, and a model as ONNX."""
import json
import random
import struct

MASK = (1 << 64) - 1


def mix_bits(word):
    """base/random.h"""
    word = ((word ^ (word >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    word = ((word ^ (word >> 27)) * 0x94d049bb133111eb) & MASK
    return word ^ (word >> 31)


def checksum(data):
    value = len(data)
    for at in range(0, len(data), 8):
        value = mix_bits(value ^ int.from_bytes(data[at:at + 8].ljust(8, b"\0"), "little"))
    return f"{value:016x}"


def mlp_tensors(width=4, columns=174):
    """A tenset-mlp that likes statements whose first columns are large."""
    first = [0.1 if j % width == i else 0.0 for i in range(width) for j in range(columns)]
    square = [0.1 if i == j else 0.0 for i in range(width) for j in range(width)]
    return [("rows.normaliser.shift", [columns], [0.0] * columns),
            ("rows.normaliser.scale", [columns], [0.1] * columns),
            ("encoder.0.weight", [width, columns], first),
            ("encoder.0.bias", [width], [0.0] * width),
            ("encoder.1.weight", [width, width], square), ("encoder.1.bias", [width], [0.0] * width),
            ("blocks.0.weight", [width, width], square), ("blocks.0.bias", [width], [0.0] * width),
            ("decoder.weight", [1, width], [0.1] * width), ("decoder.bias", [1], [0.0])]


SUMMARY_VERSION = 9  # feature::kSummaryVersion
CODE_VERSION = 7  # feature::kCodeRowVersion
HONE_FEATURES = f"statements 1, primitives 1, context 1, summary {SUMMARY_VERSION}"
HONE_OPTIONS = (("members", "2"), ("heads", "0"), ("caution", "0.25"), ("tree_share", "0.4"))


def hone_tensors(width=4, fused=6):
    """A network of kind hone whose two members know nothing, each in its own way."""
    columns = {"statements": 164, "primitives": 56, "context": 54, "summary": 177}
    rng = random.Random(1)

    def linear(name, outs, ins):
        weight = [rng.uniform(-1, 1) / ins ** 0.5 for _ in range(outs * ins)]
        return [(f"{name}.weight", [outs, ins], weight), (f"{name}.bias", [outs], [0.0] * outs)]

    tensors = []
    for view, n in columns.items():
        tensors += [(f"{view}_normaliser.shift", [n], [0.0] * n), (f"{view}_normaliser.scale", [n], [0.1] * n)]
    for member in ("member0", "member1"):
        for view in ("statements", "primitives"):
            tensors += linear(f"{member}.{view}.encoder.0", width, columns[view])
            tensors += linear(f"{member}.{view}.encoder.1", width, width)
        tensors += linear(f"{member}.fuse.0", fused, columns["context"] + columns["summary"] + 4 * width)
        tensors += linear(f"{member}.blocks.0", fused, fused) + linear(f"{member}.heads", 2, fused)
    return tensors


def hone_scorer():
    return scorer(HONE_FEATURES, "hone", tensors=hone_tensors(), options=HONE_OPTIONS)


def corrected_scorer():
    """The analysis, and one tree that likes what takes few cycles all the more."""
    columns, cycles = 79 + 177 + 54, 11
    tensors = [("trees.shape", [2], [columns, 1]), ("trees.column", [1, 1], [cycles]), ("trees.threshold", [1, 1], [12.0]),
               ("trees.leaf", [1, 2], [0.5, -0.5])]
    return scorer(f"code {CODE_VERSION}, summary {SUMMARY_VERSION}, context 1", "corrected", tensors=tensors, options=(("cycles_column", str(cycles)),))


def scorer(features="statements 1, embedding 1", kind="tenset-mlp", version=2, metrics=(), tensors=None, tasks=(),
           options=(), platforms=()):
    tensors = tensors or mlp_tensors()
    names = json.dumps({"tensors": [[name, shape] for name, shape, _ in tensors]})
    weights = names.encode() + b"\n" + b"".join(struct.pack(f"<{len(v)}f", *v) for _, _, v in tensors)
    header = {"hone_scorer": version, "kind": kind, "features": features, "data_hash": "0" * 16, "tasks": list(tasks),
              "metrics": [list(metric) for metric in metrics], "options": [list(option) for option in options], "curves": [],
              **({"target": "", "platforms": [list(platform) for platform in platforms]} if platforms else {}), "weights": checksum(weights)}
    return json.dumps(header).encode() + b"\n" + weights


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """A field of a protobuf message: a whole number, or bytes, or a text."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def port(name, *shape):
    dimensions = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)))


def onnx(name="summary", columns=177, version=str(SUMMARY_VERSION), weight=0.01):
    """score = NAME times a column of equal weights."""
    node = field(1, name) + field(1, "weight") + field(2, "score") + field(4, "MatMul")
    tensor = (field(1, columns) + field(1, 1) + field(2, 1) + field(8, "weight")
              + field(9, struct.pack("<f", weight) * columns))
    graph = (field(1, node) + field(2, "tiny") + field(5, tensor) + field(11, port(name, "batch", columns))
             + field(12, port("score", "batch", 1)))
    note = field(1, f"hone.feature.{name}") + field(2, version) if version else b""
    return (field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))
            + (field(14, note) if note else b""))


def identity_onnx():
    """y = x, of four numbers: a network without any computation."""
    graph = (field(1, field(1, "x") + field(2, "y") + field(4, "Identity")) + field(2, "tiny")
             + field(11, port("x", 4)) + field(12, port("y", 4)))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))
