"""Planning: each case of each candidate on each device once, under an identity that outlives the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgb_core import hookimpl
from kgb_core.models import Capabilities, Capability, Device, DType, Support, Tolerance
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Purpose, Tier
from kgb_core.operators.cases import case, fp16, fp32, normal
from kgb_core.operators.registry import Registry, registry_of
from kgb_core.operators.rules import Elementwise, Exact
from kgb_core.operators.spec import Kind, Operator
from kgb_core.runner.planning import Unit, units_of
from kgb_core.runner.stations import Station

Stations = Callable[..., list[Station]]
Candidates = Callable[..., Candidate]


def scale(self: Any) -> Any:
    """Twice each."""
    return self * 2


def declared(name: str, kind: Kind = Kind.COMPUTE) -> Operator:
    made = Operator(name, scale, Elementwise(ulps=5) if kind is Kind.COMPUTE else Exact(), kind=kind)
    made.check(
        case("a", self=normal((3,), dtype=fp32)),
        case("b", self=normal((3,), dtype=fp16)),
        case("c", self=normal((4,), dtype=fp32), tier=Tier.STANDARD),
    )
    made.perf(case("Llama", self=normal((9,), dtype=fp32)), weight=3)
    return made


@pytest.fixture(scope="module")
def registry() -> Registry:
    return registry_of([declared("law::scale"), declared("law::view", Kind.VIEW)])


@pytest.fixture(scope="module")
def candidates(make_candidate: Candidates) -> list[Candidate]:
    return [
        make_candidate("a", "law::scale", "scale/one"),
        make_candidate("b", "law::scale", "scale/two"),
        make_candidate("a", "law::view", "view"),
    ]


@pytest.fixture
def planned(registry: Registry, candidates: list[Candidate], stations: Stations) -> Callable[..., list[Unit]]:
    """Plans the units of the three candidates on a chip whose attributes are given."""

    def units(tier: Tier = Tier.SMOKE, seed: int = 7, **chip: Any) -> list[Unit]:
        return units_of(candidates, registry, stations(**chip), tier, seed)

    return units


Planned = Callable[..., list[Unit]]


def uids(units: list[Unit]) -> list[str]:
    return [item.planned.uid for unit in units for item in unit.items]


def test_a_unit_is_one_candidate_on_one_device_for_one_purpose(planned: Planned) -> None:
    units = planned()
    checks = [unit for unit in units if unit.purpose is Purpose.CHECK]
    perfs = [unit for unit in units if unit.purpose is Purpose.PERF]
    assert (len(checks), len(perfs)) == (3 * 2, 2 * 2), "a view is never timed"
    assert units == checks + perfs, "checks come first"
    assert {len(unit.items) for unit in checks} == {2}
    assert {item.planned.case.weight for unit in perfs for item in unit.items} == {3}


def test_every_planned_case_has_its_own_identity(planned: Planned) -> None:
    found = uids(planned(Tier.FULL))
    assert len(found) == len(set(found)) == 2 * (3 * 3 + 2)


def test_an_identity_outlives_the_run(planned: Planned) -> None:
    assert uids(planned(seed=1)) == uids(planned(seed=2))
    assert set(uids(planned())) < set(uids(planned(Tier.STANDARD)))


def test_an_identity_is_of_this_source_on_this_device(
    registry: Registry, stations: Stations, make_candidate: Candidates
) -> None:
    one = make_candidate("a", "law::scale", "scale")
    here = stations(devices=(Device(index=0, name="Chip 1"),))
    there = stations(devices=(Device(index=0, name="Chip 2"),))
    elsewhere = one.model_copy(update={"pack": "another"})
    plans = [
        units_of([candidate], registry, where, Tier.SMOKE, 7)
        for candidate, where in [
            (one, here),
            (make_candidate("b", "law::scale", "scale"), here),
            (one, there),
            (elsewhere, here),
        ]
    ]
    found = [uid for units in plans for uid in uids(units)]
    assert len(found) == len(set(found))


def test_what_was_moved_to_another_path_keeps_its_identity(
    registry: Registry, stations: Stations, make_candidate: Candidates
) -> None:
    one = make_candidate("a", "law::scale", "scale")
    moved = one.model_copy(update={"path": "elsewhere/a.py"})
    plans = [uids(units_of([c], registry, stations(), Tier.SMOKE, 7)) for c in (one, moved)]
    assert plans[0] == plans[1]


def test_where_times_mean_nothing_none_are_planned(planned: Planned) -> None:
    no_clock = Capabilities(table={"timing": Capability(support=Support.UNSUPPORTED, reason="no chip")})
    assert {unit.purpose for unit in planned(can=no_clock)} == {Purpose.CHECK}


def test_an_unsupported_case_is_planned_with_its_reason(planned: Planned) -> None:
    no_halves = Capabilities(table={"float16": Capability(support=Support.UNSUPPORTED, reason="no halves")})
    (unit, *_) = planned(can=no_halves)
    assert [item.unsupported for item in unit.items] == ["", "no halves"]


def test_a_case_takes_its_operators_tolerance_or_the_vendors(
    registry: Registry, candidates: list[Candidate], stations: Stations
) -> None:
    loose = Tolerance(ulps=99, reason="slow divider", source="chip")

    @hookimpl
    def tolerance(self: object, operator: str, dtype: DType, device: Device) -> Tolerance | None:
        return loose if dtype is DType.FLOAT16 else None

    found = stations(kgb_tolerance=tolerance)
    (unit, *_) = units_of(candidates, registry, found, Tier.SMOKE, 7)
    assert [item.task.tolerance.ulps for item in unit.items] == [5, 99]
    assert unit.items[1].task.tolerance.reason == "slow divider"


def test_what_is_done_is_left_out(planned: Planned) -> None:
    (unit, *_) = planned()
    first, second = uids([unit])
    assert uids([unit.without(frozenset({first}))]) == [second]
    assert unit.without(frozenset({first, second})).items == ()


def test_check_and_perf_of_one_candidate_share_a_key(planned: Planned) -> None:
    units = planned()
    checks = {unit.key for unit in units if unit.purpose is Purpose.CHECK}
    perfs = {unit.key for unit in units if unit.purpose is Purpose.PERF}
    assert perfs < checks
    assert len(checks) == 6


def test_contents_depend_on_the_seed_of_the_run_and_not_on_the_candidate(planned: Planned) -> None:
    units = planned()
    one, two = (unit for unit in units[:2])
    assert one.candidate != two.candidate
    assert one.items[0].task.call_seed(0) == two.items[0].task.call_seed(0)
    assert one.items[0].task.call_seed(0) != one.items[1].task.call_seed(0)
    assert one.items[0].task.call_seed(0) != one.items[0].task.call_seed(1)
    assert one.items[0].task.call_seed(0) != planned(seed=8)[0].items[0].task.call_seed(0)
