"""What every engine can do, so that one loop times them all."""
from typing import Protocol

import numpy

Tensors = dict[str, numpy.ndarray]


class Engine(Protocol):
    """A network that is loaded and has its inputs and, where the engine allows it, memory for its outputs."""

    def __init__(self, model: str, threads: int, inputs: Tensors) -> None: ...

    def run(self) -> None:
        """One inference: this is what is timed."""

    def outputs(self) -> Tensors:
        """Of the last run, by name."""
