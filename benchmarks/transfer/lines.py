"""Lines of computations as TVM prints them, which guesses are made of."""
Shape = list[int]


def axes(shape: Shape, letter: str = "ax") -> str:
    return ", ".join(f"{letter}{axis}" for axis in range(len(shape)))


def placeholder(name: str, shape: Shape) -> str:
    return f"{name} = PLACEHOLDER {shape}"


def padded(name: str, data: str, shape: Shape, padding: dict[int, int], outside: str = "0f", letter: str = "i") -> str:
    """Of some axes so many elements on both sides; a copy where there are none."""
    all_axes = axes(shape, letter)
    padding = {axis: elements for axis, elements in padding.items() if elements}
    if not padding:
        return f"{name}({all_axes}) = {data}[{all_axes}]"
    condition = ""
    for axis, elements in padding.items():
        for inside in (f"({letter}{axis} >= {elements})", f"({letter}{axis} < {shape[axis] + elements})"):
            condition = f"({condition} && {inside})" if condition else inside
    at = [f"({letter}{axis} - {padding[axis]})" if axis in padding else f"{letter}{axis}" for axis in range(len(shape))]
    return f"{name}({all_axes}) = tir.if_then_else({condition}, {data}[{', '.join(at)}], {outside})"


def at(axis: str, kernel_axis: str, stride: int) -> str:
    return f"({axis} + {kernel_axis})" if stride == 1 else f"(({axis}*{stride}) + {kernel_axis})"


def padding_of(data: int, kernel: int, stride: int, out: int) -> int | None:
    """On both sides, the least that gives so many results; None where none does."""
    return next((padding for padding in range(kernel) if (data + 2 * padding - kernel) // stride + 1 == out), None)
