"""Artefacts and peers on one model: all of them checked, then timed in turns."""
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from engine_process import EngineFailed, EngineProcess
from environment import FOLDER, Stop, say
from rounds import Samples, measure

PEERS = ["onnxruntime", "openvino", "torch"]
PEER_TOLERANCE = 1e-3  # a peer that computes something else has no time worth comparing


@dataclass
class Contest:
    """What became of it."""
    samples: Samples = field(default_factory=lambda: Samples({}, 0.0))
    errors: dict[str, float] = field(default_factory=dict)  # of the artefacts, against ONNX Runtime
    failed: dict[str, str] = field(default_factory=dict)  # peers that cannot run the model, and why

    def peers_ms(self) -> dict[str, list[float]]:
        return {name: times for name, times in self.samples.fastest_ms.items() if name not in self.errors}


def make_reference(python: Path, model: Path, folder: Path) -> None:
    """Random inputs, and what ONNX Runtime makes of them."""
    if subprocess.run([python, "-m", "engines.reference", model, folder], cwd=FOLDER).returncode != 0:
        raise Stop(f"ONNX Runtime cannot run {model.name}: its reason is above")


def start_peer(python: Path, peer: str, model: Path, threads: int, folder: Path) -> EngineProcess:
    engine = EngineProcess.start(python, peer, model, threads, folder)
    if engine.error > PEER_TOLERANCE:
        engine.close()
        raise EngineFailed(f"{peer} is off by {engine.error:.1e}")
    return engine


def hold(python: Path, model: Path, artefacts: Mapping[str, Path], peers: Sequence[str], threads: int, rounds: int,
         folder: Path) -> Contest:
    """Everybody starts with the same inputs, which `folder` is to hold, and runs on so many threads."""
    make_reference(python, model, folder)
    contest = Contest()
    with ExitStack() as stack:
        engines = []
        for name, artefact in artefacts.items():
            engine = EngineProcess.start(python, "hone", artefact, threads, folder, name)
            stack.callback(engine.close)
            contest.errors[name] = engine.error
            engines.append(engine)
        for peer in peers:
            try:
                engine = start_peer(python, peer, model, threads, folder)
            except EngineFailed as failure:
                contest.failed[peer] = str(failure)
                say(f"warning: {failure}; the comparison goes on without it")
                continue
            stack.callback(engine.close)
            engines.append(engine)
        if len(engines) == len(artefacts):
            raise Stop(f"no peer can run {model.name}")
        contest.samples = measure(engines, rounds)
    return contest
