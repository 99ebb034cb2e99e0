"""OpenVINO's CPU plugin in f32, for latency, its inputs and outputs set once."""
import openvino

from engines.engine import Tensors


class OpenVinoEngine:
    def __init__(self, model: str, threads: int, inputs: Tensors) -> None:
        # Without the precision the plugin computes in bf16 where the processor can.
        settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32",
                    "INFERENCE_NUM_THREADS": threads}
        compiled = openvino.Core().compile_model(model, "CPU", settings)
        self.request = compiled.create_infer_request()
        self.inputs = inputs  # the request only points into them
        for name, array in inputs.items():
            self.request.set_tensor(name, openvino.Tensor(array, shared_memory=True))
        self.made = {}
        for output in compiled.outputs:
            tensor = openvino.Tensor(output.get_element_type(), output.get_shape())
            self.request.set_tensor(output, tensor)
            self.made[output.get_any_name()] = tensor

    def run(self) -> None:
        self.request.infer(share_outputs=True)  # else the outputs are copied once more

    def outputs(self) -> Tensors:
        return {name: tensor.data for name, tensor in self.made.items()}
