"""JSON Schemas: valid themselves, true of what is written, and false of what is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kgb_core.models.record import Errors, Record
from kgb_core.models.timing import Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.merge import merge_bundles
from kgb_core.results.policy import scaled
from kgb_core.results.rejudge import rejudge_bundle
from kgb_core.results.schemas import STORED, bundle_schema, schema_of


def validator(schema: dict[str, Any]) -> Any:
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture
def bundle(
    tmp_path: Path,
    make_record: Callable[..., Record],
    make_timing: Callable[..., Timing],
    write_run: Callable[..., Path],
) -> Path:
    errors = Errors(max_abs=float("inf"), max_rel=float("nan"), max_ulp=1.0, rms=0.0, scale=float("inf"))
    wrong = make_record("u0", verdict=Verdict.WRONG_VALUE, errors=errors)
    timed = make_record("u1", timing=make_timing(samples="samples/u1.json"))
    return write_run(tmp_path / "a", [wrong, timed])


def as_object(bundle: Path) -> dict[str, Any]:
    """A bundle as the one object that `kgb schema bundle` describes."""
    files = {
        path.relative_to(bundle).as_posix(): json.loads(path.read_text()) for path in bundle.rglob("*.json")
    }
    lines = (bundle / "results.jsonl").read_text().splitlines()
    return {**files, "results.jsonl": [json.loads(line) for line in lines]}


@pytest.mark.parametrize("name", STORED)
def test_every_schema_is_valid(name: str) -> None:
    schema = schema_of(STORED[name])
    validator(schema)
    assert schema["description"]


def test_a_bundle_is_what_its_schema_says(bundle: Path, tmp_path: Path) -> None:
    check = validator(bundle_schema())
    check.validate(as_object(bundle))
    rejudge_bundle(bundle, scaled(2.0), tmp_path / "r")
    check.validate(as_object(tmp_path / "r"))


def test_a_merged_manifest_is_what_its_schema_says(bundle: Path, tmp_path: Path) -> None:
    merge_bundles([bundle], tmp_path / "m")
    validator(schema_of(STORED["merged"])).validate(
        json.loads((tmp_path / "m" / "manifest.json").read_text())
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("verdict",), "splendid"),
        (("errors", "scale"), "huge"),
        (("attempt",), "1"),
        (("surprise",), 1),
        (("schema",), "kgb.record/9"),
    ],
)
def test_what_is_not_written_is_refused(bundle: Path, path: tuple[str, ...], value: Any) -> None:
    check = validator(schema_of(Record))
    record = json.loads((bundle / "results.jsonl").read_text().splitlines()[0])
    assert check.is_valid(record)
    *above, last = path
    inner = record
    for name in above:
        inner = inner[name]
    inner[last] = value
    assert not check.is_valid(record)
