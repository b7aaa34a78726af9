"""What a backend says of itself, its devices and its compile targets."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pydantic import Field, field_validator

from kgb_core.models.base import FrozenModel
from kgb_core.models.dtypes import DType


class BackendInfo(FrozenModel):
    """Who a backend is. The names differ from one another on real chips, so each is a field of its own."""

    vendor: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    """The id used everywhere: entry point, records, command line."""
    display_name: str
    torch_device_type: str
    """What `torch.device` calls it."""
    triton_backend: str | None = None
    """The backend name in Triton's `GPUTarget`; `None` without one."""
    visibility_variable: str | None = None
    """The environment variable that limits a process to some devices."""
    pci_vendor_id: int | None = None
    smi_tool: str | None = None
    """The vendor's management command."""
    smi_word: str | None = None
    """A word that the tool's output must contain; other vendors ship tools of the same name."""
    needs_hardware: bool = True
    """False for a backend that runs on the host alone."""


class Probe(FrozenModel):
    """Evidence that this vendor's stack is on this machine.

    A score of 0 means nothing was found; two backends with the same highest score are an error.
    """

    score: int = Field(ge=0, le=100)
    evidence: tuple[str, ...] = ()


class Device(FrozenModel):
    """One accelerator. Everything but `index` and `name` may be unknown."""

    index: int = Field(ge=0)
    """The vendor tool's own index."""
    name: str
    uuid: str | None = None
    visibility_id: str | None = None
    """The value for the visibility variable; `None` means the index."""
    pci_bus_id: str | None = None
    arch: str | None = None
    """The architecture as the compiler names it."""
    memory_bytes: int | None = None
    last_level_cache_bytes: int | None = None
    compute_units: int | None = None
    driver_version: str | None = None
    state: str | None = None
    """What keeps it from being used, in the vendor's words; `None` when usable."""

    @field_validator("name")
    @classmethod
    def _not_blank(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("a device needs a name")
        return value


class Support(str, Enum):
    """How far a device supports a feature."""

    FULL = "full"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"

    @property
    def usable(self) -> bool:
        """Unknown counts as usable: it is tried, and what happens is recorded."""
        return self is not Support.UNSUPPORTED


class Feature(str, Enum):
    """Features other than dtypes that a case may need."""

    TIMING = "timing"
    """Times measured on this device mean something."""
    LAUNCH_LIMITS = "launch_limits"
    """A launch that exceeds the chip's resources fails here as it would on the chip."""
    ATOMICS = "atomics"
    LARGE_MEMORY = "large_memory"
    """More than 2^31 elements fit."""


class Capability(FrozenModel):
    """Support for one feature or dtype, with the reason where it is not full."""

    support: Support
    reason: str = ""


class Capabilities(FrozenModel):
    """What a device can do, keyed by `DType` value or `Feature` value; what is absent is unknown."""

    table: dict[str, Capability] = {}

    def of(self, key: str | Enum) -> Capability:
        """The capability for a dtype or feature.

        Args:
            key: a `DType`, a `Feature`, or the value of one.
        """
        name = key.value if isinstance(key, Enum) else key
        return self.table.get(name, Capability(support=Support.UNKNOWN))

    def refusal(self, dtypes: Iterable[DType]) -> str:
        """Why one of some dtypes can't be used by anyone; empty when all can."""
        for dtype in sorted(dtypes, key=lambda each: each.value):
            capability = self.of(dtype)
            if not capability.support.usable:
                return capability.reason or f"no {dtype.value}"
        return ""


class Limits(FrozenModel):
    """What a launch may use on a target; `None` is unknown, never unlimited."""

    shared_memory_bytes: int | None = None
    """Per program: shared memory, LDS or Unified Buffer."""
    threads_per_block: int | None = None
    grid: tuple[int, ...] | None = None
    """The largest grid in each dimension; one number is a limit on the product."""


class Peaks(FrozenModel):
    """Datasheet ceilings, with their source; used only to refuse times that can't be."""

    bytes_per_second: float | None = None
    flops_per_second: dict[str, float] = {}
    """Dense, keyed by dtype value."""
    source: str = ""


class Target(FrozenModel):
    """Something to compile for without having it."""

    vendor: str
    arch: str
    """As the user writes it after the colon."""
    triton_backend: str | None = None
    triton_arch: int | str | None = None
    warp_size: int = 0
    limits: Limits = Limits()
    peaks: Peaks = Peaks()
    device_names: tuple[str, ...] = ()
    """Names of real devices that this target describes."""

    @property
    def name(self) -> str:
        """`vendor:arch`, as on the command line."""
        return f"{self.vendor}:{self.arch}"
