"""What is known of AMD's chips without having one: limits by architecture, peaks and caches by product."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_core.models import DType, Limits, Peaks, Target

_KIB = 2**10
_MIB = 2**20
_TERA = 1e12
_THREADS = 1024
"""Threads in a work-group. Source: rocminfo, `Workgroup Max Size`, on gfx942."""


@dataclass(frozen=True)
class Arch:
    """An architecture that stock Triton compiles for.

    Attributes:
        wave: threads in a wave.
        lds_kib: local data share that one work-group may use.
    """

    wave: int
    lds_kib: int


ARCHES = {
    "gfx908": Arch(64, 64),
    "gfx90a": Arch(64, 64),
    "gfx942": Arch(64, 64),
    "gfx950": Arch(64, 160),
    "gfx1100": Arch(32, 64),
    "gfx1101": Arch(32, 64),
    "gfx1151": Arch(32, 64),
    "gfx1200": Arch(32, 64),
    "gfx1201": Arch(32, 64),
}
"""Sources: LDS and wavefront size from ROCm's table of GPU specifications (its 128 KiB on RDNA belong to two
compute units, and a work-group gets 64 of them). The grid has no limit here: HIP counts threads, 2^32 - 1 an
axis, so the limit depends on the block.
"""


@dataclass(frozen=True)
class Rates:
    """Dense matrix rates of the fastest unit for a dtype, in 10^12 operations a second."""

    half: float
    single: float
    double: float
    int8: float
    fp8: float | None = None

    def by_dtype(self) -> dict[str, float]:
        """Operations a second by dtype value.

        fp32 may also be computed as three products of bf16 (`input_precision="bf16x3"`), so its ceiling is at
        least a third of the half rate.
        """
        tera: dict[DType, float | None] = {
            DType.FLOAT16: self.half,
            DType.BFLOAT16: self.half,
            DType.FLOAT32: max(self.single, self.half / 3),
            DType.FLOAT64: self.double,
            DType.INT8: self.int8,
            DType.FLOAT8_E4M3FN: self.fp8,
            DType.FLOAT8_E5M2: self.fp8,
        }
        return {dtype.value: rate * _TERA for dtype, rate in tera.items() if rate is not None}


@dataclass(frozen=True)
class Chip:
    """A product.

    Attributes:
        target: its name on the command line.
        arch: its architecture.
        names: what tools call it; the first is the name that devices get.
        pci_devices: its PCI device ids, the physical and the virtual function.
        cache_bytes: last-level cache of one device.
        bandwidth: bytes a second from memory.
        rates: dense rates.
        source: where the numbers stand.
    """

    target: str
    arch: str
    names: tuple[str, ...]
    pci_devices: tuple[int, ...]
    cache_bytes: int
    bandwidth: float
    rates: Rates
    source: str


_MI250X = Rates(half=191.5, single=47.9, double=47.9, int8=191.5)
_MI250 = Rates(half=181.05, single=45.3, double=45.3, int8=181.05)
_MI300A = Rates(half=980.6, single=490.3, double=122.6, int8=1961.2, fp8=1961.2)
_MI300X = Rates(half=1307.4, single=653.7, double=163.4, int8=2614.9, fp8=2614.9)
_MI350X = Rates(half=2306.9, single=144.2, double=72.1, int8=4613.7, fp8=4613.7)
_MI355X = Rates(half=2516.6, single=157.3, double=78.6, int8=5033.2, fp8=5033.2)
_ONE_DIE = "AMD Instinct MI200 series data sheet, dense rates, halved: each of the two dies is a device"

CHIPS = (
    Chip(
        "mi250x",
        "gfx90a",
        ("AMD Instinct MI250X", "AMD Instinct MI250X / MI250", "AMD Instinct MI250X/MI250"),
        (0x7408, 0x740C),
        8 * _MIB,
        1.6384e12,
        _MI250X,
        _ONE_DIE + "; device 740c is sold as MI250 too, which is slower",
    ),
    Chip("mi250", "gfx90a", ("AMD Instinct MI250",), (), 8 * _MIB, 1.6384e12, _MI250, _ONE_DIE),
    Chip(
        "mi210",
        "gfx90a",
        ("AMD Instinct MI210",),
        (0x740F,),
        8 * _MIB,
        1.6384e12,
        _MI250,
        "AMD Instinct MI210 data sheet, dense rates",
    ),
    Chip(
        "mi300a",
        "gfx942",
        ("AMD Instinct MI300A",),
        (0x74A0, 0x74B4),
        256 * _MIB,
        5.3e12,
        _MI300A,
        "AMD Instinct MI300A data sheet, dense rates; fp32 is its TF32 rate",
    ),
    Chip(
        "mi300x",
        "gfx942",
        ("AMD Instinct MI300X", "AMD Instinct MI300X OAM", "AMD Instinct MI300X VF"),
        (0x74A1, 0x74B5),
        256 * _MIB,
        5.3e12,
        _MI300X,
        "AMD Instinct MI300X data sheet, dense rates; fp32 is its TF32 rate",
    ),
    Chip(
        "mi325x",
        "gfx942",
        ("AMD Instinct MI325X", "AMD Instinct MI325X OAM", "AMD Instinct MI325X VF"),
        (0x74A5, 0x74B9),
        256 * _MIB,
        6.0e12,
        _MI300X,
        "AMD Instinct MI325X data sheet, dense rates; fp32 is its TF32 rate",
    ),
    Chip(
        "mi350x",
        "gfx950",
        ("AMD Instinct MI350X", "AMD Instinct MI350X OAM", "AMD Instinct MI350X VF"),
        (0x75A0, 0x75B0),
        256 * _MIB,
        8.0e12,
        _MI350X,
        "AMD Instinct MI350X data sheet, dense rates",
    ),
    Chip(
        "mi355x",
        "gfx950",
        ("AMD Instinct MI355X", "AMD Instinct MI355X OAM", "AMD Instinct MI355X VF"),
        (0x75A3, 0x75B3),
        256 * _MIB,
        8.0e12,
        _MI355X,
        "AMD Instinct MI355X data sheet, dense rates",
    ),
)
"""Products with public numbers. PCI ids: ROCm Compute Profiler's list of chips. Caches: ROCm's table of GPU
specifications, the Infinity Cache where there is one, else the L2 of a die. Nobody here ran one of them.

A partition (DPX, CPX) is a part of a chip and keeps the whole chip's ceilings: they refuse what can't be.
"""


def chip_of(name: str, pci_device: int | None) -> Chip | None:
    """The product of that PCI device id, else of that name.

    Args:
        name: as a tool writes it.
        pci_device: `None` where it is not known.
    """
    listed = (chip for chip in CHIPS if pci_device in chip.pci_devices)
    named = (chip for chip in CHIPS if name in chip.names)
    return next(listed, None) or next(named, None)


def targets() -> list[Target]:
    """Every architecture, then every product with its peaks."""
    return [_target(arch, arch) for arch in ARCHES] + [_product(chip) for chip in CHIPS]


def _target(arch: str, name: str) -> Target:
    known = ARCHES[arch]
    return Target(
        vendor="amd",
        arch=name,
        triton_backend="hip",
        triton_arch=arch,
        warp_size=known.wave,
        limits=Limits(shared_memory_bytes=known.lds_kib * _KIB, threads_per_block=_THREADS),
    )


def _product(chip: Chip) -> Target:
    peaks = Peaks(bytes_per_second=chip.bandwidth, flops_per_second=chip.rates.by_dtype(), source=chip.source)
    return _target(chip.arch, chip.target).model_copy(update={"peaks": peaks, "device_names": chip.names})
