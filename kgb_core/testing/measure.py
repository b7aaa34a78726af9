"""`python -m kgb_core.testing.measure REQUEST`: one measurement in a process set up as a worker is."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends
from kgb_core.testing.bench import Discovered, Healthy, Identity, Request, Task, Times, Waited, Waiting
from kgb_core.testing.stopwatch import Stopwatch, clocked
from kgb_core.testing.work import LibraryWork, TritonWork, Work, works_on

HELD_BYTES = 2**28
_FAR = 2**40
"""Elements: outside of any allocation, inside of the address space."""


def answer(request: Request) -> BaseModel | None:
    """Do what was asked.

    Args:
        request: the task, and where.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # two tasks crash on purpose
    backend = load_backends([request.vendor]).get(request.vendor)
    if request.task is Task.DISCOVER:
        return Discovered(devices=tuple(backend.discover_devices()))
    backend.prepare_worker(request.device)
    return _Worker(backend, request).does(request.task)


class _Worker:
    def __init__(self, backend: Backend, request: Request) -> None:
        import torch

        self._backend = backend
        self._device = request.device
        self._type = backend.info.torch_device_type
        self._module: Any = torch.get_device_module(self._type)
        torch.zeros(1, device=self._type)

    def does(self, task: Task) -> BaseModel | None:
        tasks: dict[Task, Callable[[], BaseModel | None]] = {
            Task.WAIT: self.waiting,
            Task.TIME: self.times,
            Task.IDENTIFY: self.identity,
            Task.HOLD: self.hold,
            Task.ABORT: self.abort,
            Task.WILD: self.wild,
            Task.HEALTH: self.health,
        }
        return tasks[task]()

    def _synchronize(self) -> None:
        self._backend.synchronize(self._device)

    def waiting(self) -> Waiting:
        """Queue long work and see whether `synchronize` lets it end."""
        work = LibraryWork(self._type, self._synchronize)
        work.calibrate()
        streams = [self._waited("default", work, work.read)]
        side = self._side_stream()
        if side is not None:
            with self._module.stream(side):
                streams.append(self._waited("another", work, side.synchronize))
        return Waiting(streams=tuple(streams))

    def _waited(self, stream: str, work: Work, read: Callable[[], object]) -> Waited:
        self._synchronize()
        queued = clocked(lambda: [work.queue(4) for _ in range(5)])
        return Waited(
            stream=stream, queue_ns=queued, wait_ns=clocked(self._synchronize), read_ns=clocked(read)
        )

    def _side_stream(self) -> Any:
        """A stream beside the default one; `None` where the device has no real ones."""
        made = getattr(self._module, "Stream", lambda: None)()
        return made if hasattr(made, "synchronize") else None

    def times(self) -> Times:
        """Everything about the timer, in one process."""
        timer = self._backend.make_timer(self._device)
        watch = Stopwatch(timer, self._synchronize)
        works = [watch.times(work) for work in works_on(self._type, self._synchronize)]
        return Times(
            timer=timer.name,
            method=timer.method,
            works=tuple(works),
            empty=watch.readings(lambda: None, 25),
            short=self._short(watch),
        )

    def _short(self, watch: Stopwatch) -> tuple[int, ...]:
        import torch

        small = torch.zeros(1024, device=self._type)
        return watch.readings(small.zero_, 60)

    def identity(self) -> Identity:
        """What torch tells of the device."""
        properties = getattr(self._module, "get_device_properties", lambda index: None)(0)
        told = [getattr(properties, name, None) for name in ("uuid", "pci_bus_id")]
        memory = getattr(self._module, "mem_get_info", lambda: (None, None))()
        return Identity(
            count=self._module.device_count(),
            identity=next((str(each) for each in told if each is not None), ""),
            free_bytes=memory[0],
        )

    def hold(self) -> None:
        """Keep memory until standard input ends."""
        import torch

        kept = torch.ones(HELD_BYTES, dtype=torch.uint8, device=self._type)
        self._synchronize()
        print("holding", flush=True)
        sys.stdin.read()
        del kept

    def abort(self) -> None:
        """Die with work queued."""
        work = LibraryWork(self._type, self._synchronize)
        work.calibrate()
        work.queue(4)
        os.abort()

    def wild(self) -> None:
        """Write where nothing is; whether that ends the process is up to the chip."""
        import torch

        from kgb_core.testing.kernels.measured import wild

        wild[(1,)](torch.zeros(1, device=self._type), _FAR)
        self._synchronize()

    def health(self) -> Healthy:
        """Ask the backend, and compute something beside it."""
        says = self._backend.check_health(self._device)
        return Healthy(says=says, computes=TritonWork(self._type, self._synchronize).is_right())


if __name__ == "__main__":
    found = answer(Request.model_validate_json(sys.argv[1]))
    if found is not None:
        print(found.model_dump_json())
