"""PyTorch: the ONNX graph as calls of torch's operators, compiled by Inductor with its weights frozen."""
import torch
from torch._inductor import config

from engines.engine import Tensors
from engines.onnx_to_torch import OnnxModule


class TorchEngine:
    def __init__(self, model: str, threads: int, inputs: Tensors) -> None:
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        # Constants may be folded and laid out anew: normalisation goes into convolutions, oneDNN packs weights.
        config.freezing = True
        module = OnnxModule(model)
        self.arguments = [torch.from_numpy(inputs[name]) for name in module.inputs]
        exported = torch.export.export(module, tuple(self.arguments), strict=False).module()
        self.module = torch.compile(exported)
        self.names = module.outputs
        self.run()

    def run(self) -> None:
        self.made = self.module(*self.arguments)  # torch has no way to say where outputs go

    def outputs(self) -> Tensors:
        return {name: tensor.numpy() for name, tensor in zip(self.names, self.made)}
