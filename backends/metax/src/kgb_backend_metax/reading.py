"""What one look at the machine gave: the cards and versions, or why there is nothing."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_backend_metax.cards import Card


@dataclass(frozen=True)
class Reading:
    """The answer of MXSML or of mx-smi.

    Attributes:
        source: who answered.
        cards: every GPU, whatever CUDA_VISIBLE_DEVICES says.
        driver: the version of the driver in the kernel.
        maca: the version of MACA that the driver was installed with; the toolkit in use may be another.
        problem: why it gave no answer, in its own words; empty when it did.
    """

    source: str
    cards: tuple[Card, ...] = ()
    driver: str | None = None
    maca: str | None = None
    problem: str = ""
