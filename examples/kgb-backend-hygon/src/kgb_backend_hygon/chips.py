"""What public sources say of Hygon's chips; what none gives is `None`. Nothing here was measured by us."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_core.models import Limits, Target

WAVE = 64
"""Threads in a wave: rocminfo on gfx906, gfx928 and gfx936, in public logs."""
_LDS = 64 * 2**10
"""Bytes of LDS that a work-group may use: rocminfo on gfx928 and gfx936, in public logs."""


@dataclass(frozen=True)
class Arch:
    """An architecture, as the compiler names it.

    Attributes:
        name: as on the command line.
        limits: what a launch may use.
        products: what tools call the chips that have it.
    """

    name: str
    limits: Limits
    products: tuple[str, ...]


ARCHES = (
    # rocminfo of a Z100 (vendor HYGON). Its limits stand in no log that was read here.
    Arch("gfx906", Limits(), ("Z100",)),
    # K100_AI: gpustack/gpustack#5170. K500SM_AI: AlphaMine-Tech/alpha-miner#18.
    Arch("gfx928", Limits(shared_memory_bytes=_LDS), ("K100_AI", "K500SM_AI")),
    # BW: Hygon's own test of a tool that reads rocminfo. BW500SM, BW1000: tables of public benchmarks.
    Arch("gfx936", Limits(shared_memory_bytes=_LDS), ("BW", "BW500SM", "BW1000")),
)
"""Threads of a program, the largest grid, bandwidths, rates and caches: no source that could be cited."""


def arch_of(product: str) -> str | None:
    """The architecture of a product; `None` where no source gives it.

    Args:
        product: with its maker's name: `Hygon K100_AI`.
    """
    return next((arch.name for arch in ARCHES if product.removeprefix("Hygon ") in arch.products), None)


def targets() -> list[Target]:
    """Every architecture."""
    return [
        Target(
            vendor="hygon",
            arch=arch.name,
            triton_backend="hip",
            triton_arch=arch.name,
            warp_size=WAVE,
            limits=arch.limits,
            device_names=tuple(f"Hygon {product}" for product in arch.products),
        )
        for arch in ARCHES
    ]
