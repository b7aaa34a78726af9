"""What loading a plugin and asking who it is does to a process: seen in a process of its own.

`python -m kgb_core.testing.alone VENDOR` prints it as JSON.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from typing import Any

from kgb_core.models.base import FrozenModel
from kgb_core.plugins.installed import GROUP

HEAVY = ("torch", "triton")
_EVENTS = frozenset(
    "import open os.listdir os.scandir os.exec os.posix_spawn os.system subprocess.Popen ctypes.dlopen "
    "socket.connect".split()
)
"""Audit events of what `kgb_backend_info` must not do."""


class Seen(FrozenModel):
    """What a process was seen to do.

    Attributes:
        heavy: which of torch and triton were imported with the plugin.
        events: what `kgb_backend_info` did beside answering.
        same: whether it answered the same the second time.
    """

    heavy: tuple[str, ...]
    events: tuple[str, ...]
    same: bool


def seen_alone(vendor: str) -> Seen:
    """Load a plugin in a fresh process and watch.

    Args:
        vendor: the name of its entry point.
    """
    command = [sys.executable, "-m", "kgb_core.testing.alone", vendor]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=120)
    return Seen.model_validate_json(done.stdout.splitlines()[-1])


class _Watch:
    """Notes audit events while it is on; an audit hook can't be taken away."""

    def __init__(self) -> None:
        self.on = False
        self.events: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and event in _EVENTS:
            self.events.append(f"{event} {arguments[0] if arguments else ''}".strip())


def _observe(vendor: str) -> Seen:
    (point,) = entry_points(group=GROUP, name=vendor)
    plugin = point.load()()
    heavy = tuple(name for name in HEAVY if name in sys.modules)
    watch = _Watch()
    sys.addaudithook(watch)
    watch.on = True
    first, second = plugin.kgb_backend_info(), plugin.kgb_backend_info()
    watch.on = False
    return Seen(heavy=heavy, events=tuple(watch.events), same=first == second)


if __name__ == "__main__":
    print(_observe(sys.argv[1]).model_dump_json())
