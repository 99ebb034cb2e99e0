"""From GPU to GPU: public records of three of them."""
import json

from table import ALL, Machine, Row, Table, Transfer

# MobileNet-V2's tasks on the A100 have digests for names; of these only pooling and softmax are not heavy.
LIGHT = ("relu_layer", "pool_layer", "reduction_layer", "da640b59f7f83066caed1c4a23175a18",
         "7d79c516e212fe1d73f5dbb90eaca2cf")
PADDED = ("conv2d_layer", "depthwise_conv2d_layer", "pool_layer")


def is_heavy(key: str) -> bool:
    return json.loads(key)[0] not in LIGHT


def same_task(key: str) -> str:
    """A padding of 0 is "VALID" in other words."""
    words = json.loads(key)
    if words[0] in PADDED and words[-1] == 0:
        words[-1] = "VALID"
    return json.dumps(words)


NO_VALIDATION = {"validation": "0"}  # the last epoch is kept, so nothing is chosen by it
SMALL_BATCH = {"batch": "1024"}  # of 4,096 as published an epoch has two; so it has as many as those of hone's model
ATFORMER = {"ATFormer-1L": {"layers": "1", "mask": "0"}, "ATFormer": {"mask": "0"}, "ATFormer-M": {}}

GPU = Table(
    name="gpu", title="Transfer between GPUs",
    machines=[
        Machine("k80", "ansor_k80_nnfusion.jsonl.gz"),
        Machine("v100", "ansor_v100_nnfusion.jsonl.gz"),
        Machine("a100", "ansor_cuda_sm_80_bennu.jsonl.gz", prove_computations=True),
    ],
    transfers=[Transfer(["k80"], "v100"), Transfer(["v100"], "k80"), Transfer(["k80", "v100"], "a100")],
    labels=[0, 64, 256, 1024, ALL],
    rows=[
        Row("hone", "hone", "together",
            {"machine": "descriptor", "adapters": "4", "trees": "0", **NO_VALIDATION}, is_ours=True),
        Row("hone, from scratch", "hone", "scratch", {"trees": "0", **NO_VALIDATION}),
        Row("TLP, from scratch", "tlp", "scratch", SMALL_BATCH),
        Row("TLP, fine-tuned", "tlp", "tuned", SMALL_BATCH),
        Row("MTL-TLP", "mtl-tlp", "together", SMALL_BATCH),
        *[Row(name, "atformer", "tuned", {**settings, **NO_VALIDATION}) for name, settings in ATFORMER.items()],
    ],
    parts={"conv, depthwise, matmul": is_heavy, "the rest": lambda key: not is_heavy(key)},
    same_task=same_task,
    features="tlp,statements,embedding,primitives,context,summary,machine",
    # Of tasks with thousands of programs an epoch draws some: 50 epochs see nearly all, and no task drowns the others.
    settings={"per_task": "64", "epochs": "50"},
    note="The records of K80 and V100 are independent searches; their tasks are made from readable keys. Of the A100's "
         "40 tasks 32 are MobileNet-V2's, whose computations nobody printed: they were written down again and are "
         "proven by the digests in their keys (computations.py), so that all models have all features of all programs. "
         "All rows: 50 epochs that visit 64 programs of each task, others each time. ATFormer learns from the sources, "
         "then from the labels of the target.",
)
