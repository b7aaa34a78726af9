"""What one look at the machine gave: the chips and the driver's version, or why there is nothing."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_backend_ascend.cards import Card


@dataclass(frozen=True)
class Reading:
    """The answer of DCMI or of npu-smi.

    Attributes:
        source: who answered.
        cards: every chip, whatever ASCEND_RT_VISIBLE_DEVICES says.
        driver: the driver's version.
        problem: why it gave no answer, in its own words; empty when it did.
    """

    source: str
    cards: tuple[Card, ...] = ()
    driver: str | None = None
    problem: str = ""
