"""Which cards this process may use, by the CUDA_VISIBLE_DEVICES that it was started with.

CoreX is taken to read it as CUDA does; nobody here ran it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgb_backend_iluvatar.cards import Card

VARIABLE = "CUDA_VISIBLE_DEVICES"


def visible(cards: Sequence[Card], value: str | None) -> list[Card]:
    """The cards that CoreX would show, in its order; the first entry that names none ends the list.

    Args:
        cards: every card, in ixsmi's order.
        value: CUDA_VISIBLE_DEVICES: indices, or beginnings of ids; `None` where it is not set.
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
    if entry.isascii() and entry.isdecimal():
        return next((card for card in cards if str(card.index) == (entry.lstrip("0") or "0")), None)
    if not entry.startswith("GPU-"):
        return None
    found = [card for card in cards if card.uuid and card.uuid.startswith(entry)]
    return found[0] if len(found) == 1 else None
