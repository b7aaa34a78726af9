"""Calls to a GPU's runtime that a kernel's host code makes, answered for a host without a GPU.

What depends on a real chip (its capability, its memory limits) is not answered: a made-up number would steer
a kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PROGRAMS_AT_ONCE = 1


class HostStream:
    """The only stream of a host: everything on it is done when the call returns."""

    cuda_stream = 0
    stream_id = 0

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def query(self) -> bool:
        """Always idle."""
        return True

    def wait_stream(self, stream: object) -> None:
        """Nothing to wait for."""

    def __enter__(self) -> HostStream:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class HostGuard:
    """Stands for `torch.cuda.device(...)` and its kin: a block in which nothing changes."""

    idx = 0

    def __init__(self, device: object = None) -> None:
        del device

    def __enter__(self) -> HostGuard:
        return self

    def __exit__(self, *error: object) -> None:
        return None


@dataclass(frozen=True)
class HostProperties:
    """What `torch.cuda.get_device_properties` can say of a host.

    Attributes:
        name: what it is.
        multi_processor_count: programs that run at once.
    """

    name: str = "Triton interpreter"
    multi_processor_count: int = PROGRAMS_AT_ONCE

    def __getattr__(self, name: str) -> object:
        raise AttributeError(f"the interpreter is no GPU: it has no {name}")


class HostDriver:
    """Stands for Triton's active driver, of which a host without a GPU has none."""

    @property
    def utils(self) -> HostDriver:
        """The part of a driver that knows the device."""
        return self

    def get_device_properties(self, device: object = None) -> dict[str, int]:
        """As much as is true of a host."""
        return {"multiprocessor_count": PROGRAMS_AT_ONCE}

    def get_active_torch_device(self) -> Any:
        """The device that tensors live on."""
        import torch

        return torch.device("cpu")

    def get_current_device(self) -> int:
        """The only one."""
        return 0

    def get_current_stream(self, device: object = None) -> int:
        """The only one."""
        return 0

    def get_current_target(self) -> Any:
        """No chip's target: kernels that ask whether it is theirs hear no."""
        from triton.backends.compiler import GPUTarget

        return GPUTarget("cpu", "interpreter", 1)

    def get_benchmarker(self) -> Callable[..., float]:
        """What older versions ask for as soon as a kernel is autotuned; it is never called."""
        return _benchmark


def install() -> None:
    """Replace those calls in `torch.cuda` and in Triton, for this process."""
    import torch
    from triton.runtime.driver import driver

    module: Any = torch.cuda
    module.synchronize = _nothing
    module.set_device = _nothing
    module.current_device = _zero
    module.current_stream = _stream
    module.default_stream = _stream
    module.stream = _stream
    module.device = HostGuard
    module.device_of = HostGuard
    module.get_device_properties = _properties
    driver.set_active(HostDriver())


def _benchmark(*arguments: object, **options: object) -> float:
    raise RuntimeError("the interpreter is no GPU: its times mean nothing")


def _nothing(device: object = None) -> None:
    return None


def _zero() -> int:
    return 0


def _stream(device: object = None) -> HostStream:
    return HostStream()


def _properties(device: object = None) -> HostProperties:
    return HostProperties()
