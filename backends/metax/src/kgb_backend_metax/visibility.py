"""Which cards this process may use, by the CUDA_VISIBLE_DEVICES that it was started with.

gpustack-runtime, Ray and vLLM-metax all use that variable for MetaX. MACA_VISIBLE_DEVICES is in use, too;
what the runtime does where both are set is stated nowhere: the doctor warns of it, and nothing here reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgb_backend_metax.cards import Card
from kgb_backend_metax.info import INFO

VARIABLE = INFO.visibility_variable or ""
OTHER_VARIABLE = "MACA_VISIBLE_DEVICES"


def visible(cards: Sequence[Card], value: str | None) -> list[Card]:
    """The cards that are shown, in the order of the variable; `""`, `-1` and `NoDevFiles` mean none.

    As in CUDA, the first entry that names no device ends the list.

    Args:
        cards: every card, in mx-smi's order.
        value: CUDA_VISIBLE_DEVICES: indices or UUIDs; `None` where it is not set.
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
