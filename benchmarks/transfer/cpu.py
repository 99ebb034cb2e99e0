"""From CPU to CPU: public records of four of them."""
import json
from collections import Counter

from rows import ATFORMER_M, HONE, HONE_SCRATCH, MTL_TLP, TLP_SCRATCH, TLP_TUNED
from table import ALL, Choice, Machine, Study, Table, Transfer

X86 = Machine("x86-24core", "ansor_x86_24core_thaisacs.stratified.jsonl.gz", Choice(cores=24, at_most=128),
              prove_computations=True, title="x86-24core")


def of_bennu(cores: int) -> Machine:
    """Its one log is of three machines. One function reads beyond its weights, which is no computation."""
    name = f"bennu-{cores}core"
    return Machine(name, "ansor_cpu_bennu.jsonl.gz", Choice(cores, without=("ansor_depthwise",), at_least=2),
                   facts=f"kind=cpu,isa=x86,cores={cores}", prove_computations=True, title=name)


MACHINES = [X86, of_bennu(4), of_bennu(8), of_bennu(16)]
NAMES = [machine.name for machine in MACHINES]
FEW = [0, 64, 256, ALL]  # of a machine that has no 1,024 programs to learn from, or no tasks to spread them over


def to(target: str, labels: list[int] | None = None, is_counted: bool = True) -> Transfer:
    return Transfer([name for name in NAMES if name != target], target, labels, is_counted=is_counted)


def has_unseen_shape(key: str, structures: Counter[str]) -> bool:
    return structures[json.loads(same_task(key))[0]] > 1


def has_unseen_structure(key: str, structures: Counter[str]) -> bool:
    return not has_unseen_shape(key, structures)


def same_task(key: str) -> str:
    """`ansor_mm` is `matmul` under its later name."""
    words = json.loads(key)
    return json.dumps(["matmul" if words[0] == "ansor_mm" else words[0], *words[1:]])


CPU = Table(
    name="cpu", title="Transfer between CPUs",
    machines=MACHINES,
    transfers=[to("x86-24core"), to("bennu-8core"), to("bennu-16core", FEW), to("bennu-4core", FEW, is_counted=False)],
    labels=[0, 64, 256, 1024, ALL],
    rows=[HONE, HONE_SCRATCH, TLP_SCRATCH, TLP_TUNED, MTL_TLP, ATFORMER_M],
    parts={"unseen shape": has_unseen_shape, "unseen structure": has_unseen_structure},
    same_task=same_task,
    features="tlp,statements,embedding,primitives,context,summary,machine",
    settings={"per_task": "64", "epochs": "50"},
    studies=[Study("bennu-8core",
                   [["x86-24core"], ["bennu-16core"], ["bennu-4core"], ["x86-24core", "bennu-16core"],
                    ["x86-24core", "bennu-4core", "bennu-16core"]],
                   {HONE.name: HONE_SCRATCH.name, MTL_TLP.name: TLP_SCRATCH.name}, [0, 256])],
    note="**x86-24core**: the records that state 24 cores, at most 128 of each of 707 tasks (88,446 programs, none "
         "failed). **Bennu's** one log is of three machines, told apart by the cores that records state; which "
         "processors they are nobody says. 8 cores: 15,175 programs of 33 tasks, 24 of them ResNet-18's with 41 to "
         "84 programs; 7,297 of the 7,308 that failed are of one matrix product. 16 cores: 398 programs of 136 "
         "tasks, two to four of each but for three, the ends of several searches: best of five says nothing there. "
         "4 cores: 3,604 programs of two matrix products, one of which has two names; that transfer is shown and "
         "not counted. Tasks of one program are left out, and a depthwise convolution whose definition reads beyond "
         "its weights. Nobody printed the computations of 55 tasks of x86-24core and of 50 of Bennu's; they are "
         "proven by the digests in their keys. Four of Bennu's, whose keys are names, are written as the program "
         "that recorded them has them (computations.py). So all models have all features of all programs. What was "
         "published of TLP and MTL-TLP is of other data.\n\n"
         "*Unseen shape*: another task of the table, on whatever machine, has the structure, which is all of a "
         "computation but its sizes; a source need not have it. *Unseen structure*: none has. All rows: 50 epochs "
         "that visit 64 programs of each task, others each time. ATFormer learns from the sources, then from the "
         "labels of the target.",
)
