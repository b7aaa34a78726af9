"""What a kernel generator must know about an NVIDIA chip."""

from __future__ import annotations

from kgb_core.models import Target


def prompt_notes(target: Target) -> str:
    """Limits and habits of a target, in plain text.

    Args:
        target: one of this backend's targets.
    """
    capability = int(target.triton_arch or 0)
    limits = target.limits
    lines = [
        f"A program may use {limits.shared_memory_bytes} bytes of shared memory.",
        "More stages of a pipelined loop use more shared memory.",
        f"It may use {limits.threads_per_block} threads: num_warps is a power of two up to 32.",
        "The grid is at most 2147483647 x 65535 x 65535.",
        'tl.dot on fp32 rounds its inputs to TF32 unless it gets input_precision="ieee".',
        _fp8(capability),
    ]
    if capability < 90:
        lines.append("Tensor descriptors (TMA) and num_ctas above 1 need compute capability 9.0.")
    return "\n".join(lines)


def _fp8(capability: int) -> str:
    if capability >= 89:
        return "fp8e4nv and fp8e5 are native."
    return "fp8e4nv is not supported; fp8e5 can be loaded, stored and converted."
