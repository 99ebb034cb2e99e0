"""Where things are, and the virtual environment of the peers."""
import subprocess
import sys
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
HONE = ROOT / "build/hone"
CACHE = ROOT / ".cache/networks"  # ignored by git; may be deleted at any time
REQUIREMENTS = FOLDER / "requirements.txt"


class Stop(Exception):
    """Ends the program with a message for people."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def require_hone() -> None:
    if not HONE.exists() or not (ROOT / "build/runtime/libhone_runtime.so").exists():
        raise Stop("hone is not built\n\nhint: ./tools/setup")


def peers_python() -> Path:
    """The interpreter that has the peers. They are installed when requirements.txt has changed since."""
    folder = CACHE / "venv"
    python, stamp = folder / "bin/python", folder / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    say(f"installing the peers into {folder.relative_to(ROOT)}; PyTorch is large, this takes minutes")
    venv.create(folder, clear=True, with_pip=True)
    if subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", REQUIREMENTS]).returncode != 0:
        raise Stop("the peers cannot be installed: pip's reason is above\n\n"
                   "hint: pip takes the index that you configured for it (`pip config list`)")
    stamp.write_text(wanted)
    return python
