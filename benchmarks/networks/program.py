"""What the programs of this folder share: reading lists of names, and how they end."""
import argparse
import sys
from collections.abc import Callable

from engine_process import EngineFailed
from environment import Stop, say


def chosen(known: list[str]) -> Callable[[str], list[str]]:
    """Reads a,b and refuses what is not known."""
    def read(text: str) -> list[str]:
        names = text.split(",")
        if unknown := sorted(set(names) - set(known)):
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(known)}")
        return names
    return read


def run_program(main: Callable[[], int]) -> None:
    try:
        sys.exit(main())
    except (Stop, EngineFailed) as reason:
        say(f"error: {reason}")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
