"""Which replies may answer which request: a candidate's worker can write a well-formed other one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kgb_core.models.base import FrozenModel
from kgb_core.worker.protocol import (
    Called,
    Collected,
    Failed,
    HealthReport,
    Judged,
    Loaded,
    Measured,
    Prepared,
)

ANSWERS: Mapping[str, tuple[type[FrozenModel], ...]] = MappingProxyType(
    {
        "load": (Loaded, Failed),
        "call": (Called, Failed),
        "collect": (Collected, Failed),
        "prepare": (Prepared,),
        "judge": (Judged,),
        "baseline": (Measured,),
        "null": (Measured,),
        "health": (HealthReport,),
    }
)
"""The replies that may answer each kind of request; any other breaks the protocol."""
