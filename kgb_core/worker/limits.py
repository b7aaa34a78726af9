"""What a worker does to itself before anything else: die with the conductor, and stay within limits."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1
_FILE_BYTES = 4 << 30


def die_with(parent: int, namespaced: bool) -> None:
    """Ask the kernel to kill this process when its parent ends; leave at once if that already happened.

    Args:
        parent: the conductor's process id.
        namespaced: True in a process-id namespace, where the conductor's id means nothing.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if not namespaced and os.getppid() != parent:
        sys.exit("the conductor is gone")


def limit(memory_bytes: int | None) -> None:
    """Forbid core dumps and huge files, and cap the address space where `memory_bytes` is given."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    if memory_bytes is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
