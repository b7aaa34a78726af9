"""The devices of this process: DCMI's answer, or npu-smi's where DCMI gives none."""

from __future__ import annotations

import os
from dataclasses import replace

from kgb_backend_ascend import dcmi, npusmi
from kgb_backend_ascend.cards import devices_of
from kgb_backend_ascend.reading import Reading
from kgb_backend_ascend.visibility import VARIABLE, visible
from kgb_core.models import Device


def read() -> Reading:
    """Every chip of the machine; what both answerers said where there is none."""
    answer = dcmi.read()
    if answer.cards:
        return answer
    told = npusmi.read()
    reasons = "; ".join(filter(None, (answer.problem, told.problem)))
    return replace(told, problem=reasons) if told.problem else told


def devices() -> list[Device]:
    """The devices that this process may use."""
    return devices_of(visible(read().cards, os.environ.get(VARIABLE)))
