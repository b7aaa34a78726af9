"""A driver for Triton that reports a chip which need not be here, and can launch nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kgb_core.compiling.source import gpu_target
from kgb_core.compiling.tensors import chip_device
from kgb_core.compiling.ttir import backend_for
from kgb_core.models.device import Target

PROCESSORS = 64
"""What a kernel hears that asks how many processors there are: only its grid depends on that."""


class StubDriver:
    """Stands for Triton's active driver while host code runs whose launches are captured.

    Args:
        target: the chip that it reports.
        device_type: what torch calls its devices.

    Raises:
        UsageError: the target has no name in Triton.
        RuntimeError: the installed Triton can't even make TTIR.
    """

    def __init__(self, target: Target, device_type: str) -> None:
        self._target = target
        self._device_type = device_type
        self._reported = gpu_target(target)
        self._compiled_as = backend_for(target).target
        self._binding = False

    @contextmanager
    def binding(self) -> Iterator[None]:
        """Inside, Triton sorts arguments by the rules of a back end that is installed."""
        self._binding = True
        try:
            yield
        finally:
            self._binding = False

    def get_current_target(self) -> Any:
        """The chip, as Triton's `GPUTarget`."""
        return self._compiled_as if self._binding else self._reported

    def get_active_torch_device(self) -> Any:
        """Where tensors say that they lie."""
        return chip_device(self._device_type)

    def get_current_device(self) -> int:
        """The only one."""
        return 0

    def set_current_device(self, device: object) -> None:
        """It is that one already."""

    def get_current_stream(self, device: object = None) -> int:
        """The only one."""
        return 0

    def get_device_capability(self, device: object = None) -> tuple[int, int]:
        """Major and minor number of the architecture.

        Raises:
            AttributeError: the target's architecture is not such a number.
        """
        return capability(self._target)

    def get_benchmarker(self) -> Callable[..., float]:
        """What older versions ask for as soon as a kernel is autotuned; it is never called."""
        return _benchmark

    def map_python_to_cpp_type(self, name: str) -> str:
        """Only a launcher would need it."""
        return name

    @property
    def utils(self) -> StubDriver:
        """The part of a driver that knows the device."""
        return self

    def get_device_properties(self, device: object = None) -> dict[str, int]:
        """What the target's limits say, under the names that Triton's drivers use; unknown is left out."""
        limits = self._target.limits
        known = {
            "multiprocessor_count": PROCESSORS,
            "max_shared_mem": limits.shared_memory_bytes,
            "max_threads_per_sm": limits.threads_per_block,
            "warpSize": self._target.warp_size or None,
        }
        return {name: value for name, value in known.items() if value is not None}


def install(driver: StubDriver) -> None:
    """Make it Triton's active driver, for this process."""
    from triton.runtime.driver import driver as holder

    if hasattr(holder, "set_active"):
        holder.set_active(driver)
    else:
        holder.active = driver


def capability(target: Target) -> tuple[int, int]:
    """`(9, 0)` for architecture 90.

    Raises:
        AttributeError: the architecture is not such a number.
    """
    if not isinstance(target.triton_arch, int):
        raise AttributeError(f"{target.name} has no compute capability")
    return divmod(target.triton_arch, 10)


def _benchmark(*arguments: object, **options: object) -> float:
    raise RuntimeError("nothing is launched, so nothing can be timed")
