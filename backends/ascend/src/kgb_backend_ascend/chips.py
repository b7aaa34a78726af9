"""What is known of Ascend chips without having one: limits by generation, peaks by product.

Nothing here was measured by us. A number stands here only with its source; what no source gives is `None`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from kgb_core.models import DType, Limits, Peaks, Target

_TERA = 1e12
UNIFIED_BUFFER = 192 * 2**10
"""Bytes. The compiler of ascendnpu-ir says `1572864 bits available` for Ascend910B3 and Ascend910_9392."""
MOST_PROGRAMS = 65535
"""In all dimensions together. triton-ascend's launcher: `grid should be less than 65536!`."""


class Generation(str, Enum):
    """Chips that have the same limits and the same support in software."""

    A1 = "Ascend 910, first generation"
    A2 = "Atlas A2"
    A3 = "Atlas A3"
    P310 = "Ascend 310P"


@dataclass(frozen=True)
class Chip:
    """A product that is told apart by its name.

    Attributes:
        arch: what the compiler calls it, and the command line: `Ascend910B3`.
        generation: whose limits it has.
        cores: AI cores, which hold a cube core each.
        bandwidth: bytes a second from memory.
        tera: dense rates in 10^12 a second by dtype.
        source: where bandwidth, cores and rates stand.
    """

    arch: str
    generation: Generation
    cores: int | None = None
    bandwidth: float | None = None
    tera: dict[DType, float] = field(default_factory=dict)
    source: str = ""

    @property
    def product(self) -> str:
        """Its name as a device: `Ascend 910B3`."""
        return f"Ascend {self.arch.removeprefix('Ascend')}"


CHIPS = (
    Chip("Ascend910B1", Generation.A2),
    # fp32 has no rate: 22 are the vector cores', and a product may go through the cube cores as HF32.
    Chip(
        "Ascend910B2",
        Generation.A2,
        24,
        1.6e12,
        {DType.FLOAT16: 353, DType.BFLOAT16: 353},
        "CANN ops-transformer#5487: 910B2, 24 cube cores at 1.8 GHz",
    ),
    Chip("Ascend910B2C", Generation.A2),
    Chip("Ascend910B3", Generation.A2),
    Chip("Ascend910B4", Generation.A2),
    Chip("Ascend910B4-1", Generation.A2),
    *(Chip(f"Ascend910_{number}", Generation.A3) for number in (9362, 9372, 9381, 9382, 9391, 9392)),
)
"""Those that a target of `bishengir-compile` (ascendnpu-ir 1.2.0) is named after, but for the 950."""

_OTHERS = (
    (re.compile(r"310P\d?"), Generation.P310),
    # The driver calls a chip of the first generation 910A, 910B without a digit, 910ProB and the like (HAMi).
    (re.compile(r"910(A|B|Pro[A-C]?|Premium[A-C]?)"), Generation.A1),
    (re.compile(r"910B\d.*"), Generation.A2),
    (re.compile(r"910(_93\d\d)?"), Generation.A3),
)


def chip_named(product: str) -> Chip | None:
    """The product of that name, `Ascend 910B3` or `Ascend910B3`."""
    plain = product.replace(" ", "")
    return next((chip for chip in CHIPS if chip.arch == plain), None)


def arch_of(product: str) -> str | None:
    """What the compiler calls a product; `None` where no Triton compiles for it, or it isn't known."""
    chip = chip_named(product)
    return chip.arch if chip else None


def generation_of(product: str) -> Generation | None:
    """The generation of a product; `None` where it is not known."""
    plain = product.removeprefix("Ascend").strip()
    return next((generation for pattern, generation in _OTHERS if pattern.fullmatch(plain)), None)


def targets() -> list[Target]:
    """Every chip that triton-ascend compiles for."""
    return [_target(chip) for chip in CHIPS]


def _target(chip: Chip) -> Target:
    rates = {dtype.value: rate * _TERA for dtype, rate in chip.tera.items()}
    return Target(
        vendor="ascend",
        arch=chip.arch,
        triton_backend="npu",
        triton_arch=chip.arch,
        warp_size=0,
        limits=Limits(shared_memory_bytes=UNIFIED_BUFFER, grid=(MOST_PROGRAMS,)),
        peaks=Peaks(bytes_per_second=chip.bandwidth, flops_per_second=rates, source=chip.source),
        device_names=(chip.product,),
    )
