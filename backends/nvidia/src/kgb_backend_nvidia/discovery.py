"""The devices of this process: NVML's answer or nvidia-smi's, other vendors' imitations left out."""

from __future__ import annotations

import os
from dataclasses import replace

from kgb_backend_nvidia import nvml, smi
from kgb_backend_nvidia.cards import devices_of
from kgb_backend_nvidia.reading import Reading
from kgb_backend_nvidia.visibility import VARIABLE, visible
from kgb_core.models import Device


def read() -> Reading:
    """Every NVIDIA card of the machine; nvidia-smi is asked only where NVML gives no answer."""
    answer = nvml.read()
    if answer.problem:
        told = smi.read()
        answer = replace(answer, problem=f"{answer.problem}; {told.problem}") if told.problem else told
    return replace(answer, cards=tuple(card for card in answer.cards if card.is_ours))


def devices() -> list[Device]:
    """The devices that this process may use."""
    return devices_of(visible(read().cards, os.environ.get(VARIABLE)))
