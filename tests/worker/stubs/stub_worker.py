"""A worker without torch that behaves as its environment says: most of these ways are bad."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from kgb_core.worker.channel import Channel, ChannelClosed
from kgb_core.worker.protocol import PROTOCOL, Hello, Loaded, WorkerSettings

BEHAVIOUR = os.environ["STUB"]


def hello(protocol: int = PROTOCOL) -> Hello:
    return Hello(
        protocol=protocol, pid=os.getpid(), python="", torch="", triton=None, sandbox=os.environ["TMPDIR"]
    )


def behave(channel: Channel, end: socket.socket) -> None:
    """Answer requests, each in the way that was asked for."""
    while True:
        try:
            channel.receive().close()
        except ChannelClosed:
            return
        if BEHAVIOUR == "exits":
            sys.exit(7)
        if BEHAVIOUR == "dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        if BEHAVIOUR == "hangs":
            time.sleep(600)
        if BEHAVIOUR == "closes":
            end.close()
            time.sleep(600)
        if BEHAVIOUR == "garbage":
            end.sendall(struct.pack("!II", 5, 0) + b"hello")
        if BEHAVIOUR == "endless":
            end.sendall(struct.pack("!II", 2**31, 0))
        if BEHAVIOUR == "prints":
            print("first words")
            print("x" * 100_000, flush=True)
        if BEHAVIOUR == "has children":
            family()
        channel.send(Loaded())
        if BEHAVIOUR == "talks":
            channel.send(Loaded())
        if BEHAVIOUR == "leaves after":
            return


def family() -> None:
    """A child, a child in a session of its own, and an orphan of the latter's."""
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    subprocess.Popen(sleep)
    subprocess.Popen(sleep, start_new_session=True)
    fork = f"import subprocess; subprocess.Popen({sleep!r}, start_new_session=True)"
    subprocess.run([sys.executable, "-c", fork], check=True)
    Path(os.environ["TMPDIR"], "made").mkdir()


def main() -> None:
    settings = WorkerSettings.model_validate_json(sys.argv[1])
    end = socket.socket(fileno=settings.channel)
    channel = Channel(end)
    if BEHAVIOUR == "never ready":
        sys.exit("no device")
    if BEHAVIOUR == "slow to start":
        time.sleep(600)
    if BEHAVIOUR == "no hello":
        channel.send(Loaded())
    else:
        channel.send(hello(PROTOCOL + (BEHAVIOUR == "too new")))
    behave(channel, end)


if __name__ == "__main__":
    main()
