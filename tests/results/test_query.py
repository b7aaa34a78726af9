"""Reading: one run or many, as a stream, by groups, with sources and samples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.errors import BundleError
from kgb_core.models.candidate import Candidate
from kgb_core.models.device import Device
from kgb_core.models.record import BackendRef, Record
from kgb_core.models.timing import Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.merge import merge_bundles
from kgb_core.results.query import By, open_results

Make = Callable[..., Record]
WriteRun = Callable[..., Path]


@pytest.fixture
def merged(
    tmp_path: Path, make_record: Make, make_timing: Callable[..., Timing], write_run: WriteRun
) -> Path:
    other = {"backend": BackendRef(name="other", version="1"), "device": Device(index=3, name="Other 9")}
    timed = make_record("u1", timing=make_timing(samples="samples/u1.json"))
    a = write_run(tmp_path / "a", [make_record("u0"), timed, make_record("u2", operator="aten::mm")])
    b = write_run(tmp_path / "b", [make_record("v0", verdict=Verdict.CRASHED, **other)], run="run-b")
    merge_bundles([a, b], tmp_path / "m")
    return tmp_path / "m"


def test_one_bundle_and_several_are_read_alike(merged: Path, tmp_path: Path) -> None:
    from_merged = open_results(merged)
    from_parts = open_results(tmp_path / "a", tmp_path / "b")
    assert list(from_merged.records()) == list(from_parts.records())
    assert [run.id for run in from_merged.runs] == ["run-a", "run-b"]
    assert [record.uid for record in from_merged.records("aten::mm")] == ["u2"]


def test_groups_hold_every_record_once(merged: Path) -> None:
    results = open_results(merged)
    groups = results.groups(By.OPERATOR, By.DEVICE)
    assert [(dict(group.key), len(group)) for group in groups] == [
        ({By.OPERATOR: "aten::mm", By.DEVICE: "chip:0"}, 1),
        ({By.OPERATOR: "aten::softmax", By.DEVICE: "chip:0"}, 2),
        ({By.OPERATOR: "aten::softmax", By.DEVICE: "other:3"}, 1),
    ]
    assert [record.uid for group in groups for record in group.records()] == ["u2", "u0", "u1", "v0"]


@pytest.mark.parametrize("by", list(By))
def test_every_field_groups_as_the_records_say(merged: Path, by: By) -> None:
    results = open_results(merged)
    for group in results.groups(by):
        said = {
            By.RUN: lambda r: r.run,
            By.BACKEND: lambda r: r.backend.name,
            By.DEVICE: lambda r: f"{r.backend.name}:{r.device.index}",
            By.DEVICE_NAME: lambda r: r.device.name,
            By.OPERATOR: lambda r: r.operator,
            By.PACK: lambda r: r.candidate.pack,
            By.CANDIDATE: lambda r: r.candidate.name,
            By.SOURCE: lambda r: r.candidate.sha256,
            By.CASE: lambda r: r.case.id,
            By.PURPOSE: lambda r: r.case.purpose.value,
            By.VERDICT: lambda r: r.verdict.value,
        }[by]
        assert {said(record) for record in group.records()} == {group.key[by]}


def test_sources_and_samples_are_at_hand(merged: Path, make_candidate: Callable[..., Candidate]) -> None:
    results = open_results(merged)
    assert results.source(make_candidate().sha256) == make_candidate().source
    assert results.source("0" * 64) is None
    assert results.source("../../plan") is None
    run = results.run("run-a")
    plain, timed, _ = run.records()
    samples = run.samples(timed)
    assert samples is not None
    assert samples.candidate.device_ns == (900, 1000, 1100)
    assert run.samples(plain) is None


def test_the_same_run_twice_is_refused(merged: Path, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="run run-a is there twice") as caught:
        open_results(merged, tmp_path / "a")
    assert "kgb merge" in caught.value.hint


def test_a_damaged_line_is_named_when_it_is_reached(merged: Path) -> None:
    results = merged / "runs" / "run-a" / "results.jsonl"
    lines = results.read_text().splitlines()
    results.write_text("\n".join([lines[0], lines[1][:40], lines[2], ""]))
    reading = open_results(merged).records()
    assert next(reading).uid == "u0"
    with pytest.raises(BundleError, match=r"results\.jsonl:2: malformed"):
        next(reading)
    with pytest.raises(BundleError, match=r"results\.jsonl:2: malformed"):
        open_results(merged).groups(By.RUN)


def test_what_remains_is_known_without_the_records(
    tmp_path: Path, make_record: Make, write_run: WriteRun
) -> None:
    planned = [make_record("u1"), make_record("u2")]
    (run,) = open_results(write_run(tmp_path / "a", [make_record("u0")], planned=planned)).runs
    assert not run.finished
    assert [case.uid for case in run.remaining({"u0", "u2"})] == ["u1"]
