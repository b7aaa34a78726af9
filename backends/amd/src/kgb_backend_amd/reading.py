"""What one look at the machine gave: the cards, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_backend_amd.cards import Card


@dataclass(frozen=True)
class Reading:
    """The answer of one source.

    Attributes:
        source: who answered.
        cards: every card, whatever ROCR_VISIBLE_DEVICES says.
        problem: why it gave no answer, in its own words; empty when it did.
    """

    source: str
    cards: tuple[Card, ...] = ()
    problem: str = ""

    @property
    def driver(self) -> str | None:
        """The driver's version; all cards have one driver."""
        return next((card.driver for card in self.cards if card.driver), None)


def each_once(cards: list[Card]) -> tuple[Card, ...]:
    """The cards by index, the first of each: a tool may print one twice."""
    found: dict[int, Card] = {}
    for card in cards:
        found.setdefault(card.index, card)
    return tuple(found[index] for index in sorted(found))
