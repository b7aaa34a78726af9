"""A captured kernel launch and what compiling it gave: the vocabulary of `kgb_compile`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from kgb_core.models.base import FrozenModel


class Stage(str, Enum):
    """How far a compilation got; the last stage whose artefact exists."""

    NOTHING = "nothing"
    TTIR = "ttir"
    TTGIR = "ttgir"
    LINALG = "linalg"
    LLIR = "llir"
    BINARY = "binary"


@dataclass(frozen=True)
class Launch:
    """One Triton launch, captured instead of run. It holds live objects, so it never leaves its process."""

    function: Any
    """The `triton.JITFunction`."""
    signature: dict[str, str]
    """Triton's type of each argument: `*fp32`, `i32`, `constexpr`."""
    constants: dict[str, Any]
    """Values of the constexpr arguments, by name."""
    attributes: dict[str, int] = field(default_factory=dict)
    """Divisibility of arguments that Triton specialised on, by name."""
    options: dict[str, Any] = field(default_factory=dict)
    """`num_warps`, `num_stages` and the like."""
    grid: tuple[int, ...] = (1,)


class Resources(FrozenModel):
    """What a compiled kernel needs; `None` is unknown."""

    shared_memory_bytes: int | None = None
    threads_per_block: int | None = None
    registers: int | None = None
    spills: int | None = None


class Excess(FrozenModel):
    """A resource that a kernel needs more of than a target has; both are in `unit`."""

    resource: str
    needed: int
    limit: int
    unit: str

    @property
    def text(self) -> str:
        """`shared memory 262144 bytes, limit 101376`."""
        return f"{self.resource} {self.needed} {self.unit}, limit {self.limit}"


class CompileOutcome(FrozenModel):
    """The result of compiling one launch for one target."""

    stage: Stage
    kernel: str
    resources: Resources = Resources()
    artefacts: dict[str, bytes] = {}
    """Compiled forms by file extension, the text ones UTF-8."""
    error: str = ""
    """The compiler's own words, first line first; empty on success."""
    excesses: tuple[Excess, ...] = ()
    """What the target has too little of, where that is the error: it compiled, and can't be launched."""
    log: str = ""
    note: str = ""
    """What a reader must know: that no vendor compiler was present, say."""
    nanoseconds: int = 0
