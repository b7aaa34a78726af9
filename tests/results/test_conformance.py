"""Conformance records in bundles: kept, hashed, stated in the manifest, and checked against it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.errors import BundleError, UsageError
from kgb_core.models.candidate import Candidate
from kgb_core.models.conformance import (
    Conformance,
    ConformanceRef,
    ConformanceState,
    ConformanceTier,
    RuleOutcome,
    RuleResult,
    SuiteIdentity,
)
from kgb_core.models.device import Device
from kgb_core.models.manifest import Manifest, System, SystemDevice
from kgb_core.models.plan import Plan
from kgb_core.models.record import BackendRef, Record
from kgb_core.report.conformance import conformance_lines
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.check import Severity, check_bundle
from kgb_core.results.conformance import chosen_conformance, conformance_path, read_conformance
from kgb_core.version import __version__

CHIP = BackendRef(name="chip", version="0.1.0")


def a_record(backend: BackendRef = CHIP, core: str = __version__, **outcomes: RuleOutcome) -> Conformance:
    outcomes = outcomes or {"plugin_loads": RuleOutcome.PASSED}
    rules = tuple(
        RuleResult(rule=name, tier=ConformanceTier.NO_CHIP, outcome=outcome)
        for name, outcome in outcomes.items()
    )
    return Conformance(
        backend=backend,
        core=core,
        suite=SuiteIdentity(version="1.0", sha256="0" * 64),
        rules=rules,
        devices=(Device(index=0, name="Chip 1", uuid="CHIP-1234"),),
        finished="2026-12-01T09:12:00+00:00",
        signed_off_by="A. Maintainer",
    )


@pytest.fixture
def closed(
    tmp_path: Path,
    make_candidate: Callable[..., Candidate],
    make_record: Callable[..., Record],
    make_plan: Callable[..., Plan],
    system: System,
) -> Callable[..., Manifest]:
    """Closes a bundle of one record on `chip:0` with these conformance records."""

    def close(*records: Conformance) -> Manifest:
        record = make_record()
        device = SystemDevice(backend=CHIP, device=record.device)
        here = system.model_copy(update={"devices": (device,)})
        with BundleWriter.create(tmp_path / "bundle", make_plan(record), here) as writer:
            writer.add_source(make_candidate())
            writer.append(record)
            return writer.close(conformance=records)

    return close


@pytest.mark.parametrize(
    ("record", "state", "shown"),
    [
        (a_record(), ConformanceState.PASSED, "chip 0.1.0: passed (no-chip)"),
        (
            a_record(one=RuleOutcome.PASSED, two=RuleOutcome.FAILED),
            ConformanceState.FAILED,
            "chip 0.1.0: failed (no-chip)",
        ),
        (
            a_record(one=RuleOutcome.PASSED, two=RuleOutcome.XFAILED, three=RuleOutcome.SKIPPED),
            ConformanceState.PASSED,
            "chip 0.1.0: passed (no-chip)",
        ),
        (a_record(one=RuleOutcome.SKIPPED), ConformanceState.FAILED, "chip 0.1.0: failed"),
        (
            a_record(BackendRef(name="chip", version="0.0.9")),
            ConformanceState.STALE,
            "chip 0.1.0: stale (no-chip)",
        ),
        (a_record(core="0.0.1"), ConformanceState.STALE, "chip 0.1.0: stale (no-chip)"),
    ],
    ids=["passed", "failed", "expected to fail", "nothing asked", "other plugin", "other core"],
)
def test_the_manifest_says_what_the_record_says(
    closed: Callable[..., Manifest], tmp_path: Path, record: Conformance, state: ConformanceState, shown: str
) -> None:
    manifest = closed(record)
    (told,) = manifest.conformance
    assert (told.backend, told.state, told.text) == (CHIP, state, shown)
    assert told.file in manifest.files
    kept = read_conformance(tmp_path / "bundle" / told.file)
    assert kept.rules == record.rules
    assert kept.devices[0].uuid is None
    notes = [p for p in check_bundle(tmp_path / "bundle") if p.file == "manifest.json"]
    assert [(p.severity, p.message) for p in notes] == [(Severity.NOTE, f"conformance of {shown}")]


def test_a_backend_without_a_record_is_listed_as_such(closed: Callable[..., Manifest]) -> None:
    manifest = closed()
    assert manifest.conformance == (ConformanceRef(backend=CHIP, state=ConformanceState.NONE),)
    assert list(conformance_lines([manifest, None, manifest])) == [
        "Conformance of chip 0.1.0: none; kgb conformance --backend chip writes one"
    ]


def test_a_claim_that_the_record_does_not_bear_out_is_found(
    closed: Callable[..., Manifest], tmp_path: Path
) -> None:
    closed(a_record(one=RuleOutcome.PASSED, two=RuleOutcome.FAILED))
    path = tmp_path / "bundle" / "manifest.json"
    document = json.loads(path.read_text())
    document["conformance"][0]["state"] = "passed"
    path.write_text(json.dumps(document))
    errors = [p.message for p in check_bundle(tmp_path / "bundle") if p.severity is Severity.ERROR]
    assert errors == ["conformance of chip 0.1.0: passed (no-chip): its record doesn't say so"]


def test_an_altered_record_is_found(closed: Callable[..., Manifest], tmp_path: Path) -> None:
    closed(a_record())
    path = tmp_path / "bundle" / conformance_path("chip")
    path.write_text(path.read_text().replace("A. Maintainer", "B. Maintainer"))
    errors = {p.file: p.message for p in check_bundle(tmp_path / "bundle") if p.severity is Severity.ERROR}
    assert errors == {conformance_path("chip"): "altered: its sha256 is not the manifest's"}


def written(path: Path, record: Conformance) -> Path:
    path.write_text(record.model_dump_json(), encoding="utf-8")
    return path


def test_what_is_given_goes_before_what_the_plugin_ships(tmp_path: Path) -> None:
    shipped = written(tmp_path / "shipped.json", a_record(core="0.0.1"))
    given = written(tmp_path / "given.json", a_record())
    assert chosen_conformance([], {"chip": shipped, "bare": None}) == [a_record(core="0.0.1")]
    assert chosen_conformance([given], {"chip": shipped, "bare": None}) == [a_record()]


def test_a_record_of_a_backend_that_is_not_used_is_refused(tmp_path: Path) -> None:
    given = written(tmp_path / "given.json", a_record())
    with pytest.raises(UsageError, match=r"given.json is the record of chip.*\nthe run uses other"):
        chosen_conformance([given], {"other": None})
    with pytest.raises(UsageError, match="another file is too"):
        chosen_conformance([given, given], {"chip": None})


def test_what_is_no_record_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no conformance record"):
        read_conformance(tmp_path / "none.json")
    (tmp_path / "other.json").write_text('{"schema": "kgb.plan/1"}')
    with pytest.raises(BundleError, match=r"other.json: a kgb.plan document where a kgb.conformance"):
        read_conformance(tmp_path / "other.json")
