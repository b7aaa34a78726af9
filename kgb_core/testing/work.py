"""Work of a length that can be chosen: a product by the vendor's library, and a Triton kernel that counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from kgb_core.testing.stopwatch import clocked

LONG_NS = 2_000_000
"""One unit of work: long beside what queueing it costs, so that the host's clock tells its length too."""
_WIDTH = 2048


class Work(ABC):
    """Work whose unit is calibrated on the device that it runs on.

    Args:
        device_type: as torch calls it.
        synchronize: waits until the device is idle.
    """

    name = ""
    largest_unit = 1
    """What a unit is at most: the buffers of a product must fit into any device."""

    def __init__(self, device_type: str, synchronize: Callable[[], None]) -> None:
        self._type = device_type
        self._synchronize = synchronize
        self._unit = 16

    def calibrate(self) -> None:
        """Double the unit until it takes long enough.

        Reading a result waits for it, whatever the backend's `synchronize` does.
        """
        self.prepare()
        self.finished()
        while min(clocked(self.finished) for _ in range(3)) < LONG_NS and self._unit < self.largest_unit:
            self._unit *= 2
            self.prepare()
            self.finished()

    def finished(self) -> None:
        """One unit, from queueing it to its result."""
        self.queue(1)
        self.read()

    @abstractmethod
    def prepare(self) -> None:
        """Make the buffers for the unit as it is now."""

    @abstractmethod
    def queue(self, units: int) -> None:
        """Queue one kernel that does some units of work; at most four."""

    @abstractmethod
    def read(self) -> float:
        """Read a result on the host, which waits for it."""


class LibraryWork(Work):
    """A matrix product of `units` times so many rows."""

    name = "library"
    largest_unit = 2**15

    def prepare(self) -> None:
        """Buffers for four units; nothing is computed right here, so their contents don't matter."""
        import torch

        self._left = torch.ones(4 * self._unit, _WIDTH, device=self._type)
        self._right = torch.ones(_WIDTH, _WIDTH, device=self._type)
        self._out = torch.empty(4 * self._unit, _WIDTH, device=self._type)

    def queue(self, units: int) -> None:
        """Queue one product."""
        import torch

        rows = units * self._unit
        torch.mm(self._left[:rows], self._right, out=self._out[:rows])

    def read(self) -> float:
        """One element of the product."""
        return float(self._out[0, 0].item())


class TritonWork(Work):
    """A kernel of one program that counts."""

    name = "Triton kernel"
    largest_unit = 2**26

    def prepare(self) -> None:
        """One number."""
        import torch

        self._out = torch.zeros(1, device=self._type)

    def queue(self, units: int) -> None:
        """Launch it once."""
        from kgb_core.testing.kernels.measured import spin

        spin[(1,)](self._out, units * self._unit)

    def read(self) -> float:
        """What it counted to."""
        return float(self._out.item())

    def is_right(self) -> bool:
        """Whether a few turns give what they must."""
        self.prepare()
        self.queue(1)
        self._synchronize()
        return abs(self.read() - self._unit * 1e-7) < 1e-9


def works_on(device_type: str, synchronize: Callable[[], None]) -> list[Work]:
    """The kinds of work that tell of a timer; a kernel that is interpreted runs on no device.

    Args:
        device_type: as torch calls it.
        synchronize: waits until the device is idle.
    """
    from kgb_core.testing.kernels.measured import spin

    kinds = [LibraryWork, TritonWork] if hasattr(spin, "cache_key") else [LibraryWork]
    works = [kind(device_type, synchronize) for kind in kinds]
    for work in works:
        work.calibrate()
    return works
