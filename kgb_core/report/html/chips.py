"""The columns of the page: one for each device of each run, with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kgb_core.models.conformance import (
    CONFORMANCE_SCHEMA,
    Conformance,
    ConformanceRef,
    RuleOutcome,
    RuleResult,
)
from kgb_core.models.device import Capabilities, Device, Support
from kgb_core.models.plan import device_name
from kgb_core.models.record import BackendRef
from kgb_core.report.html.gather import RunContent
from kgb_core.report.html.model import Chip, Fact, Override, Restriction
from kgb_core.results.documents import read_document
from kgb_core.results.run import Run
from kgb_core.scores.chip import ChipOfRun


def columns_of(contents: Sequence[RunContent], devices: Sequence[ChipOfRun]) -> tuple[Chip, ...]:
    """Every device of every run; two of the same model get names that tell them apart.

    Args:
        contents: what the runs gave.
        devices: of the same runs, as the scores have them.
    """
    known = {content.run.id: content for content in contents}
    chips = [_chip(f"c{number}", known[device.run], device) for number, device in enumerate(devices)]
    runs = {content.run.id: number for number, content in enumerate(contents, start=1)}
    return tuple(chip.model_copy(update={"label": _apart(chip, chips, runs)}) for chip in chips)


def _apart(chip: Chip, chips: Sequence[Chip], runs: Mapping[str, int]) -> str:
    """The label, with the run or the device behind it where others have the same."""
    alike = [other for other in chips if other.label == chip.label and other is not chip]
    run = f" · run {runs[chip.run]}" if any(other.run != chip.run for other in alike) else ""
    device = f" · {chip.device}" if any(other.run == chip.run for other in alike) else ""
    return chip.label + run + device


def _chip(number: str, content: RunContent, told: ChipOfRun) -> Chip:
    run, name = content.run, told.device
    device = _device(content, name)
    backend = _backend(content, name)
    conformance = _conformance(run, backend)
    capabilities = _capabilities(content, name)
    return Chip(
        id=number,
        label=device.name if device else name,
        device=name,
        run=run.id,
        synthetic=told.synthetic,
        finished=told.finished,
        facts=tuple(_facts(run, device, backend)),
        versions=tuple(_versions(run, backend)),
        restrictions=tuple(_restrictions(capabilities)),
        conformance=conformance,
        rules=_rules(run, conformance),
        overrides=tuple(_overrides(content, name)),
        untimed=told.untimed,
        taxonomy=told.taxonomy,
    )


def _device(content: RunContent, name: str) -> Device | None:
    listed = content.run.system.devices if content.run.system else ()
    told = {device_name(each.backend.name, each.device.index): each.device for each in listed}
    return told.get(name) or content.devices.get(name)


def _backend(content: RunContent, name: str) -> BackendRef:
    vendor = name.rsplit(":", 1)[0]
    listed = content.run.system.devices if content.run.system else ()
    told = {each.backend.name: each.backend for each in listed}
    return told.get(vendor) or content.backends.get(name) or BackendRef(name=vendor, version="unknown")


def _capabilities(content: RunContent, name: str) -> Capabilities:
    listed = content.run.system.devices if content.run.system else ()
    told = {device_name(each.backend.name, each.device.index): each.capabilities for each in listed}
    return told.get(name, Capabilities())


def _facts(run: Run, device: Device | None, backend: BackendRef) -> Iterator[Fact]:
    yield Fact(name="backend", value=f"{backend.name} {backend.version}")
    if device is not None:
        yield from _of_device(device)
    yield Fact(name="run", value=run.id)
    if run.plan is not None:
        yield Fact(name="suite", value=f"{run.plan.suite.label}, tier {run.plan.tier.value}")
        yield Fact(name="begun", value=run.plan.created)
    if run.manifest is not None:
        yield Fact(name="finished", value=run.manifest.finished)
        yield Fact(name="kgb-core", value=run.manifest.core)
        yield Fact(name="sandbox", value=run.manifest.sandbox or "unknown")


def _of_device(device: Device) -> Iterator[Fact]:
    sizes = {"memory": device.memory_bytes, "last-level cache": device.last_level_cache_bytes}
    yield Fact(name="architecture", value=device.arch or "unknown")
    for name, size in sizes.items():
        yield Fact(name=name, value="unknown" if size is None else _size(size))
    yield Fact(
        name="compute units",
        value="unknown" if device.compute_units is None else str(device.compute_units),
    )
    yield Fact(name="driver", value=device.driver_version or "unknown")


def _size(count: int) -> str:
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.1f} MiB"


def _versions(run: Run, backend: BackendRef) -> Iterator[Fact]:
    if run.system is None:
        return
    yield Fact(name="os", value=run.system.os)
    for name, value in sorted(run.system.environment.get(backend.name, {}).items()):
        if name != "os":
            yield Fact(name=name, value=value)


def _restrictions(capabilities: Capabilities) -> Iterator[Restriction]:
    for name, found in sorted(capabilities.table.items()):
        if found.support is not Support.FULL:
            yield Restriction(name=name, support=found.support.value, reason=found.reason)


def _conformance(run: Run, backend: BackendRef) -> ConformanceRef | None:
    told: Iterable[ConformanceRef] = run.manifest.conformance if run.manifest else ()
    return next((each for each in told if each.backend.name == backend.name), None)


def _rules(run: Run, reference: ConformanceRef | None) -> tuple[RuleResult, ...]:
    """The rules that did not pass, from the record in the bundle."""
    if reference is None or not reference.file:
        return ()
    inside = (run.path / reference.file).resolve()
    if not inside.is_relative_to(run.path.resolve()):
        return ()
    record = read_document(inside, Conformance, CONFORMANCE_SCHEMA, run.upgrades)
    return tuple(rule for rule in record.rules if rule.outcome is not RuleOutcome.PASSED) if record else ()


def _overrides(content: RunContent, name: str) -> Iterator[Override]:
    for ruled, judged in content.overrides.items():
        if ruled.device == name:
            yield Override(
                operator=ruled.operator,
                source=ruled.source,
                reason=ruled.reason,
                cases=judged.cases,
                passed=judged.passed,
                nearest=judged.nearest,
            )
