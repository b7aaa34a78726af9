"""The conductor's end of a worker: every way in which a worker fails, and that nothing of it is left."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch

from kgb_core.worker.buffers import Packer, read_bytes, unpack
from kgb_core.worker.handle import WorkerGone, WorkerPlan, WorkerProcess
from kgb_core.worker.protocol import (
    PROTOCOL,
    Called,
    CallRequest,
    Collected,
    CollectRequest,
    Loaded,
    LoadRequest,
    NamedValue,
    TensorValue,
)

LOAD = LoadRequest(path="x", entry="x", translate=False)
LIMIT = 30.0

Stubs = Callable[[str], WorkerPlan]
Start = Callable[[WorkerPlan], WorkerProcess]
Below = Callable[[], list[psutil.Process]]


@pytest.mark.parametrize(
    ("behaviour", "reason", "detail"),
    [
        ("exits", "exit", "exit code 7"),
        ("dies", "exit", "signal SIGSEGV"),
        ("closes", "exit", "closed its descriptors"),
        ("garbage", "violation", "a reply that is none"),
        ("endless", "violation", "announces 2147483648 bytes"),
        ("hangs", "timeout", "no reply in 0 s"),
    ],
)
def test_how_a_worker_ended_is_told(
    stub_plan: Stubs, started: Start, behaviour: str, reason: str, detail: str
) -> None:
    worker = started(stub_plan(behaviour))
    worker.wait_ready()
    with pytest.raises(WorkerGone) as caught:
        worker.ask(LOAD, timeout=0.3 if reason == "timeout" else LIMIT)
    assert caught.value.reason == reason
    assert detail in caught.value.detail


@pytest.mark.parametrize(
    ("behaviour", "reason", "detail"),
    [
        ("never ready", "exit", "exit code 1"),
        ("no hello", "violation", "first message was loaded"),
        ("too new", "violation", "first message was hello"),
        ("slow to start", "timeout", "no reply"),
    ],
)
def test_a_worker_that_does_not_come_up(
    stub_plan: Stubs, started: Start, behaviour: str, reason: str, detail: str
) -> None:
    worker = started(stub_plan(behaviour))
    with pytest.raises(WorkerGone) as caught:
        worker.wait_ready(1.0 if reason == "timeout" else LIMIT)
    assert (caught.value.reason, detail in caught.value.detail) == (reason, True)


def test_its_last_words_are_kept(stub_plan: Stubs, started: Start) -> None:
    worker = started(stub_plan("never ready"))
    with pytest.raises(WorkerGone):
        worker.wait_ready(LIMIT)
    worker.kill()
    assert worker.last_words == worker.output.strip() == "no device"


def test_a_message_that_nobody_asked_for_is_a_violation(stub_plan: Stubs, started: Start) -> None:
    worker = started(stub_plan("talks"))
    assert isinstance(worker.ask(LOAD, LIMIT).reply, Loaded)
    time.sleep(0.1)
    with pytest.raises(WorkerGone) as caught:
        worker.ask(LOAD, LIMIT)
    assert caught.value.reason == "violation"


def test_a_worker_that_left_between_two_requests(stub_plan: Stubs, started: Start) -> None:
    worker = started(stub_plan("leaves after"))
    worker.ask(LOAD, LIMIT)
    with pytest.raises(WorkerGone) as caught:
        worker.ask(LOAD, LIMIT)
    assert (caught.value.reason, caught.value.detail) == ("exit", "exit code 0")


def test_printed_text_is_kept_up_to_a_limit(stub_plan: Stubs, started: Start) -> None:
    worker = started(stub_plan("prints"))
    for _ in range(3):
        worker.ask(LOAD, LIMIT)
    worker.kill()
    assert worker.output.startswith("first words\nxxx")
    assert len(worker.output) < 20_000
    assert worker.output.endswith("more bytes")


def test_starting_up_and_idling_are_not_its_time(stub_plan: Stubs, started: Start) -> None:
    worker = started(stub_plan("hangs"))
    worker.wait_ready()
    assert worker.busy_seconds == 0
    with pytest.raises(WorkerGone):
        worker.ask(LOAD, timeout=0.3)
    assert 0.3 <= worker.busy_seconds < 10


def test_killing_leaves_no_process_and_no_directory(stub_plan: Stubs, started: Start, below: Below) -> None:
    worker = started(stub_plan("has children"))
    worker.ask(LOAD, LIMIT)
    assert worker.alive
    assert len(below()) == 4, "the worker, a child, one in its own session, and an orphan"
    assert (worker.scratch / "made").exists()
    before = len(os.listdir("/proc/self/fd"))
    worker.kill()
    worker.kill()
    assert below() == []
    assert not worker.scratch.exists()
    assert not worker.alive
    assert len(os.listdir("/proc/self/fd")) == before - 2


def test_an_interrupt_from_another_thread_wakes_who_waits(stub_plan: Stubs, started: Start) -> None:
    worker = started(stub_plan("hangs"))
    worker.wait_ready()
    timer = threading.Timer(0.2, worker.interrupt)
    timer.start()
    began = time.monotonic()
    with pytest.raises(WorkerGone) as caught:
        worker.ask(LOAD, timeout=60)
    assert caught.value.detail == "signal SIGKILL"
    assert time.monotonic() - began < LIMIT
    timer.join()


def test_every_worker_has_a_directory_of_its_own(stub_plan: Stubs, started: Start) -> None:
    first, second = (started(stub_plan("serves")) for _ in range(2))
    assert first.scratch != second.scratch
    assert first.wait_ready().sandbox == str(first.scratch), "the stub tells its TMPDIR here"


SOURCE = """
def entry(x, n=1):
    print("called")
    return x * n
"""


def test_a_real_worker_loads_calls_and_hands_over(
    plan_of: Callable[..., WorkerPlan], started: Start, below: Below, tmp_path: Path
) -> None:
    worker = started(plan_of())
    hello = worker.wait_ready()
    assert (hello.protocol, hello.torch, hello.sandbox) == (PROTOCOL, torch.__version__, "process")
    path = worker.scratch / "law__entry.py"
    path.write_text(SOURCE)
    assert isinstance(
        worker.ask(LoadRequest(path=str(path), entry="entry", translate=True), LIMIT).reply, Loaded
    )
    x = torch.arange(12.0).reshape(3, 4).t()
    called = _call(worker, {"x": x, "n": 3})
    assert called.call_ns >= called.device_ns > 0
    assert called.observations.aten == {"aten::mul": 1}
    answered = worker.ask(CollectRequest(), LIMIT)
    assert isinstance(answered.reply, Collected)
    (output,) = answered.reply.outputs
    assert isinstance(output.value, TensorValue)
    assert torch.equal(_contents(output.value, answered.message.descriptors), x * 3)
    answered.message.close()
    assert 0 < worker.busy_seconds < LIMIT
    worker.kill()
    assert "called" in worker.output
    assert below() == []
    assert list((tmp_path / "bundle" / "scratch").iterdir()) == []


def _call(worker: WorkerProcess, values: dict[str, Any]) -> Called:
    packer = Packer()
    arguments = tuple(NamedValue(name=name, value=packer.value(value)) for name, value in values.items())
    request = CallRequest(arguments=arguments, positional=1, audit=True, poison=1)
    answered = worker.ask(request, LIMIT, packer.descriptors)
    packer.close()
    answered.message.close()
    assert isinstance(answered.reply, Called)
    return answered.reply


def _contents(value: TensorValue, descriptors: list[int]) -> torch.Tensor:
    """The elements, which travel in row-major order."""
    plain = value.model_copy(update={"stride": torch.empty(value.shape).stride(), "offset": 0})
    data = read_bytes(descriptors[value.buffer], value.storage_bytes)
    found: torch.Tensor = unpack(plain, {value.buffer: data}, torch.device("cpu"))  # type: ignore[arg-type]
    return found
