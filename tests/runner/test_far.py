"""A case whose offsets need more than 32 bits, through all processes: judged right, cheaply, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kgb_core.models import Capabilities, Device
from kgb_core.models.case import Case, Layout
from kgb_core.models.verdict import Verdict
from kgb_core.operators.cases import case, fp16, normal
from kgb_core.runner.stations import Station

if TYPE_CHECKING:
    from conftest import Court

UNARY = case("far", self=normal((5, 37), dtype=fp16, layout=Layout.FAR))
IN_PLACE = case(
    "far", self=normal((5, 37), dtype=fp16, layout=Layout.FAR), other=normal((37,), dtype=fp16), alpha=2.0
)
NATIVE = "import torch\n\n\ndef cos(self):\n    return torch.cos({})\n"
NATIVE_ = "def add_(self, other, *, alpha=1):\n    self{}.add_(other, alpha=alpha)\n    return self\n"


@pytest.mark.parametrize(
    ("name", "made", "source", "verdict"),
    [
        ("aten::cos", UNARY, NATIVE.format("self"), Verdict.FALLBACK),
        ("aten::cos", UNARY, NATIVE.format("self[:4].repeat(2, 1)[:5]"), Verdict.WRONG_VALUE),
        ("aten::add_", IN_PLACE, NATIVE_.format(""), Verdict.FALLBACK),
        ("aten::add_", IN_PLACE, NATIVE_.format("[:4]"), Verdict.WRONG_VALUE),
    ],
    ids=["read", "read elsewhere", "written", "last row not written"],
)
def test_the_last_row_counts(court: Court, name: str, made: Case, source: str, verdict: Verdict) -> None:
    """By the native operator, which is no kernel: values are compared before that is held against it."""
    (outcome,) = court.outcomes(name, source, [made])
    assert outcome.verdict is verdict, outcome.message


def test_the_interpreter_does_not_try(court: Court) -> None:
    """It copies whole storages, which makes gigabytes of what nobody wrote."""
    assert court.station.unsupported(UNARY)


GIB = 2**30


@pytest.mark.parametrize(("memory", "fits"), [(None, True), (80 * GIB, True), (8 * GIB, False)])
def test_a_device_needs_the_address_space(
    stations: Callable[..., list[Station]], memory: int | None, fits: bool
) -> None:
    device = Device(index=0, name="Chip", memory_bytes=memory)
    (station,) = stations(devices=(device,), can=Capabilities())
    assert (station.unsupported(UNARY) == "") is fits
    assert station.unsupported(case("near", self=normal((5, 37), dtype=fp16))) == ""
