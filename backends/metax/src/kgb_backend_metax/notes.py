"""What a kernel generator must know about a MetaX chip, from reports of people who have one."""

from __future__ import annotations

from collections.abc import Iterator

from kgb_core.models import Target

MOST_THREADS = 512
"""Of a C550 (FlagGems #5258, #6395); the advice for the others, since 8 warps run on all."""
_ALWAYS = (
    "The torch device is `cuda`. A warp has 64 threads.",
    "tl.dot needs blocks of 16 or more in M, N and K; smaller ones end the process.",
    'tl.dot on fp32 may round its inputs to TF32: give it input_precision="ieee".',
    "tl.atomic_add does not work on bf16: accumulate in fp32.",
    "Convert integers, bool and fp64 to fp32 before bf16.",
    "Do not use uint32, nor libdevice functions that only NVIDIA has.",
    "Keep offsets of pointers below 2^31 elements.",
    "A program has 4 KiB of private memory a thread: keep a tile to 4096 elements or less.",
)
"""FlagGems `_metax` and its #5334, #5337, #6212, #4824; FlagTree #1201; KernelGenBench's prompt for MetaX."""


def prompt_notes(target: Target) -> str:
    """Limits and habits of a target, in plain text.

    Args:
        target: one of this backend's targets.
    """
    return "\n".join([*_limits(target), *_ALWAYS])


def _limits(target: Target) -> Iterator[str]:
    limits = target.limits
    threads = limits.threads_per_block or MOST_THREADS
    known = "may use" if limits.threads_per_block else "should not use more than"
    yield f"A program {known} {threads} threads: num_warps at most {threads // target.warp_size}."
    if limits.shared_memory_bytes is not None:
        yield f"A program may use {limits.shared_memory_bytes} bytes of shared memory."
        yield "Fewer stages of a pipelined loop use less of it."
