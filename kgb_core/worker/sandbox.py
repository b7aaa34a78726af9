"""Confining a worker with the strongest means that the machine offers, and saying which that was.

`bubblewrap` gives a process-id namespace, a read-only file system and no network, from outside. `landlock`
lets the
worker give up writing and TCP by itself. `process` is what is always there: a session of its own, limits, a
private scratch directory and an environment without secrets.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from enum import Enum
from functools import cache
from pathlib import Path

from kgb_core.errors import UsageError
from kgb_core.worker import landlock

_SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|COOKIE|(^|_)(API_?)?KEY($|_)|^(AWS|AZURE|GOOGLE|SSH|GPG|GIT)_|^KGB_",
    re.I,
)


class Sandbox(str, Enum):
    """How a worker is confined."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    PROCESS = "process"


def choose(wanted: str = "auto") -> Sandbox:
    """The sandbox to use.

    Args:
        wanted: `auto` for the strongest that works here, or a name.

    Raises:
        UsageError: the named one is unknown or does not work here.
    """
    if wanted == "auto":
        return next(level for level in Sandbox if _works(level))
    try:
        level = Sandbox(wanted)
    except ValueError:
        names = ", ".join(["auto", *(level.value for level in Sandbox)])
        raise UsageError(f"no sandbox {wanted}.", f"known: {names}") from None
    if not _works(level):
        raise UsageError(
            f"sandbox {wanted} does not work here.", hint="--sandbox auto takes the strongest that does"
        )
    return level


def describe() -> str:
    """One line for `kgb doctor`: the sandbox that `auto` takes, and what it gives."""
    level = choose()
    if level is Sandbox.BUBBLEWRAP:
        return f"{_bubblewrap_version()}: read-only file system, no network, own process namespace"
    if level is Sandbox.LANDLOCK:
        return f"landlock ABI {landlock.abi()}: read-only file system, no TCP"
    return "process: own session, limits and scratch directory; install bubblewrap for more"


def command(level: Sandbox, argv: list[str], scratch: Path, hidden: Path) -> list[str]:
    """The command line that starts `argv` confined.

    Args:
        level: the sandbox.
        argv: what to run.
        scratch: the one directory that stays writable.
        hidden: a directory above it that looks empty from inside; the run's seed lies there.
    """
    if level is not Sandbox.BUBBLEWRAP:
        return argv
    own = str(scratch)
    return [*_BUBBLEWRAP, "--tmpfs", str(hidden), "--bind", own, own, "--chdir", own, "--", *argv]


def environment(scratch: Path, extra: dict[str, str]) -> dict[str, str]:
    """The environment of a worker: the conductor's without secrets, and what the backend adds.

    Args:
        scratch: where home, temporary files and Triton's cache go.
        extra: the backend's variables.
    """
    kept = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    private = {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "TRITON_CACHE_DIR": str(scratch / "triton-cache"),
        "TRITON_HOME": str(scratch),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }
    return {**kept, **private, **extra}


_BUBBLEWRAP = (
    "bwrap --ro-bind / / --dev-bind /dev /dev --tmpfs /dev/shm --proc /proc "
    "--unshare-pid --unshare-net --unshare-ipc --die-with-parent --cap-drop ALL"
).split()


@cache
def _works(level: Sandbox) -> bool:
    if level is Sandbox.BUBBLEWRAP:
        return shutil.which("bwrap") is not None and _runs([*_BUBBLEWRAP, "--", "true"])
    if level is Sandbox.LANDLOCK:
        return landlock.abi() >= 1
    return True


def _runs(argv: list[str]) -> bool:
    try:
        return subprocess.run(argv, capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _bubblewrap_version() -> str:
    return subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=True).stdout.strip()
