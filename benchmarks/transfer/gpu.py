"""From GPU to GPU: public records of three of them."""
import json
from collections import Counter

from rows import (ATFORMER, ATFORMER_1L, ATFORMER_M, HONE, HONE_SCRATCH, MTL_TLP, SMALL_BATCH, TLP_SCRATCH,
                  TLP_TUNED)
from table import ALL, Machine, Row, Table, Transfer

# MobileNet-V2's tasks on the A100 have digests for names; of these only pooling and softmax are not heavy.
LIGHT = ("relu_layer", "pool_layer", "reduction_layer", "da640b59f7f83066caed1c4a23175a18",
         "7d79c516e212fe1d73f5dbb90eaca2cf")
PADDED = ("conv2d_layer", "depthwise_conv2d_layer", "pool_layer")
K80 = Machine("k80", "ansor_k80_nnfusion.jsonl.gz")
V100 = Machine("v100", "ansor_v100_nnfusion.jsonl.gz")
A100 = Machine("a100", "ansor_cuda_sm_80_bennu.jsonl.gz", prove_computations=True)
LOG_NUMBERS = {**SMALL_BATCH, "numbers": "log"}  # not as published: loops have up to 3x10^8 iterations here
TLP_LOG_SCRATCH = Row("TLP log, from scratch", "tlp", "scratch", LOG_NUMBERS)
MTL_TLP_LOG = Row("MTL-TLP log", "mtl-tlp", "together", LOG_NUMBERS)


def is_heavy(key: str, _: Counter[str]) -> bool:
    return json.loads(key)[0] not in LIGHT


def is_light(key: str, structures: Counter[str]) -> bool:
    return not is_heavy(key, structures)


def same_task(key: str) -> str:
    """A padding of 0 is "VALID" in other words."""
    words = json.loads(key)
    if words[0] in PADDED and words[-1] == 0:
        words[-1] = "VALID"
    return json.dumps(words)


GPU = Table(
    name="gpu", title="Transfer between GPUs",
    machines=[K80, V100, A100],
    transfers=[Transfer(["k80"], "v100"), Transfer(["v100"], "k80"), Transfer(["k80", "v100"], "a100")],
    labels=[0, 64, 256, 1024, ALL],
    rows=[HONE, HONE_SCRATCH, TLP_SCRATCH, TLP_TUNED, MTL_TLP, TLP_LOG_SCRATCH, MTL_TLP_LOG, ATFORMER_1L, ATFORMER,
          ATFORMER_M],
    parts={"conv, depthwise, matmul": is_heavy, "the rest": is_light},
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
