"""The conductor's end of a compiling worker: start it, ask it, leave nothing of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil
from pydantic import ValidationError

from kgb_core.crosscompile.protocol import CompileRequest, Ready, Settings
from kgb_core.crosscompile.records import Built, Status
from kgb_core.worker import sandbox
from kgb_core.worker.channel import ChannelClosed, ChannelTimeout, ProtocolViolation, channel_pair
from kgb_core.worker.sandbox import Sandbox

MODULE = "kgb_core.crosscompile.worker"
START_SECONDS = 120.0
_EXIT_SECONDS = 2.0
_ENVIRONMENT = {"TRITON_INTERPRET": "0", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The compiler and not the interpreter; one thread a worker, for they run side by side."""
_MEMORY_SHARE = 0.6


@dataclass(frozen=True)
class Workshop:
    """How workers are started.

    Attributes:
        root: where their scratch directories are made; nothing else of it is seen from inside.
        level: the sandbox.
    """

    root: Path
    level: Sandbox


class WorkerFailed(Exception):
    """No answer came.

    Attributes:
        status: what that says of the candidate.
    """

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status = status


class CompileWorker:
    """One running worker; `kill` ends it with all that it started, and removes its scratch directory."""

    def __init__(self, shop: Workshop, python: str) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="worker-", dir=shop.root))
        self._channel, theirs = channel_pair()
        self.triton = ""
        """The version of Triton that compiles here, once it has answered."""
        with theirs:
            settings = Settings(
                channel=theirs.fileno(),
                parent=os.getpid(),
                scratch=str(self.scratch),
                sandbox=shop.level,
                memory_bytes=int(psutil.virtual_memory().total * _MEMORY_SHARE),
            )
            argv = [python, "-m", MODULE, settings.model_dump_json()]
            self._process = subprocess.Popen(
                sandbox.command(shop.level, argv, self.scratch, shop.root),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[theirs.fileno()],
                env=sandbox.environment(self.scratch, _ENVIRONMENT),
                cwd=self.scratch,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        self._tail = _Tail(self._process.stdout)

    def ask(self, request: CompileRequest, timeout: float) -> Built:
        """Send a request and wait for its answer.

        Args:
            request: what to compile.
            timeout: seconds, starting up not counted.

        Raises:
            WorkerFailed: no answer came; the worker must be killed.
        """
        self._wait_ready()
        try:
            self._channel.send(request)
        except ChannelClosed as error:
            raise self._gone(Status.CRASHED) from error
        text = self._receive(timeout, Status.TIMEOUT, Status.CRASHED)
        try:
            return Built.model_validate_json(text)
        except ValidationError as error:
            raise WorkerFailed(
                Status.CRASHED, f"an answer that is none: {error.error_count()} errors"
            ) from error

    def _wait_ready(self) -> None:
        if not self.triton:
            text = self._receive(START_SECONDS, Status.HARNESS_ERROR, Status.HARNESS_ERROR)
            self.triton = Ready.model_validate_json(text).triton

    def _receive(self, timeout: float, late: Status, gone: Status) -> bytes:
        try:
            message = self._channel.receive(timeout)
        except ChannelTimeout as error:
            raise WorkerFailed(late, f"no answer in {timeout:.0f} s") from error
        except ChannelClosed as error:
            raise self._gone(gone) from error
        except ProtocolViolation as error:
            raise WorkerFailed(gone, f"an answer that is none: {error}") from error
        message.close()
        return message.text

    def _gone(self, status: Status) -> WorkerFailed:
        try:
            code = self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return WorkerFailed(status, "closed its socket")
        last = self._tail.last_line()
        return WorkerFailed(status, f"{_ending(code)}{f': {last}' if last else ''}")

    def interrupt(self) -> None:
        """End the worker only; `kill` is still to be called."""
        self._process.kill()

    def kill(self) -> None:
        """End the worker and its descendants."""
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self._process.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    child.kill()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._channel.close()
        self._tail.close()
        shutil.rmtree(self.scratch, ignore_errors=True)


def _ending(code: int) -> str:
    """`signal SIGSEGV`, or `exit code 3`; inside bubblewrap a signal is an exit code above 128."""
    number = -code if code < 0 else code - 128
    with suppress(ValueError):
        return f"signal {signal.Signals(number).name}"
    return f"exit code {code}"


class _Tail:
    """Reads what a worker and its candidate print, so that they never block, and keeps the end of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept: deque[bytes] = deque(maxlen=4)
        self._thread = threading.Thread(target=self._run, name="compile output", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while chunk := self._stream.read1(1 << 12):  # type: ignore[attr-defined]
            self._kept.append(chunk)

    def last_line(self) -> str:
        """The last line that says something."""
        self._thread.join(timeout=_EXIT_SECONDS)
        lines = b"".join(list(self._kept)).decode(errors="replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Wait for the end of the output; the writers are dead."""
        self._thread.join(timeout=_EXIT_SECONDS)
        if not self._thread.is_alive():
            self._stream.close()
