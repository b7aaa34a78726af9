"""What is known of NVIDIA's chips without having one: limits by architecture, peaks and caches by product."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_core.models import DType, Limits, Peaks, Target

WARP_SIZE = 32
_KIB = 2**10
_MIB = 2**20
_TERA = 1e12
_GRID = (2**31 - 1, 65535, 65535)
_THREADS = 1024

_SHARED_KIB = {"80": 163, "86": 99, "89": 99, "90": 227, "100": 227, "120": 99}
"""Shared memory a block may use, by compute capability.

Source: CUDA Programming Guide, appendix "Compute Capabilities", table of technical specifications; grid and
threads a block too.
"""


@dataclass(frozen=True)
class Chip:
    """A product that is told apart by its name.

    Attributes:
        target: its name on the command line.
        capability: compute capability without the dot.
        names: what the driver calls it.
        cache_bytes: level-2 cache.
        bandwidth: bytes a second from memory.
        tera: dense rates in 10^12 a second: fp16 and bf16, tf32, fp8, int8, fp64; `None` where it can't.
        source: where the numbers stand.
    """

    target: str
    capability: str
    names: tuple[str, ...]
    cache_bytes: int
    bandwidth: float
    tera: Rates
    source: str


@dataclass(frozen=True)
class Rates:
    """Dense matrix rates of the fastest unit for a dtype, in 10^12 operations a second."""

    half: float
    tf32: float
    int8: float
    fp64: float
    fp8: float | None = None

    def by_dtype(self) -> dict[str, float]:
        """Operations a second by dtype value; fp32 has the TF32 rate, `tl.dot`'s default for it."""
        tera: dict[DType, float | None] = {
            DType.FLOAT16: self.half,
            DType.BFLOAT16: self.half,
            DType.FLOAT32: self.tf32,
            DType.FLOAT64: self.fp64,
            DType.INT8: self.int8,
            DType.FLOAT8_E4M3FN: self.fp8,
            DType.FLOAT8_E5M2: self.fp8,
        }
        return {dtype.value: rate * _TERA for dtype, rate in tera.items() if rate is not None}


_A100 = Rates(half=312, tf32=156, int8=624, fp64=19.5)
_HOPPER_SXM = Rates(half=989.4, tf32=494.7, int8=1978.9, fp64=66.9, fp8=1978.9)
_HOPPER_NVL = Rates(half=835.5, tf32=417.5, int8=1670.5, fp64=60, fp8=1670.5)
_HOPPER_PCIE = Rates(half=756, tf32=378, int8=1513, fp64=51.2, fp8=1513)
_B200 = Rates(half=2250, tf32=1125, int8=4500, fp64=40, fp8=4500)

CHIPS = (
    Chip(
        "a100-40gb",
        "80",
        ("NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB", "A100-SXM4-40GB", "A100-PCIE-40GB"),
        40 * _MIB,
        1.555e12,
        _A100,
        "NVIDIA A100 datasheet",
    ),
    Chip(
        "a100-80gb",
        "80",
        ("NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe"),
        40 * _MIB,
        2.039e12,
        _A100,
        "NVIDIA A100 datasheet; the SXM bandwidth",
    ),
    Chip(
        "h100-sxm",
        "90",
        ("NVIDIA H100 80GB HBM3",),
        50 * _MIB,
        3.35e12,
        _HOPPER_SXM,
        "NVIDIA H100 datasheet, dense rates",
    ),
    Chip(
        "h100-pcie",
        "90",
        ("NVIDIA H100 PCIe",),
        50 * _MIB,
        2.04e12,
        _HOPPER_PCIE,
        "NVIDIA H100 white paper, dense rates",
    ),
    Chip(
        "h100-nvl",
        "90",
        ("NVIDIA H100 NVL",),
        50 * _MIB,
        3.9e12,
        _HOPPER_NVL,
        "NVIDIA H100 datasheet, dense rates",
    ),
    Chip(
        "h200",
        "90",
        ("NVIDIA H200",),
        60 * _MIB,
        4.8e12,
        _HOPPER_SXM,
        "NVIDIA H200 datasheet, dense rates",
    ),
    Chip(
        "h200-nvl",
        "90",
        ("NVIDIA H200 NVL",),
        60 * _MIB,
        4.8e12,
        _HOPPER_NVL,
        "NVIDIA H200 datasheet, dense rates",
    ),
    Chip(
        "b200",
        "100",
        ("NVIDIA B200",),
        127 * _MIB,
        8.0e12,
        _B200,
        "NVIDIA HGX B200 datasheet, dense rates",
    ),
)
"""Products with public numbers. The rates hold at the boost clock that the datasheet assumes."""


def chip_named(name: str) -> Chip | None:
    """The product of that name, as the driver writes it; a MIG instance is another thing."""
    return next((chip for chip in CHIPS if name in chip.names), None)


def targets() -> list[Target]:
    """Every architecture, then every product with its peaks."""
    plain = [_target(capability, f"sm{capability}") for capability in _SHARED_KIB]
    return plain + [_product(chip) for chip in CHIPS]


def _target(capability: str, name: str) -> Target:
    return Target(
        vendor="nvidia",
        arch=name,
        triton_backend="cuda",
        triton_arch=int(capability),
        warp_size=WARP_SIZE,
        limits=Limits(
            shared_memory_bytes=_SHARED_KIB[capability] * _KIB,
            threads_per_block=_THREADS,
            grid=_GRID,
        ),
    )


def _product(chip: Chip) -> Target:
    peaks = Peaks(bytes_per_second=chip.bandwidth, flops_per_second=chip.tera.by_dtype(), source=chip.source)
    plain = _target(chip.capability, chip.target)
    return plain.model_copy(update={"peaks": peaks, "device_names": chip.names})
