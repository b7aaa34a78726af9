"""What a kernel generator must know about an AMD chip."""

from __future__ import annotations

from kgb_backend_amd.capabilities import FNUZ_ARCHES, OCP_ARCHES
from kgb_core.models import Target


def prompt_notes(target: Target) -> str:
    """Limits and habits of a target, in plain text.

    Args:
        target: one of this backend's targets.
    """
    limits, arch = target.limits, str(target.triton_arch)
    most_warps = (limits.threads_per_block or 0) // target.warp_size
    lines = [
        f"A program may use {limits.shared_memory_bytes} bytes of LDS (shared memory).",
        "More stages of a pipelined loop use more of it: 2 is the default, num_stages=1 pipelines nothing.",
        f"A warp has {target.warp_size} threads, a program at most {limits.threads_per_block}.",
        f"So num_warps is a power of two up to {most_warps}.",
        "A grid axis times the threads of a program must stay below 4294967296.",
        'torch.device is "cuda"; num_ctas must stay 1.',
        _dot(arch),
        _fp8(arch),
    ]
    if arch == "gfx90a":
        lines.append("Products of fp16 and bf16 flush subnormal inputs and results to zero on this chip.")
    return "\n".join(lines)


def _dot(arch: str) -> str:
    if arch == "gfx942":
        return 'tl.dot on fp32 is exact by default (ieee); input_precision may be "tf32" too.'
    return 'tl.dot on fp32 is exact by default (ieee); input_precision="tf32" is refused.'


def _fp8(arch: str) -> str:
    if arch in OCP_ARCHES:
        return "fp8e4nv and fp8e5 are native."
    if arch in FNUZ_ARCHES:
        return "The native fp8 is fnuz: fp8e4b8 and fp8e5b16. fp8e4nv and fp8e5 are converted in software."
    return "There is no fp8 unit; fp8 types are converted in software."
