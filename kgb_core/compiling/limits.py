"""Comparing what a kernel needs with what a target has: compilers accept kernels that no chip can launch."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from kgb_core.models.device import Limits, Target
from kgb_core.models.launch import CompileOutcome, Excess, Launch


def checked(outcome: CompileOutcome, launch: Launch, target: Target) -> CompileOutcome:
    """The outcome, with an error if the kernel needs more than the target has.

    Args:
        outcome: what compiling gave; one that failed already comes back as it is.
        launch: what was compiled, for its grid.
        target: what it was compiled for; a limit that is `None` is not checked.
    """
    if outcome.error:
        return outcome
    excesses = tuple(_excesses(outcome, launch.grid, target.limits))
    if not excesses:
        return outcome
    words = "; ".join(excess.text for excess in excesses)
    return outcome.model_copy(update={"error": f"out of resources: {words}", "excesses": excesses})


def _excesses(outcome: CompileOutcome, grid: tuple[int, ...], limits: Limits) -> Iterator[Excess]:
    needs = outcome.resources
    yield from _over("shared memory", needs.shared_memory_bytes, limits.shared_memory_bytes, "bytes")
    yield from _over("block size", needs.threads_per_block, limits.threads_per_block, "threads")
    if limits.grid is None:
        return
    if len(limits.grid) == 1:
        yield from _over("grid", prod(grid), limits.grid[0], "programs")
        return
    for axis, (size, limit) in enumerate(zip(grid, limits.grid, strict=False)):
        yield from _over(f"grid axis {axis}", size, limit, "programs")


def _over(resource: str, needed: int | None, limit: int | None, unit: str) -> Iterator[Excess]:
    if needed is not None and limit is not None and needed > limit:
        yield Excess(resource=resource, needed=needed, limit=limit, unit=unit)
