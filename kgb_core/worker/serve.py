"""The loop of every worker process: start up, say hello, answer one request at a time."""

from __future__ import annotations

import importlib
import os
import platform
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends
from kgb_core.worker import landlock
from kgb_core.worker.buffers import Packer
from kgb_core.worker.channel import Channel, ChannelClosed, Message
from kgb_core.worker.limits import die_with, limit
from kgb_core.worker.protocol import PROTOCOL, REQUESTS, ExitRequest, Hello, Request, WorkerSettings
from kgb_core.worker.sandbox import Sandbox

Handler = Callable[[Request, Message, Packer], BaseModel]
"""Answers one request; descriptors of the reply go into the packer."""


def main(argv: list[str], make_handler: Callable[[Backend, WorkerSettings], Handler]) -> int:
    """Run a worker.

    Args:
        argv: one argument, the settings as JSON.
        make_handler: makes what answers requests, once the backend is loaded and the device open.
    """
    settings = WorkerSettings.model_validate_json(argv[0])
    die_with(settings.parent, namespaced=settings.sandbox is Sandbox.BUBBLEWRAP)
    limit(settings.memory_bytes)
    channel = Channel(socket.socket(fileno=settings.channel))
    backend = _open(settings)
    handler = make_handler(backend, settings)
    if settings.sandbox is Sandbox.LANDLOCK:
        landlock.confine([Path(settings.scratch), Path("/dev")])
    channel.send(_hello(settings))
    _serve(channel, handler)
    return 0


def _open(settings: WorkerSettings) -> Backend:
    import torch

    loaded = load_backends([settings.backend])
    backend = loaded.get(settings.backend)
    backend.prepare_worker(settings.device)
    torch.zeros(1, device=backend.info.torch_device_type)
    return backend


def _hello(settings: WorkerSettings) -> Hello:
    import torch

    return Hello(
        protocol=PROTOCOL,
        pid=os.getpid(),
        python=platform.python_version(),
        torch=torch.__version__,
        triton=_triton_version(),
        sandbox=settings.sandbox.value,
    )


def _triton_version() -> str | None:
    try:
        triton: Any = importlib.import_module("triton")
    except ImportError:
        return None
    return str(triton.__version__)


def _serve(channel: Channel, handler: Handler) -> None:
    while True:
        try:
            message = channel.receive()
        except ChannelClosed:
            return
        request = REQUESTS.validate_json(message.text)
        if isinstance(request, ExitRequest):
            return
        packer = Packer()
        try:
            channel.send(handler(request, message, packer), packer.descriptors)
        finally:
            packer.close()
            message.close()
            sys.stdout.flush()
            sys.stderr.flush()
