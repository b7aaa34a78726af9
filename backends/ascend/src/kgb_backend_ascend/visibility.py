"""Which chips this process may use, by the ASCEND_RT_VISIBLE_DEVICES that it was started with.

CANN's reference of the variable (envref_07_0028): logical ids between commas, in ascending order; whatever is
no id of a device, a blank too, ends the list. Neither DCMI nor npu-smi heeds it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgb_backend_ascend.cards import Card
from kgb_backend_ascend.info import INFO

VARIABLE = INFO.visibility_variable or ""


def visible(cards: Sequence[Card], value: str | None) -> list[Card]:
    """The chips that are shown; `""` means none.

    An id out of order ends the list as well: it is not supported, and older versions of CANN took it.

    Args:
        cards: every chip.
        value: ASCEND_RT_VISIBLE_DEVICES; `None` where it is not set.
    """
    if value is None:
        return list(cards)
    chosen: list[Card] = []
    for entry in value.split(","):
        card = next((card for card in cards if entry == str(card.index)), None)
        if card is None or (chosen and card.index <= chosen[-1].index):
            break
        chosen.append(card)
    return chosen
