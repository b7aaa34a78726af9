"""What is known of Moore Threads' chips without having one: limits by architecture, peaks by product.

Nothing here was measured by us. A number stands here only with its source; what no source gives is `None`:
the threads of `mp_31`, the shared memory of all but `mp_21`, every last-level cache.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kgb_core.models import DType, Limits, Peaks, Target

_GRID = (2**31 - 1, 65535, 65535)
"""FlagGems splits grids above 65535 in y and z (`_mthreads/ops/pad.py`); in x Triton's 32 bits count."""
_TERA = 1e12


@dataclass(frozen=True)
class Arch:
    """An architecture, as MUSA's compiler numbers them.

    Attributes:
        number: Triton's number of it; the name is `mp_` and the number.
        warp_size: threads in a warp. FlagTree's driver: 128, from `mp_3x` on 32.
        shared_memory_bytes: what a block may use.
        threads_per_block: threads in a block.
    """

    number: int
    warp_size: int
    shared_memory_bytes: int | None = None
    threads_per_block: int | None = None

    @property
    def name(self) -> str:
        """As the compiler and the command line have it."""
        return f"mp_{self.number}"


ARCHS = (
    # 28 KiB: `sharedMemPerBlock` of an MTT S70, quadpixels/musa_practice. 1024: the vendor's Triton keeps
    # num_warps at 8 of 128 threads or less on these two, and says so (log in sgl-project/sglang#10023).
    Arch(21, warp_size=128, shared_memory_bytes=28 * 2**10, threads_per_block=1024),
    Arch(22, warp_size=128, threads_per_block=1024),
    Arch(31, warp_size=32),
)


@dataclass(frozen=True)
class Chip:
    """A product that is told apart by its name.

    Attributes:
        name: what the driver calls it.
        arch: its architecture.
        memory_bytes: of a whole card.
        bandwidth: bytes a second from memory.
        tera: dense rates in 10^12 a second by dtype; fp32 has the TF32 rate, `tl.dot`'s default for it.
        source: where bandwidth and rates stand.
    """

    name: str
    arch: int
    memory_bytes: int | None = None
    bandwidth: float | None = None
    tera: dict[DType, float] = field(default_factory=dict)
    source: str = ""

    @property
    def target(self) -> str:
        """Its name on the command line: `s4000`."""
        return self.name.removeprefix("MTT ").lower()


CHIPS = (
    # Which product has which architecture: torch_musa's build scripts.
    Chip("MTT S80", 21, 16 * 2**30),
    Chip("MTT S3000", 21, 32 * 2**30),
    Chip("MTT S90", 22, 24 * 2**30, 768e9, source="mthreads-gmi -q of an S90, FB Memory Spec"),
    Chip(
        "MTT S4000",
        22,
        48 * 2**30,
        768e9,
        {DType.FLOAT16: 100, DType.BFLOAT16: 100, DType.FLOAT32: 50, DType.INT8: 200},
        "the vendor's product page for the MTT S4000, upper ends; bandwidth also mthreads-gmi -q of an S4000",
    ),
    Chip(
        "MTT S5000",
        31,
        80 * 2**30,
        1.6e12,
        {DType.FLOAT8_E4M3FN: 1000, DType.FLOAT8_E5M2: 1000},
        "the vendor's announcement of the MTT S5000; it gives one rate, of its narrowest floats",
    ),
)


def chip_named(name: str) -> Chip | None:
    """The product of that name, however it is spaced."""
    plain = " ".join(name.split())
    return next((chip for chip in CHIPS if plain in (chip.name, f"Moore Threads {chip.name}")), None)


def arch_of(name: str) -> str | None:
    """The architecture of a product; `None` where the product is not known."""
    chip = chip_named(name)
    return f"mp_{chip.arch}" if chip else None


def arch_number(arch: str | None) -> int | None:
    """The number in `mp_31`."""
    match = re.fullmatch(r"mp_([0-9]{1,3})", arch or "")
    return int(match[1]) if match else None


def targets() -> list[Target]:
    """Every architecture, then every product that has peaks."""
    plain = {arch.number: _target(arch) for arch in ARCHS}
    return [*plain.values(), *(_product(chip, plain[chip.arch]) for chip in CHIPS if chip.source)]


def _target(arch: Arch) -> Target:
    return Target(
        vendor="mthreads",
        arch=arch.name,
        triton_backend="musa",
        triton_arch=arch.number,
        warp_size=arch.warp_size,
        limits=Limits(
            shared_memory_bytes=arch.shared_memory_bytes,
            threads_per_block=arch.threads_per_block,
            grid=_GRID,
        ),
    )


def _product(chip: Chip, plain: Target) -> Target:
    rates = {dtype.value: rate * _TERA for dtype, rate in chip.tera.items()}
    peaks = Peaks(bytes_per_second=chip.bandwidth, flops_per_second=rates, source=chip.source)
    return plain.model_copy(update={"arch": chip.target, "peaks": peaks, "device_names": (chip.name,)})
