"""What a kernel generator must know about a Moore Threads chip, from reports of people who have one."""

from __future__ import annotations

from collections.abc import Iterator

from kgb_core.models import Target

_ALWAYS = (
    "The torch device is `musa`, not `cuda`: x.is_cuda is False.",
    "The grid is at most 65535 in y and in z.",
    "tl.dot on fp32 rounds its inputs to TF32 unless it gets allow_tf32=False.",
    "tl.atomic_add does not work on fp16 and bf16: accumulate in fp32.",
    "bf16 values can't be compared or sorted: convert to fp32 first.",
    "Do not use fp64, uint32 or complex32.",
    "Division is not rounded as IEEE wants; tl.div_rn is not in hardware. Denormals may be flushed to zero.",
    "libdevice.erfinv breaks the compiler.",
    "Use num_stages 1 or 2: 3 and more have been miscompiled without an error.",
)
"""FlagGems `_mthreads`, FlagGems #2858, FlagTree #981 #982 #1009 #1222 #1223, vllm-musa's build flags."""


def prompt_notes(target: Target) -> str:
    """Limits and habits of a target, in plain text.

    Args:
        target: one of this backend's targets.
    """
    return "\n".join([*_limits(target), *_ALWAYS])


def _limits(target: Target) -> Iterator[str]:
    limits = target.limits
    yield f"A warp has {target.warp_size} threads."
    if limits.threads_per_block is not None:
        warps = limits.threads_per_block // target.warp_size
        yield f"A program may use {limits.threads_per_block} threads: num_warps at most {warps}, better 4."
    if limits.shared_memory_bytes is not None:
        yield f"A program may use {limits.shared_memory_bytes} bytes of shared memory."
