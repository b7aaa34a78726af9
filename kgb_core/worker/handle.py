"""The conductor's end of a worker: start it, ask it one thing at a time, leave nothing of it."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil
from pydantic import BaseModel, ValidationError

from kgb_core.models.device import Device
from kgb_core.worker import sandbox
from kgb_core.worker.answers import ANSWERS
from kgb_core.worker.channel import (
    ChannelClosed,
    ChannelTimeout,
    Message,
    ProtocolViolation,
    channel_pair,
)
from kgb_core.worker.protocol import PROTOCOL, REPLIES, Hello, Reply, WorkerSettings
from kgb_core.worker.sandbox import Sandbox

CANDIDATE_MODULE = "kgb_core.worker"
REFERENCE_MODULE = "kgb_core.judge.reference"
START_SECONDS = 120.0
_PR_SET_CHILD_SUBREAPER = 36
_ERROR = re.compile(r"^[\w.]+(Error|Exception|Exit|Interrupt)\b")
_EXIT_SECONDS = 1.0
"""A worker whose socket has ended ends within this, or has closed it by itself."""
_KILLED_SECONDS = 5.0
_OUTPUT_BYTES = 16 << 10


@dataclass(frozen=True)
class WorkerPlan:
    """How workers of one kind are started.

    Attributes:
        module: what `python -m` runs.
        python: the interpreter.
        backend, device: passed on.
        environment: what the backend adds.
        level: the sandbox.
        scratch_root: where scratch directories are made.
        hidden: what a candidate must not read: the bundle.
        memory_bytes: cap on the address space.
    """

    module: str
    backend: str
    device: Device
    environment: dict[str, str]
    level: Sandbox
    scratch_root: Path
    hidden: Path
    python: str = sys.executable
    memory_bytes: int | None = None


@dataclass(frozen=True)
class Answered:
    """A reply and the buffers that came with it; the receiver closes them."""

    reply: Reply
    message: Message


class WorkerGone(Exception):
    """The worker ended, broke the protocol, or did not answer in time.

    Attributes:
        reason: `timeout`, `violation` or `exit`.
        detail: a signal's name, an exit code, or what was violated.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class WorkerProcess:
    """One running worker.

    The constructor returns at once; `wait_ready` waits until it is warm. `kill` ends it with everything that
    it
    started and removes its scratch directory.
    """

    def __init__(self, plan: WorkerPlan) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="worker-", dir=plan.scratch_root))
        self._channel, theirs = channel_pair()
        self._hello: Hello | None = None
        self.busy_seconds = 0.0
        """Spent on requests so far; starting up is not in it."""
        with theirs:
            settings = self._settings(plan, theirs.fileno())
            argv = [plan.python, "-m", plan.module, settings.model_dump_json()]
            self._process = subprocess.Popen(
                sandbox.command(plan.level, argv, self.scratch, plan.hidden),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[theirs.fileno()],
                env=sandbox.environment(self.scratch, plan.environment),
                cwd=self.scratch,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        self._output = _Drain(self._process.stdout)

    def _settings(self, plan: WorkerPlan, channel: int) -> WorkerSettings:
        return WorkerSettings(
            backend=plan.backend,
            device=plan.device,
            channel=channel,
            parent=os.getpid(),
            scratch=str(self.scratch),
            sandbox=plan.level,
            memory_bytes=plan.memory_bytes,
        )

    @property
    def last_words(self) -> str:
        """The error that a dead worker ended with: from the last line that names one."""
        self._output.wait()
        lines = self.output.strip().splitlines()
        named = [index for index, line in enumerate(lines) if _ERROR.match(line)]
        return " ".join(lines[named[-1] :] if named else lines[-1:])

    @property
    def output(self) -> str:
        """What the worker and its candidate printed, capped."""
        return self._output.text

    def wait_ready(self, timeout: float = START_SECONDS) -> Hello:
        """Wait until the worker is warm.

        Raises:
            WorkerGone: it did not come up.
        """
        if self._hello is None:
            reply = self._receive(timeout).reply
            if not isinstance(reply, Hello) or reply.protocol != PROTOCOL:
                raise WorkerGone("violation", f"first message was {reply.kind}")
            self._hello = reply
        return self._hello

    def ask(self, request: BaseModel, timeout: float, descriptors: list[int] | None = None) -> Answered:
        """Send a request and wait for its one reply.

        Args:
            request: what to do.
            timeout: seconds.
            descriptors: buffers to pass along; they stay the caller's.

        Raises:
            WorkerGone: no reply came; the worker must be killed.
        """
        self.wait_ready()
        if self._channel.pending():
            self._refuse_unasked()
        began = time.monotonic()
        try:
            self._channel.send(request, descriptors)
            return _fitting(request, self._receive(timeout))
        except ChannelClosed as error:
            raise self._gone() from error
        finally:
            self.busy_seconds += time.monotonic() - began

    def _refuse_unasked(self) -> None:
        try:
            self._channel.receive(timeout=1.0).close()
        except ChannelClosed as error:
            raise self._gone() from error
        except (ChannelTimeout, ProtocolViolation):
            pass
        raise WorkerGone("violation", "a message came that nobody had asked for")

    def _receive(self, timeout: float) -> Answered:
        try:
            message = self._channel.receive(timeout)
        except ChannelTimeout as error:
            raise WorkerGone("timeout", f"no reply in {timeout:.0f} s") from error
        except ChannelClosed as error:
            raise self._gone() from error
        except ProtocolViolation as error:
            raise WorkerGone("violation", str(error)) from error
        try:
            return Answered(REPLIES.validate_json(message.text), message)
        except ValidationError as error:
            message.close()
            raise WorkerGone("violation", f"a reply that is none: {error.error_count()} errors") from error

    def _gone(self) -> WorkerGone:
        try:
            code = self._process.wait(timeout=_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return WorkerGone("exit", "closed its descriptors")
        return WorkerGone("exit", _ending(code))

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    def interrupt(self) -> None:
        """Kill the process from another thread; whoever waits for its reply is told that it is gone."""
        _kill_group(self._process.pid)

    def kill(self) -> None:
        """End the worker and all that it started; remove what it wrote. Safe to call twice."""
        family = self._family()
        for process in family:
            _kill(process)
        _kill_group(self._process.pid)
        self._process.wait()
        strays = _strays(self.scratch)
        for process in strays:
            _kill(process)
        psutil.wait_procs([*family, *strays], timeout=_KILLED_SECONDS)
        _reap_group(self._process.pid)
        self._channel.close()
        self._output.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _family(self) -> list[psutil.Process]:
        try:
            root = psutil.Process(self._process.pid)
            return [*root.children(recursive=True), root]
        except psutil.NoSuchProcess:
            return []


def adopt_orphans() -> None:
    """Let this process become the parent of whatever a worker leaves behind, so that it can be found."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _strays(scratch: Path) -> list[psutil.Process]:
    """Orphans of a dead worker, known by the scratch directory in their environment."""
    return [
        p for p in psutil.Process().children(recursive=True) if _environment(p).get("TMPDIR") == str(scratch)
    ]


def _environment(process: psutil.Process) -> dict[str, str]:
    try:
        found: dict[str, str] = process.environ()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return {}
    return found


def _kill(process: psutil.Process) -> None:
    """Send the signal only: a child stays a zombie until its parent, which may be next, is dead too."""
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return


def _kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _reap_group(leader: int) -> None:
    """Collect what the worker's launcher left to us: the first process of its namespace."""
    ends = time.monotonic() + _EXIT_SECONDS
    while time.monotonic() < ends:
        try:
            reaped, _ = os.waitpid(-leader, os.WNOHANG)
        except ChildProcessError:
            return
        if not reaped:
            time.sleep(0.01)


def _fitting(request: BaseModel, answered: Answered) -> Answered:
    """The reply, if it is one that answers such a request: a candidate can write a well-formed other one."""
    kinds = ANSWERS.get(getattr(request, "kind", ""))
    if kinds is not None and not isinstance(answered.reply, kinds):
        answered.message.close()
        raise WorkerGone("violation", f"{answered.reply.kind} does not answer {getattr(request, 'kind', '')}")
    return answered


def _ending(code: int) -> str:
    number = -code if code < 0 else code - 128
    if code < 0 or code > 128:
        try:
            return f"signal {signal.Signals(number).name}"
        except ValueError:
            return f"exit code {code}"
    return f"exit code {code}"


class _Drain:
    """Reads a worker's output so that it never blocks, and keeps the first part of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = bytearray()
        self._total = 0
        self._thread = threading.Thread(target=self._run, name="worker output", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while chunk := self._stream.read1(1 << 16):  # type: ignore[attr-defined]
            self._kept += chunk[: max(0, _OUTPUT_BYTES - len(self._kept))]
            self._total += len(chunk)

    @property
    def text(self) -> str:
        """What was kept, and how much was dropped."""
        kept = bytes(self._kept).decode(errors="replace")
        dropped = self._total - len(self._kept)
        return f"{kept}\n… {dropped} more bytes" if dropped > 0 else kept

    def wait(self) -> None:
        """Wait for the end of the output; the writers are dead, or will be."""
        self._thread.join(timeout=_EXIT_SECONDS)

    def close(self) -> None:
        """Let go of the output; the writers are dead."""
        self._thread.join(timeout=_KILLED_SECONDS)
        self._stream.close()
