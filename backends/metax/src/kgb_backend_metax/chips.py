"""What is known of MetaX's chips without having one: limits by family, peaks by product.

Nothing here was measured by us. A number stands here only with its source; what no source gives is `None`:
bandwidth and last-level caches, the grid, everything of the C600.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kgb_core.models import DType, Limits, Peaks, Target

WARP_SIZE = 64
"""FlagTree's driver; also what MetaX's runtime guide calls a wave."""
_TERA = 1e12


@dataclass(frozen=True)
class Family:
    """Products that Triton compiles for in the same way.

    Attributes:
        arch: what MetaX's compiler calls the family's first member.
        capability: Triton's number of it, which is no compute capability.
        models: the numbers in the products' names.
        shared_memory_bytes: what a block may use.
    """

    arch: str
    capability: int
    models: tuple[str, ...] = ()
    shared_memory_bytes: int | None = None


FAMILIES = (
    # 64 KiB: Triton on an MXC500, "Hardware limit: 65536" (InternLM/lmdeploy#3495). Members: MetaX's release
    # notes for the MXC500 series.
    Family("xcore1000", 80, ("C500", "C500X", "C550", "C550-PL", "C588", "N260"), 64 * 2**10),
    Family("xcore1500", 86),
    Family("xcore1600", 89, ("C600", "C600-A", "C600-AL", "C600-U")),
)
"""Numbers and names of families: FlagTree's compiler; mcTriton's driver (10 is 80, 15 is 86, 16 is 89)."""


@dataclass(frozen=True)
class Chip:
    """A product of which more is known than of its family.

    Attributes:
        model: the number in its name.
        capability: of its family.
        threads_per_block: threads in a block.
        tera: dense rates in 10^12 a second by dtype; fp32 has the TF32 rate, `tl.dot`'s default for it.
        source: where the rates stand.
    """

    model: str
    capability: int
    threads_per_block: int | None = None
    tera: dict[DType, float] = field(default_factory=dict)
    source: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """Both spellings that MetaX's own tools have for one card."""
        return (f"MetaX {self.model}", f"MX{self.model}")


CHIPS = (
    Chip(
        "C500",
        80,
        tera={DType.FLOAT16: 280, DType.BFLOAT16: 280, DType.FLOAT32: 140, DType.INT8: 560},
        source="MetaX's product page of the C500 OAM, as quoted on Gitee; other C500 cards are slower",
    ),
    # 512: device properties of a C550 (FlagGems#5258, #6395). Of the C500 no source says it.
    Chip("C550", 80, threads_per_block=512),
)

_MODEL = re.compile(r"(?:MetaX\s+|MX)([CNGX][0-9]{3}[0-9A-Za-z-]*)", re.IGNORECASE)


def model_of(name: str) -> str | None:
    """The number in a name, `C500` in `MXC500` and `MetaX C500`; `None` where it is another vendor's name."""
    match = _MODEL.fullmatch(" ".join(name.split()))
    return match[1].upper() if match else None


def family_of(name: str) -> Family | None:
    """The family of a product; `None` where it is not known."""
    model = model_of(name)
    return next((family for family in FAMILIES if model in family.models), None)


def targets() -> list[Target]:
    """Every family with its limits, then the products that differ or have peaks."""
    plain = {family.capability: _target(family) for family in FAMILIES}
    return [*plain.values(), *(_product(chip, plain[chip.capability]) for chip in CHIPS)]


def _target(family: Family) -> Target:
    return Target(
        vendor="metax",
        arch=family.arch,
        triton_backend="maca",
        triton_arch=family.capability,
        warp_size=WARP_SIZE,
        limits=Limits(shared_memory_bytes=family.shared_memory_bytes),
    )


def _product(chip: Chip, plain: Target) -> Target:
    rates = {dtype.value: rate * _TERA for dtype, rate in chip.tera.items()}
    limits = plain.limits.model_copy(update={"threads_per_block": chip.threads_per_block})
    return plain.model_copy(
        update={
            "arch": chip.model.lower(),
            "limits": limits,
            "peaks": Peaks(flops_per_second=rates, source=chip.source),
            "device_names": chip.names,
        }
    )
