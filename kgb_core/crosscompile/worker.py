"""`python -m kgb_core.crosscompile.worker SETTINGS`: compiles one candidate for one target at a time."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from kgb_core.crosscompile.protocol import CompileRequest, Ready, Settings
from kgb_core.crosscompile.session import compile_for
from kgb_core.worker import landlock
from kgb_core.worker.channel import Channel, ChannelClosed
from kgb_core.worker.limits import die_with, limit
from kgb_core.worker.sandbox import Sandbox


def main(argv: list[str]) -> int:
    """Answer requests until the conductor goes away.

    Args:
        argv: one argument, the settings as JSON.
    """
    settings = Settings.model_validate_json(argv[0])
    die_with(settings.parent, namespaced=settings.sandbox is Sandbox.BUBBLEWRAP)
    limit(settings.memory_bytes)
    channel = Channel(socket.socket(fileno=settings.channel))
    ready = _imported()
    if settings.sandbox is Sandbox.LANDLOCK:
        landlock.confine([Path(settings.scratch), Path("/dev")])
    channel.send(ready)
    _serve(channel)
    return 0


def _imported() -> Ready:
    import torch
    import triton

    torch.set_num_threads(1)
    return Ready(triton=str(triton.__version__))


def _serve(channel: Channel) -> None:
    while True:
        try:
            message = channel.receive()
        except ChannelClosed:
            return
        channel.send(compile_for(CompileRequest.model_validate_json(message.text)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
