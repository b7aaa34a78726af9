"""Which cards this process may use, by the CUDA_VISIBLE_DEVICES that it was started with."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_backend_nvidia.cards import Card

VARIABLE = "CUDA_VISIBLE_DEVICES"
ORDER_VARIABLE = "CUDA_DEVICE_ORDER"


def visible(cards: Sequence[Card], value: str | None) -> list[Card]:
    """The cards that CUDA would show, in its order.

    As in CUDA, the first entry that names no device ends the list, so `""`, `-1` and `NoDevFiles` mean none.

    Args:
        cards: every card, in nvidia-smi's order.
        value: CUDA_VISIBLE_DEVICES: indices, or beginnings of UUIDs; `None` where it is not set.
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
    if entry.isdecimal():
        return next((card for card in cards if card.gpu == int(entry)), None)
    if not entry.startswith(("GPU-", "MIG-")):
        return None
    found = [card for card in cards if card.uuid and card.uuid.startswith(entry)]
    return found[0] if len(found) == 1 else None


def is_ambiguous(cards: Sequence[Card], value: str | None, order: str | None) -> bool:
    """True where indices may mean other cards to CUDA than to nvidia-smi.

    CUDA puts the fastest card first unless CUDA_DEVICE_ORDER is PCI_BUS_ID, so it matters where cards differ.

    Args:
        cards: every card.
        value: CUDA_VISIBLE_DEVICES.
        order: CUDA_DEVICE_ORDER.
    """
    uses_indices = value is not None and any(entry.strip().isdecimal() for entry in value.split(","))
    return uses_indices and order != "PCI_BUS_ID" and len({card.name for card in cards}) > 1
