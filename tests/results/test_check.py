"""`check_bundle`: a good bundle has no problem, and each planted fault is found at its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.errors import BundleError
from kgb_core.models.candidate import Candidate
from kgb_core.models.manifest import System
from kgb_core.models.plan import Plan
from kgb_core.models.record import Record
from kgb_core.models.timing import Samples, Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.check import Problem, Severity, check_bundle
from kgb_core.results.files import sha256_of
from kgb_core.results.synthetic import Shape, write_synthetic

Make = Callable[..., Record]


@pytest.fixture
def build(
    tmp_path: Path,
    make_plan: Callable[..., Plan],
    make_candidate: Callable[..., Candidate],
    system: System,
) -> Callable[..., Path]:
    def build(*records: Record, planned: list[Record] | None = None, close: bool = True) -> Path:
        path = tmp_path / "bundle"
        with BundleWriter.create(path, make_plan(*(planned or records)), system) as writer:
            writer.add_source(make_candidate())
            for record in records:
                if record.timing is not None and record.timing.samples:
                    writer.add_samples(
                        record.uid,
                        Samples(device_ns=(900, 1000, 1100), call_ns=(1, 1, 1)),
                        Samples(device_ns=(1900, 2000, 2100), call_ns=(1, 1, 1)),
                    )
                writer.append(record)
            if close:
                writer.close()
        return path

    return build


def reseal(path: Path) -> None:
    """Make the manifest agree with the files again, as a forger would."""
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["files"] = {name: sha256_of(path / name) for name in manifest["files"]}
    (path / "manifest.json").write_text(json.dumps(manifest))


def edit(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    lines = [json.loads(line) for line in (path / "results.jsonl").read_text().splitlines()]
    change(lines)
    (path / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    reseal(path)


def told(problems: list[Problem]) -> str:
    return "\n".join(f"{problem.place} {problem.severity.value}: {problem.message}" for problem in problems)


def test_a_good_bundle_has_no_problem(
    build: Callable[..., Path], make_record: Make, make_timing: Callable[..., Timing]
) -> None:
    timed = make_record("u1", timing=make_timing(samples="samples/u1.json"))
    invalid = make_record(
        "u2", timing=make_timing(50.0, speedup=None, speedup_interval=None, invalid="below the floor")
    )
    path = build(make_record("u0"), timed, invalid, make_record("u3", verdict=Verdict.CRASHED))
    assert check_bundle(path, strict=True) == []


def test_an_interrupted_bundle_is_a_warning_and_strictly_an_error(
    build: Callable[..., Path], make_record: Make
) -> None:
    first, second = make_record("u0"), make_record("u1")
    path = build(first, planned=[first, second], close=False)
    with (path / "results.jsonl").open("ab") as stream:
        stream.write(b'{"torn')
    problems = check_bundle(path)
    assert {problem.severity for problem in problems} == {Severity.WARNING}
    text = told(problems)
    assert "manifest.json warning: missing" in text
    assert "results.jsonl:2 warning: the last line is torn" in text
    assert "1 planned case has no record; it is aten::softmax" in text
    assert {problem.severity for problem in check_bundle(path, strict=True)} == {Severity.ERROR}


@pytest.mark.parametrize("file", ["results.jsonl", "plan.json", "system.json", "kernels"])
def test_an_altered_or_missing_file_is_found(
    build: Callable[..., Path], make_record: Make, file: str
) -> None:
    path = build(make_record("u0"))
    target = next((path / "kernels").iterdir()) if file == "kernels" else path / file
    target.write_bytes(target.read_bytes().replace(b"softmax", b"softmin") + b" ")
    name = target.relative_to(path).as_posix()
    assert f"{name} error: altered" in told(check_bundle(path))
    target.unlink()
    assert f"{name} error: listed in the manifest and missing" in told(check_bundle(path))


def test_a_file_that_the_manifest_does_not_list_is_a_warning(
    build: Callable[..., Path], make_record: Make
) -> None:
    path = build(make_record("u0"))
    (path / "notes.txt").write_text("x")
    assert told(check_bundle(path)) == "notes.txt warning: not listed in the manifest"


def first(change: Callable[[dict[str, Any]], Any]) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: change(lines[0])


ERRORS = {"max_abs": 1, "max_rel": 1, "max_ulp": 9, "rms": 1, "scale": 7.0, "native_scale": 1.0}
TOLERANCE = {"ulps": 2.0, "native_factor": 3.0}
FORGERIES: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], str]] = {
    "a second record": (
        lambda lines: lines.append(lines[0]),
        "a second record for u0; the first is on line 1",
    ),
    "a missing record": (lambda lines: lines.pop(), "1 planned case has no record; it is aten::softmax"),
    "an unplanned record": (first(lambda r: r.update(uid="zz")), "zz was not planned"),
    "another case": (first(lambda r: r["case"].update(id="other")), "are not the planned ones"),
    "another device": (first(lambda r: r["device"].update(index=3)), "are not the planned ones"),
    "another run": (first(lambda r: r.update(run="other")), "it is of run other"),
    "another source": (first(lambda r: r["candidate"].update(sha256="0" * 64)), "is missing"),
    "another suite": (first(lambda r: r.update(suite="smoke other")), "it is of suite smoke other"),
    "an answer outside its bound": (
        first(lambda r: r.update(errors=ERRORS, tolerance=TOLERANCE)),
        "passed although it needs 7 times the tolerance; 3 is allowed",
    ),
    "a trespass that passed": (
        first(lambda r: r["evidence"].update(mutated=["self"])),
        "passed although it changed memory",
    ),
    "another verdict": (first(lambda r: r.update(verdict="crashed")), "counts are not those of the records"),
    "a time of a failure": (lambda lines: lines[1].update(verdict="wrong_value"), "timed although"),
    "a time below the floor": (
        lambda lines: lines[1]["timing"].update(floor_ns=1500.0),
        "below the roofline floor",
    ),
    "no time at all": (lambda lines: lines[1]["timing"]["candidate"].update(median_ns=0.0), "is no time"),
    "a time that is not a number": (
        lambda lines: lines[1]["timing"]["baseline"].update(median_ns="NaN"),
        "is no time",
    ),
    "a better speedup": (lambda lines: lines[1]["timing"].update(speedup=9.0), "its medians give 2"),
    "a speedup of an invalid time": (lambda lines: lines[1]["timing"].update(invalid="x"), "marked invalid"),
    "a better median": (
        lambda lines: lines[1]["timing"].update(
            candidate={**lines[1]["timing"]["candidate"], "median_ns": 500.0}, speedup=4.0
        ),
        "by its samples",
    ),
    "fewer samples": (lambda lines: lines[1]["timing"]["candidate"].update(count=9), "the record counts 9"),
    "samples from elsewhere": (
        lambda lines: lines[1]["timing"].update(samples="../../secret"),
        "samples should be",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_right_hashes_is_still_found(
    build: Callable[..., Path], make_record: Make, make_timing: Callable[..., Timing], name: str
) -> None:
    path = build(make_record("u0"), make_record("u1", timing=make_timing(samples="samples/u1.json")))
    assert check_bundle(path, strict=True) == []
    change, message = FORGERIES[name]
    edit(path, change)
    problems = [problem for problem in check_bundle(path) if message in problem.message]
    assert problems
    assert problems[0].severity is Severity.ERROR


def test_missing_samples_are_found(
    build: Callable[..., Path], make_record: Make, make_timing: Callable[..., Timing]
) -> None:
    path = build(make_record("u0", timing=make_timing(samples="samples/u0.json")))
    (path / "samples" / "u0.json").unlink()
    text = told(check_bundle(path))
    assert "samples/u0.json error: listed in the manifest and missing" in text
    assert "results.jsonl:1 error: its samples can't be read" in text


def test_a_manifest_that_disagrees_with_the_plan_is_found(
    build: Callable[..., Path], make_record: Make
) -> None:
    path = build(make_record("u0"))
    manifest = json.loads((path / "manifest.json").read_text())
    (path / "manifest.json").write_text(json.dumps({**manifest, "seed": 1, "planned": 9}))
    text = told(check_bundle(path))
    assert "its seed is not the plan's" in text
    assert "says 9 planned cases; the plan has 1" in text


def test_a_malformed_line_is_a_problem_with_its_place(build: Callable[..., Path], make_record: Make) -> None:
    path = build(make_record("u0"))
    with (path / "results.jsonl").open("a") as stream:
        stream.write("{}\n")
    altered, malformed = check_bundle(path)
    assert (malformed.place, malformed.severity) == ("results.jsonl:2", Severity.ERROR)
    assert (altered.place, altered.message) == ("results.jsonl", "altered: its sha256 is not the manifest's")


def test_a_malformed_manifest_is_a_problem_with_its_place(
    build: Callable[..., Path], make_record: Make
) -> None:
    path = build(make_record("u0"))
    (path / "manifest.json").write_text("{")
    (problem,) = check_bundle(path)
    assert problem.place == "manifest.json"


def test_a_bundle_without_its_plan_is_an_error(build: Callable[..., Path], make_record: Make) -> None:
    path = build(make_record("u0"), close=False)
    (path / "plan.json").unlink()
    assert "plan.json error: missing" in told(check_bundle(path))


def test_what_is_no_bundle_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="is no bundle"):
        check_bundle(tmp_path)


def test_missing_records_are_one_line_with_their_number(
    build: Callable[..., Path], make_record: Make
) -> None:
    planned = [make_record(f"u{number}") for number in range(5)]
    path = build(planned[1], planned=planned, close=False)
    missing = [problem for problem in check_bundle(path) if "no record" in problem.message]
    assert [problem.message for problem in missing] == [
        "4 planned cases have no record; the first is aten::softmax self=fp32[7x1023], dim=-1 on chip:0 (u0)"
    ]


def test_every_malformed_line_is_named(build: Callable[..., Path], make_record: Make) -> None:
    records = [make_record(f"u{number}") for number in range(3)]
    path = build(*records, close=False)
    lines = (path / "results.jsonl").read_text().splitlines()
    lines[0] = "{"
    lines[2] = lines[2].replace('"passed"', '"splendid"')
    (path / "results.jsonl").write_text("\n".join([*lines, ""]))
    places = [problem.place for problem in check_bundle(path) if problem.severity is Severity.ERROR]
    assert places == ["results.jsonl:1", "results.jsonl:3"]


def test_a_source_that_is_not_its_name_is_found_without_a_manifest(
    build: Callable[..., Path], make_record: Make
) -> None:
    path = build(make_record("u0"), planned=[make_record("u0"), make_record("u1")], close=False)
    next((path / "kernels").iterdir()).write_text("x = 1\n")
    assert "altered: its sha256 is not its name" in told(check_bundle(path))


def test_two_planned_cases_of_one_uid_are_found(build: Callable[..., Path], make_record: Make) -> None:
    path = build(make_record("u0"), planned=[make_record("u0"), make_record("u1")], close=False)
    plan = path / "plan.json"
    plan.write_text(plan.read_text().replace('"uid":"u1"', '"uid":"u0"'))
    assert "plan.json error: two planned cases are u0" in told(check_bundle(path))


def test_a_synthetic_bundle_says_so_and_is_no_error(tmp_path: Path) -> None:
    write_synthetic(tmp_path / "s", Shape(operators=2, candidates=1))
    (problem,) = check_bundle(tmp_path / "s", strict=True)
    assert problem.severity is Severity.NOTE
    assert "nothing was measured" in problem.message
