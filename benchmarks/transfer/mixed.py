"""Between CPUs and GPUs: whether one kind of machine teaches anything about the other."""
import json

import cpu
import gpu
from rows import ATFORMER_M, HONE, HONE_SCRATCH
from table import Part, Study, Table, Transfer


def is_of_gpu(key: str) -> bool:
    """The records of both GPUs name functions, those of the CPU digests."""
    return json.loads(key)[0].endswith("_layer")


def of_gpu(part: Part) -> Part:
    return lambda key, structures: is_of_gpu(key) and part(key, structures)


def of_cpu(part: Part) -> Part:
    return lambda key, structures: not is_of_gpu(key) and part(key, structures)


LABELS = [0, 256, 1024]
WITHOUT_SOURCES = {HONE.name: HONE_SCRATCH.name}

MIXED = Table(
    name="mixed", title="Transfer between CPUs and GPUs",
    machines=[cpu.X86, gpu.K80, gpu.V100],
    transfers=[Transfer(["x86-24core"], "v100"), Transfer(["k80"], "v100"), Transfer(["x86-24core", "k80"], "v100"),
               Transfer(["k80", "v100"], "x86-24core")],
    labels=LABELS,
    rows=[HONE, HONE_SCRATCH, ATFORMER_M],
    parts={"conv, depthwise, matmul": of_gpu(gpu.is_heavy), "the rest": of_gpu(gpu.is_light),
           "unseen shape": of_cpu(cpu.has_unseen_shape), "unseen structure": of_cpu(cpu.has_unseen_structure)},
    same_task=gpu.same_task,
    features="statements,embedding,primitives,context,summary,machine",
    settings=gpu.GPU.settings,
    studies=[Study("v100", [["x86-24core"], ["k80"], ["x86-24core", "k80"]], WITHOUT_SOURCES, LABELS),
             Study("x86-24core", [["k80", "v100"]], WITHOUT_SOURCES, LABELS)],
    note="x86-24core: the records that state 24 cores, at most 128 of each of 707 tasks (88,446 programs). K80 and "
         "V100: all records, as in the table of [GPUs](transfer_gpu.md), but other folds. No task of the CPU is one "
         "of the GPUs': layouts and batches differ. TLP and MTL-TLP cannot be here, because what they read of a "
         "step is of another width on GPUs; hone's views, and the statements that ATFormer reads, have one "
         "vocabulary for both. What is learned from scratch is the same in all transfers to a target; the sections "
         "on sources say what each of them adds to hone's model. Parts of V100 are those of the table of GPUs. Of "
         "x86-24core, *unseen shape*: another task has the structure; *unseen structure*: none has. All rows: 50 "
         "epochs that visit 64 programs of each task, others each time.",
)
