"""Targets: chips on paper, with names that can be typed, limits that can be true, and peaks with a source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from kgb_core.models.device import Target
from kgb_core.models.dtypes import DType
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import answered

_ARCH = re.compile(r"[^\s:,/]+")
_SHARED = range(2**10, 2**24 + 1)
"""Bytes of on-chip memory for one program: chips known have 32 KiB to about 1 MiB."""
_THREADS = range(32, 2**16 + 1)
_DTYPES = frozenset(dtype.value for dtype in DType)


def test_a_target_is_offered(backend: Backend) -> None:
    """A chip has at least one compile target: kernels can then be tried without it."""
    assert answered(backend.targets) or not backend.info.needs_hardware, "kgb_targets offers nothing"


def test_targets_have_names_of_their_own(backend: Backend, targets: list[Target]) -> None:
    """Each target has this vendor's id and an architecture that can be typed, no two the same."""
    for target in targets:
        assert target.vendor == backend.vendor, f"{target.name} is of vendor {target.vendor}"
        assert _ARCH.fullmatch(target.arch), f"{target.arch!r} can't stand behind the colon of vendor:arch"
    assert not (twice := _twice(target.arch for target in targets)), f"offered twice: {twice}"


def test_a_device_name_means_one_target(targets: list[Target]) -> None:
    """No name of a device belongs to two targets: its limits would be a matter of chance."""
    twice = _twice(name for target in targets for name in target.device_names)
    assert not twice, f"in two targets: {twice}"


def test_limits_make_sense(targets: list[Target]) -> None:
    """Limits are unknown or possible: a wrong one refuses kernels that the chip would run."""
    for target in targets:
        limits = target.limits
        shared, threads, grid = limits.shared_memory_bytes, limits.threads_per_block, limits.grid
        assert shared is None or shared in _SHARED, f"{target.name}: {shared} bytes of shared memory"
        assert threads is None or threads in _THREADS, f"{target.name}: {threads} threads"
        assert grid is None or (0 < len(grid) <= 3 and min(grid) > 0), f"{target.name}: grid {grid}"
        assert target.warp_size >= 0, f"{target.name}: warp size {target.warp_size}"


def test_peaks_have_a_source(targets: list[Target]) -> None:
    """Peaks are positive, keyed by dtypes, and say where they come from: times are refused by them."""
    for target in targets:
        peaks = target.peaks
        rates = [*peaks.flops_per_second.values(), peaks.bytes_per_second]
        known = [rate for rate in rates if rate is not None]
        assert all(rate > 0 for rate in known), f"{target.name}: a peak of {min(known)}"
        assert set(peaks.flops_per_second) <= _DTYPES, f"{target.name}: peaks of no dtype"
        assert not known or peaks.source.strip(), f"{target.name}: peaks without a source"


def _twice(names: Iterable[str]) -> str:
    return ", ".join(name for name, count in Counter(names).items() if count > 1)
