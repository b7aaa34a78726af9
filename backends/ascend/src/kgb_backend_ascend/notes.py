"""What a kernel generator must know about an Ascend chip: triton-ascend 3.2.0, tried, and reports."""

from __future__ import annotations

from collections.abc import Iterator

from kgb_backend_ascend.chips import chip_named
from kgb_core.models import Target

_LOOP = "Best is one program for each core, with a loop inside"
_ALWAYS = (
    "The torch device is `npu`, not `cuda`: x.is_cuda is False. Import torch_npu right after torch.",
    "There are no warps and no threads: num_warps and num_stages are ignored.",
    "A grid of 0 programs is fatal: return early for empty tensors.",
    'tl.dot has no tf32: input_precision is "ieee", or "hf32", which rounds.',
    "tl.dot takes neither unsigned integers nor int64 nor fp64.",
    "There is no fp64 and no fp8 in kernels.",
    "Comparisons of int32 and int64 fall back to scalar code: compare in fp32 where the values allow it.",
    "tl.extra.cuda is missing; libdevice is tl.extra.ascend or tl.extra.cann, by version.",
    "tl.atomic_add of a whole block to one address gives wrong sums: reduce the block first.",
    "tl.device_assert takes no mask. tl.flip of a large block overflows the Unified Buffer.",
    "A kernel's name has at most 49 characters.",
)
"""triton-ascend 3.2.0 and ascendnpu-ir 1.2.0, tried; FlagGems #5953 and `_ascend`, triton-ascend #1638."""


def prompt_notes(target: Target) -> str:
    """Limits and habits of a target, in plain text.

    Args:
        target: one of this backend's targets.
    """
    return "\n".join([*_limits(target), *_ALWAYS])


def _limits(target: Target) -> Iterator[str]:
    limits = target.limits
    if limits.shared_memory_bytes is not None:
        yield (
            f"All blocks that a program holds must fit into {limits.shared_memory_bytes} bytes of "
            "Unified Buffer, twice over where loads are double-buffered."
        )
    if limits.grid is not None:
        yield f"The grid has at most {limits.grid[0]} programs in all dimensions together."
    yield _best_grid(target)


def _best_grid(target: Target) -> str:
    chip = next((chip for name in target.device_names if (chip := chip_named(name))), None)
    if chip is None or chip.cores is None:
        return f"{_LOOP}: AI cores with tl.dot, vector cores without."
    return f"{_LOOP}: {chip.cores} with tl.dot, {2 * chip.cores} without."
