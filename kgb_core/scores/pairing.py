"""Which devices of two sets of runs can be compared: those that judged by the same suite, tier and inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgb_core.models.base import FrozenModel
from kgb_core.results.run import Run
from kgb_core.scores.chip import ChipOfRun


class Matched(FrozenModel):
    """A device before and after."""

    device: str
    """`vendor:index`, of the run before."""
    model: str
    suite: str
    tier: str
    seed: int | None
    before: str
    """The run before."""
    after: str
    device_after: str
    differences: tuple[str, ...]
    """Versions that differ, such as `driver 1 -> 2`: what changed may be theirs."""


class Apart(FrozenModel):
    """A device of a run that was not compared."""

    device: str
    run: str
    why: str


@dataclass(frozen=True)
class Pairing:
    """What can be compared, and what can't."""

    matched: tuple[Matched, ...]
    apart: tuple[Apart, ...]


@dataclass(frozen=True)
class Side:
    """The runs of one side, with their devices.

    Attributes:
        runs: by id.
        chips: the devices of all of them.
    """

    runs: Mapping[str, Run]
    chips: Sequence[ChipOfRun]


def pair_up(before: Side, after: Side) -> Pairing:
    """Match devices by vendor and model, and runs by suite, tier and seed.

    Where a side has several such devices, their numbers must agree, too.
    """
    pairs = list(_pairs(before.chips, after.chips))
    used = {id(chip) for pair in pairs for chip in (pair.before, pair.after)}
    sides = ((before.chips, after.chips), (after.chips, before.chips))
    return Pairing(
        matched=tuple(_matched(pair, before.runs, after.runs) for pair in pairs),
        apart=tuple(
            Apart(device=chip.device, run=chip.run, why=_why(chip, others))
            for own, others in sides
            for chip in own
            if id(chip) not in used
        ),
    )


@dataclass(frozen=True)
class _Pair:
    before: ChipOfRun
    after: ChipOfRun


def _pairs(before: Sequence[ChipOfRun], after: Sequence[ChipOfRun]) -> Iterator[_Pair]:
    found = _grouped(after, _question)
    for question, mine in _grouped(before, _question).items():
        theirs = found.get(question, [])
        if len(mine) == len(theirs) == 1:
            yield _Pair(mine[0], theirs[0])
            continue
        numbered = _grouped(theirs, lambda chip: chip.device)
        for device, same in _grouped(mine, lambda chip: chip.device).items():
            if len(same) == len(numbered.get(device, [])) == 1:
                yield _Pair(same[0], numbered[device][0])


def _grouped(chips: Iterable[ChipOfRun], key: Callable[[ChipOfRun], str]) -> dict[str, list[ChipOfRun]]:
    found: dict[str, list[ChipOfRun]] = {}
    for chip in chips:
        if chip.suite:
            found.setdefault(key(chip), []).append(chip)
    return found


def _question(chip: ChipOfRun) -> str:
    """What was asked, and of what kind of chip."""
    return "\0".join((_vendor(chip), chip.model, chip.suite, chip.tier, str(chip.seed)))


def _vendor(chip: ChipOfRun) -> str:
    return chip.device.partition(":")[0]


def _why(chip: ChipOfRun, others: Sequence[ChipOfRun]) -> str:
    """Why a device has no partner among those of the other side: in what the closest one differs."""
    if not chip.suite:
        return "its run has no plan"
    same = [other for other in others if (_vendor(other), other.model) == (_vendor(chip), chip.model)]
    if not same:
        return f"the other side has no {chip.model or _vendor(chip)}"
    closest = min((_differing(chip, other) for other in same), key=len)
    return "; ".join(closest) or "a side has several runs or devices that are alike: give one of each"


def _differing(one: ChipOfRun, other: ChipOfRun) -> list[str]:
    told = {"suite": (one.suite, other.suite), "tier": (one.tier, other.tier), "seed": (one.seed, other.seed)}
    return [f"another {name}: {was} and {now}" for name, (was, now) in told.items() if was != now]


def _matched(pair: _Pair, runs: Mapping[str, Run], later: Mapping[str, Run]) -> Matched:
    before, after = pair.before, pair.after
    versions, now = _versions(runs[before.run], before), _versions(later[after.run], after)
    return Matched(
        device=before.device,
        model=before.model,
        suite=before.suite,
        tier=before.tier,
        seed=before.seed,
        before=before.run,
        after=after.run,
        device_after=after.device,
        differences=tuple(_changed(versions, now)),
    )


def _versions(run: Run, chip: ChipOfRun) -> dict[str, str]:
    told = run.system.environment.get(_vendor(chip), {}) if run.system else {}
    return {"kgb-core": chip.core or "unknown", **told}


def _changed(one: Mapping[str, str], other: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*one, *other}):
        was, now = one.get(name, "unknown"), other.get(name, "unknown")
        if was != now:
            yield f"{name} {was} -> {now}"
