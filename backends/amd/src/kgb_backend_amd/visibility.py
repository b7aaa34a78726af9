"""Which cards this process may use: ROCR_VISIBLE_DEVICES chooses first, HIP_VISIBLE_DEVICES among those left.

As ROCm's runtime reads them, in source; nobody here ran it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgb_backend_amd.cards import Card

RUNTIME_VARIABLE = "ROCR_VISIBLE_DEVICES"
HIP_VARIABLES = ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")
"""Two names of one setting; the first wins."""

ORDINAL_VARIABLE = "GPU_DEVICE_ORDINAL"
_LEAST_ID = len("GPU-0")


def visible(cards: Sequence[Card], environment: Mapping[str, str]) -> list[Card]:
    """The cards that HIP would show, in its order.

    Args:
        cards: every card.
        environment: the variables of this process.
    """
    shown = _chosen(_in_order(cards), environment.get(RUNTIME_VARIABLE))
    setting = hip_setting(environment)
    return _chosen(shown, environment[setting] if setting else None)


def hip_setting(environment: Mapping[str, str]) -> str | None:
    """The variable that HIP reads; `None` where neither is set."""
    return next((name for name in HIP_VARIABLES if name in environment), None)


def pinned(visibility_id: str) -> dict[str, str]:
    """The variables that leave one device to a process: it is then HIP's first, whatever was set before.

    Args:
        visibility_id: what ROCR_VISIBLE_DEVICES takes for the device.
    """
    return {RUNTIME_VARIABLE: visibility_id} | dict.fromkeys((*HIP_VARIABLES, ORDINAL_VARIABLE), "0")


def is_ambiguous(cards: Sequence[Card], environment: Mapping[str, str]) -> bool:
    """True where HIP's indices may mean other cards: it puts cards of one architecture together.

    Args:
        cards: every card.
        environment: the variables of this process.
    """
    setting = hip_setting(environment)
    numbered = setting is not None and any(
        part.strip().isdecimal() for part in environment[setting].split(",")
    )
    return numbered and len({card.arch for card in cards}) > 1


def _in_order(cards: Sequence[Card]) -> list[Card]:
    """By rank in the kernel's topology, where that is known of all of them."""
    ranks = {card.index: card.rank for card in cards}
    known = None not in ranks.values()
    return sorted(cards, key=lambda card: (ranks[card.index] or 0) if known else card.index)


def _chosen(cards: Sequence[Card], value: str | None) -> list[Card]:
    """The cards that a list names; the first entry that names none, or one again, ends it."""
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
    """The card of an index, or of the beginning of an id that only one card has."""
    if entry.isascii() and entry.isdecimal():
        place = int(entry[:9])
        return cards[place] if place < len(cards) else None
    wanted = entry.lower()
    if not wanted.startswith("gpu-") or len(entry) < _LEAST_ID:
        return None
    found = [card for card in cards if card.uuid and card.uuid.lower().startswith(wanted)]
    return found[0] if len(found) == 1 else None
