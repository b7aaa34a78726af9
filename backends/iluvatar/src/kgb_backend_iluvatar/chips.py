"""What is known of Iluvatar's chips without having one: architectures, limits, products.

Iluvatar publishes neither limits nor peaks in a form that could be cited. Limits are what CoreX's runtime
told on one card; peaks and caches stay unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from kgb_core.models import Limits, Target

WARP_SIZE = 64
"""Threads in a warp. Source: FlagTree, third_party/iluvatar; others read it on a BI-V150 and an MR-V100."""


@dataclass(frozen=True)
class Arch:
    """An architecture.

    Attributes:
        capability: compute capability without the dot, as CoreX and its Triton count.
        limits: what a launch may use.
    """

    capability: int
    limits: Limits


ARCHES = {
    "ivcore10": Arch(70, Limits()),
    "ivcore11": Arch(
        71,
        Limits(shared_memory_bytes=128 * 2**10, threads_per_block=4096, grid=(2**31 - 1, 65535, 65535)),
    ),
    "ivcore20": Arch(80, Limits()),
}
"""Names and capabilities: FlagTree, third_party/iluvatar/backend/compiler.py; its newest has 71 and 80 only.

The limits of ivcore11 are the device attributes that CoreX 4.4 gave on an MR-V100, in a public report of
August 2026. Others stay below them: FlagDNN plans with 64 KiB, KernelGenBench asks for 1024 threads at most.
"""


@dataclass(frozen=True)
class Chip:
    """A product that is told apart by its name.

    Attributes:
        target: its name on the command line.
        arch: its architecture.
        names: what CoreX calls it.
    """

    target: str
    arch: str
    names: tuple[str, ...]


CHIPS = (
    Chip("bi-v100", "ivcore10", ("Iluvatar BI-V100", "BI-V100")),
    Chip(
        "bi-v150",
        "ivcore11",
        ("Iluvatar BI-V150", "Iluvatar BI-V150S", "Iluvatar BI-V150 OAM", "BI-V150", "BI-V150S"),
    ),
    Chip("mr-v100", "ivcore11", ("Iluvatar MR-V100", "MR-V100")),
)
"""Products whose architecture a source gives: public logs with capability 7.1 for BI-V150 and MR-V100,
FlagTree for BI-V100. A BI-V150 board is two devices of 32 GiB. TG-V200 exists; no source gives its
architecture.
"""


def arch_of(capability: str | None, name: str) -> str | None:
    """The architecture of a card: by its compute capability, else by its name.

    Args:
        capability: `7.1`; `None` where it is not known.
        name: the product name.
    """
    if capability is not None:
        wanted = capability.replace(".", "")
        return next((arch for arch, known in ARCHES.items() if str(known.capability) == wanted), None)
    return next((chip.arch for chip in CHIPS if name in chip.names), None)


def targets() -> list[Target]:
    """Every architecture, then every product."""
    plain = [_target(arch, arch) for arch in ARCHES]
    return plain + [
        _target(chip.arch, chip.target).model_copy(update={"device_names": chip.names}) for chip in CHIPS
    ]


def _target(arch: str, name: str) -> Target:
    return Target(
        vendor="iluvatar",
        arch=name,
        triton_backend="corex",
        triton_arch=ARCHES[arch].capability,
        warp_size=WARP_SIZE,
        limits=ARCHES[arch].limits,
    )
