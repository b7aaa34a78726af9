"""What one look at the machine gave: the cards, the versions, or why there is nothing."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_backend_iluvatar.cards import Card


@dataclass(frozen=True)
class Reading:
    """The answer of ixML or of ixsmi.

    Attributes:
        source: who answered.
        cards: every card, whatever CUDA_VISIBLE_DEVICES says.
        driver: the driver's version.
        ixml: the version of the management library.
        cuda: the CUDA that CoreX passes for; `None` where it didn't say.
        is_mismatched: CoreX says that it has no CUDA, as it does beside a driver of another version.
        problem: why it gave no answer, in its own words; empty when it did.
    """

    source: str
    cards: tuple[Card, ...] = ()
    driver: str | None = None
    ixml: str | None = None
    cuda: str | None = None
    is_mismatched: bool = False
    problem: str = ""
