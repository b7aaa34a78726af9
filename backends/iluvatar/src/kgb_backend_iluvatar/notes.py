"""What a kernel generator must know about a CoreX chip."""

from __future__ import annotations

from kgb_core.models import Target

_HABITS = (
    'torch.device is "cuda". There is no fp64: neither in kernels nor in tensors on the device.',
    "tl.dot on fp32 rounds its inputs to TF32 unless it gets allow_tf32=False.",
    "Keep num_stages=1 in loops around tl.dot: the pipeliner has been seen to give wrong results.",
    "Reduce one row at a time: tl.reduce over a block with more than one row has been seen wrong.",
    "Don't pair num_warps=8 with a tile of 512 elements: tl.sum has been seen wrong there.",
    "Atomic adds of fp64 abort the compiler, and the process with it.",
    "libdevice's fmod and div_rn take fp32 only; div_rz is wrong.",
)
"""Faults that FlagGems works around in its kernels for this chip (runtime/backend/_iluvatar), and what users
of CoreX 4.4 reported in public; none was reproduced here.
"""


def prompt_notes(target: Target) -> str:
    """Limits and habits of a target, in plain text.

    Args:
        target: one of this backend's targets.
    """
    return "\n".join([*_limits(target), *_HABITS])


def _limits(target: Target) -> list[str]:
    lines = [f"A warp has {target.warp_size} threads; num_warps is a power of two."]
    limits = target.limits
    if limits.threads_per_block is not None:
        most = limits.threads_per_block // target.warp_size
        lines.append(f"A program may use {limits.threads_per_block} threads, so num_warps is at most {most}.")
        lines.append("Other kernels for this chip stay at num_warps of 16 or less.")
    if limits.shared_memory_bytes is not None:
        lines.append(f"It may use {limits.shared_memory_bytes} bytes of shared memory.")
    if limits.grid is not None:
        lines.append(f"The grid is at most {' x '.join(map(str, limits.grid))}.")
    return lines
