"""The roofline floor: never above what a call must really take, and none where no peak is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.models.device import Peaks
from kgb_core.models.dtypes import DType
from kgb_core.timing.roofline import Work, floor_ns

TERABYTE = Peaks(bytes_per_second=1e12)
BYTES = st.integers(0, 2**40)


def work(
    read: int = 0, written: int = 0, flops: float | None = None, dtype: DType | None = DType.FLOAT16
) -> Work:
    return Work(bytes_read=read, bytes_written=written, flops=flops, dtype=dtype)


def test_bytes_at_peak_bandwidth() -> None:
    assert floor_ns(work(read=3_000_000, written=1_000_000), TERABYTE, cache_bytes=0) == pytest.approx(4000)


def test_what_the_cache_holds_of_the_output_may_still_be_in_it() -> None:
    assert floor_ns(work(3_000_000, 1_000_000), TERABYTE, cache_bytes=400_000) == pytest.approx(3600)
    assert floor_ns(work(3_000_000, 1_000_000), TERABYTE, cache_bytes=9_000_000) == pytest.approx(3000)


def test_a_cache_of_unknown_size_may_hold_the_whole_output() -> None:
    assert floor_ns(work(3_000_000, 1_000_000), TERABYTE, cache_bytes=None) == pytest.approx(3000)


def test_the_slower_of_memory_and_arithmetic_counts() -> None:
    peaks = Peaks(bytes_per_second=1e12, flops_per_second={"float16": 1e15})
    assert floor_ns(work(1_000_000, 0, flops=2e12), peaks, 0) == pytest.approx(2_000_000)
    assert floor_ns(work(1_000_000, 0, flops=1e3), peaks, 0) == pytest.approx(1000)


@pytest.mark.parametrize(
    ("flops", "dtype"),
    [(None, DType.FLOAT16), (1e12, DType.FLOAT32), (1e12, None)],
    ids=["operations unknown", "no rate for the dtype", "no dtype"],
)
def test_arithmetic_that_is_not_known_bounds_nothing(flops: float | None, dtype: DType | None) -> None:
    peaks = Peaks(flops_per_second={"float16": 1e15})
    assert floor_ns(work(10, 10, flops, dtype), peaks, 0) is None


def test_without_peaks_there_is_no_floor() -> None:
    assert floor_ns(work(10**9, 10**9, 1e12), Peaks(), cache_bytes=None) is None


@given(read=BYTES, written=BYTES, cache=st.none() | BYTES, more=BYTES)
def test_the_floor_grows_with_the_work_and_shrinks_with_the_cache(
    read: int, written: int, cache: int | None, more: int
) -> None:
    floor = floor_ns(work(read, written), TERABYTE, cache)
    assert floor is not None
    assert 0 <= floor <= (read + written) / 1e12 * 1e9 * (1 + 1e-12)
    assert floor <= (floor_ns(work(read + more, written), TERABYTE, cache) or 0)
    if cache is not None:
        assert floor >= (floor_ns(work(read, written), TERABYTE, cache + more) or 0)
