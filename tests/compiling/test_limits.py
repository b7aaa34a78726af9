"""A kernel that compiled is still refused where the target has less than it needs; both numbers are told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.compiling.limits import checked
from kgb_core.models import Limits, Target
from kgb_core.models.launch import CompileOutcome, Launch, Resources, Stage


def check(
    limits: Limits, shared: int | None = None, threads: int | None = None, grid: tuple[int, ...] = (1,)
):
    """The outcome of a kernel that needs this, on a target with those limits."""
    outcome = CompileOutcome(
        stage=Stage.BINARY,
        kernel="k",
        resources=Resources(shared_memory_bytes=shared, threads_per_block=threads),
    )
    launch = Launch(function=None, signature={}, constants={}, grid=grid)
    return checked(outcome, launch, Target(vendor="v", arch="a", limits=limits))


LIMITS = Limits(shared_memory_bytes=101376, threads_per_block=1024, grid=(2**31 - 1, 65535, 65535))


@pytest.mark.parametrize(
    ("needs", "error"),
    [
        ({"shared": 262144}, "out of resources: shared memory 262144 bytes, limit 101376"),
        ({"threads": 2048}, "out of resources: block size 2048 threads, limit 1024"),
        ({"grid": (4, 65536)}, "out of resources: grid axis 1 65536 programs, limit 65535"),
        (
            {"shared": 101377, "threads": 1025},
            "out of resources: shared memory 101377 bytes, limit 101376; block size 1025 threads, limit 1024",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_both_numbers(needs: dict[str, int], error: str) -> None:
    assert check(LIMITS, **needs).error == error


def test_the_numbers_are_there_as_numbers() -> None:
    (excess,) = check(LIMITS, shared=262144).excesses
    assert (excess.resource, excess.needed, excess.limit, excess.unit) == (
        "shared memory",
        262144,
        101376,
        "bytes",
    )


def test_what_just_fits_passes() -> None:
    assert check(LIMITS, shared=101376, threads=1024, grid=(2**31 - 1, 65535, 65535)).error == ""


def test_one_number_limits_the_whole_grid() -> None:
    limits = Limits(grid=(65535,))
    assert check(limits, grid=(255, 257)).error == ""
    assert check(limits, grid=(256, 256)).error == "out of resources: grid 65536 programs, limit 65535"


@given(st.integers(0), st.integers(0), st.tuples(st.integers(1), st.integers(1)))
def test_an_unknown_limit_refuses_nothing(shared: int, threads: int, grid: tuple[int, int]) -> None:
    assert check(Limits(), shared=shared, threads=threads, grid=grid).error == ""


@given(st.integers(0, 300), st.integers(0, 300))
def test_an_error_means_that_more_is_needed_than_there_is(needed: int, limit: int) -> None:
    assert bool(check(Limits(shared_memory_bytes=limit), shared=needed).error) == (needed > limit)


def test_a_failed_compilation_keeps_its_own_error() -> None:
    failed = CompileOutcome(
        stage=Stage.TTIR, kernel="k", error="CompilationError: no", resources=Resources(shared_memory_bytes=9)
    )
    launch = Launch(function=None, signature={}, constants={})
    target = Target(vendor="v", arch="a", limits=Limits(shared_memory_bytes=1))
    assert checked(failed, launch, target) == failed
