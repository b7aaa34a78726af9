"""Measurements on a device, each in a process of its own that is set up as a worker of that device is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

import pytest
from pydantic import BaseModel

from kgb_core.models.base import FrozenModel
from kgb_core.models.device import Device
from kgb_core.models.timer import TimingMethod

Answer = TypeVar("Answer", bound=BaseModel)

SECONDS = 300.0
"""For one process; importing torch and opening a device takes some of them."""


class Task(str, Enum):
    """What a process is to do."""

    DISCOVER = "discover"
    WAIT = "wait"
    TIME = "time"
    IDENTIFY = "identify"
    HOLD = "hold"
    """Allocate, say so, and keep the memory until standard input ends."""
    ABORT = "abort"
    """Die with work queued."""
    WILD = "wild"
    """Launch a kernel that writes outside of its buffer."""
    HEALTH = "health"


class Request(FrozenModel):
    """A task for a device of a backend."""

    vendor: str
    device: Device
    task: Task


class Discovered(FrozenModel):
    """What discovery found in another process."""

    devices: tuple[Device, ...]


class Waited(FrozenModel):
    """One stream: how long queueing took, then `synchronize`, then reading what the work left behind."""

    stream: str
    queue_ns: int
    wait_ns: int
    read_ns: int


class Waiting(FrozenModel):
    """The default stream, and another where the device has more."""

    streams: tuple[Waited, ...]


class WorkTimes(FrozenModel):
    """Readings of one kind of work, in nanoseconds."""

    work: str
    truth_ns: float
    """What one more call costs by the host's clock over many: the slope."""
    one: tuple[int, ...]
    """One call."""
    two: tuple[int, ...]
    """The same call twice in one reading."""
    growing: tuple[int, ...]
    """The shortest reading each of one, two and four times the work in one call."""


class Times(FrozenModel):
    """All that a timer said."""

    timer: str
    method: TimingMethod
    works: tuple[WorkTimes, ...]
    empty: tuple[int, ...]
    """Readings of nothing."""
    short: tuple[int, ...]
    """Readings of next to nothing, for the resolution."""


class Identity(FrozenModel):
    """What a worker sees of its device."""

    count: int
    """Devices that torch counts."""
    identity: str = ""
    """By which torch tells devices apart; empty where it does not."""
    free_bytes: int | None = None


class Healthy(FrozenModel):
    """After a crash, in a fresh worker."""

    says: bool
    """What the backend answers."""
    computes: bool
    """Whether a small computation is right."""


@dataclass(frozen=True)
class Bench:
    """Starts measurements on one device.

    Attributes:
        vendor: of the backend.
        device: where.
        environment: of the processes.
    """

    vendor: str
    device: Device
    environment: Mapping[str, str]

    def ask(self, task: Task, kind: type[Answer]) -> Answer:
        """Have a process do a task, and return its answer; the rule fails where it gives none."""
        done = self.run(task)
        if done.returncode != 0:
            pytest.fail(f"{task.value}: the process ended with {done.returncode}: {_last(done.stderr)}")
        return kind.model_validate_json(done.stdout.splitlines()[-1])

    def run(self, task: Task) -> subprocess.CompletedProcess[str]:
        """Have a process do a task, however it ends."""
        return subprocess.run(
            self._command(task),
            capture_output=True,
            check=False,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=SECONDS,
        )

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Inside, another process holds memory of the device."""
        with subprocess.Popen(
            self._command(Task.HOLD),
            env=dict(self.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            process.stdout.readline()
            yield
            process.stdin.close()

    def _command(self, task: Task) -> list[str]:
        request = Request(vendor=self.vendor, device=self.device, task=task)
        return [sys.executable, "-m", "kgb_core.testing.measure", request.model_dump_json()]


def _last(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"
