"""The devices of this process: MXSML's answer, or mx-smi's where MXSML gives none."""

from __future__ import annotations

import os
from dataclasses import replace

from kgb_backend_metax import mxsmi, mxsml
from kgb_backend_metax.cards import devices_of
from kgb_backend_metax.reading import Reading
from kgb_backend_metax.visibility import VARIABLE, visible
from kgb_core.models import Device


def read() -> Reading:
    """Every MetaX card of the machine; what both answerers said where there is none."""
    answer = mxsml.read()
    if answer.problem or not answer.cards:
        told = mxsmi.read()
        reasons = "; ".join(filter(None, (answer.problem, told.problem)))
        answer = replace(told, problem=reasons) if told.problem else told
    return replace(answer, cards=tuple(card for card in answer.cards if card.is_ours))


def devices() -> list[Device]:
    """The devices that this process may use."""
    return devices_of(visible(read().cards, os.environ.get(VARIABLE)))
