"""What is said of a kernel pack as a whole: who made it, how, and at what cost."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel


class PackInfo(FrozenModel):
    """What is said of a whole pack; everything but the name may be unknown."""

    name: str
    method: str = ""
    """How the kernels were made: by hand, one shot, an agent."""
    model: str = ""
    """Which model wrote them."""
    tokens: int | None = None
    """Spent on the pack, input and output."""
    cost: float | None = None
    """Of the pack, in US dollars."""
    seconds: float | None = None
    """Wall time to make the pack, from the first prompt to the last kernel."""
    attempts: int | None = None
    """Samples drawn per operator."""
    licence: str = ""
    author: str = ""
