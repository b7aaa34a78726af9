"""Which cards this process may use, by the MUSA_VISIBLE_DEVICES that it was started with.

MUSA's own reading of the variable could not be checked here. It is read as CUDA reads its variable, whose
form MUSA took over: indices in a list, and the first entry that names no device ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgb_backend_mthreads.cards import Card
from kgb_backend_mthreads.info import INFO

VARIABLE = INFO.visibility_variable or ""


def visible(cards: Sequence[Card], value: str | None) -> list[Card]:
    """The cards that are shown, in the order of the variable; `""` and `-1` mean none.

    Args:
        cards: every card, in mthreads-gmi's order.
        value: MUSA_VISIBLE_DEVICES; `None` where it is not set.
    """
    if value is None:
        return list(cards)
    chosen: list[Card] = []
    for entry in value.split(","):
        card = _named(entry.strip(), cards)
        if card is None or card in chosen:
            break
        chosen.append(card)
    return chosen


def _named(entry: str, cards: Sequence[Card]) -> Card | None:
    return next((card for card in cards if entry in (str(card.gpu), card.uuid)), None)
