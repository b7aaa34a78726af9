"""What one look at the machine gave: the cards, the driver's versions, or why there is nothing."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_backend_nvidia.cards import Card


@dataclass(frozen=True)
class Reading:
    """The answer of NVML or of nvidia-smi.

    Attributes:
        source: who answered.
        cards: every GPU and MIG instance, whatever CUDA_VISIBLE_DEVICES says.
        driver: the driver's version.
        cuda: the newest CUDA that the driver supports; the toolkit in use may be older.
        problem: why it gave no answer, in its own words; empty when it did.
    """

    source: str
    cards: tuple[Card, ...] = ()
    driver: str | None = None
    cuda: str | None = None
    problem: str = ""
