"""An engine in a process of its own, which sleeps unless it is its turn."""
import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from environment import CACHE, FOLDER

SERVE = FOLDER / "engines/serve.py"


class EngineFailed(Exception):
    """The engine cannot run the model; the message is the end of what it said."""


class EngineProcess:
    """Threads of several engines that wait awake would disturb each other, so all but one are stopped."""

    def __init__(self, command: list[str | Path], name: str, threads: int) -> None:
        self.name = name
        self.log = tempfile.TemporaryFile("w+")
        # OpenMP's pool is made before an engine could say how large it may be.
        environment = os.environ | {"OMP_NUM_THREADS": str(threads), "TORCHINDUCTOR_CACHE_DIR": str(CACHE / "inductor")}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        text=True, env=environment)
        try:
            self.error: float = self.answer()["error"]  # against the reference outputs
        except EngineFailed:
            self.close()
            raise
        self.stop()

    @classmethod
    def start(cls, python: Path, engine: str, model: Path, threads: int, reference: Path,
              name: str | None = None) -> "EngineProcess":
        return cls([python, SERVE, engine, model, str(threads), reference], name or engine, threads)

    def fastest_ms(self, runs: int) -> float:
        """The fastest of so many runs, one after the other."""
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        fastest: float = self.answer()["fastest_ms"]
        self.stop()
        return fastest

    def answer(self) -> dict[str, float]:
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code = self.process.wait()
        self.log.seek(0)
        said = self.log.read().strip().splitlines()
        raise EngineFailed(f"{self.name} ended with {code}: {said[-1] if said else 'it said nothing'}")

    def stop(self) -> None:
        """Returns when the process is stopped, not before: its threads may be spinning."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def cpu_s(self) -> float:
        """Processor time of all its threads so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.log):
            file.close()
