"""The verbs over several bundles: merge, rejudge, schema, and check with a key."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kgb_core.errors import ExitCode
from kgb_core.models.candidate import Candidate
from kgb_core.models.manifest import System
from kgb_core.models.plan import Plan
from kgb_core.models.record import Errors, Evidence, Record
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.synthetic import Shape, write_synthetic

Kgb = Callable[..., Any]
Make = Callable[..., Record]


@pytest.fixture
def write(
    tmp_path: Path, make_plan: Callable[..., Plan], make_candidate: Callable[..., Candidate], system: System
) -> Callable[..., Path]:
    def write(run: str, *records: Record, seed: int = 7) -> Path:
        plan = make_plan(*records).model_copy(update={"run": run, "seed": seed})
        with BundleWriter.create(tmp_path / run, plan, system) as writer:
            writer.add_source(make_candidate())
            for record in records:
                writer.append(record.model_copy(update={"run": run}))
            writer.close()
        return tmp_path / run

    return write


@pytest.fixture
def near(make_record: Make) -> Record:
    errors = Errors(max_abs=1, max_rel=1, max_ulp=4, rms=1, scale=2.0, got="1.1", want="1")
    evidence = Evidence(calls=1, launches=1, kernels=("_softmax",))
    return make_record(
        "u0", verdict=Verdict.WRONG_VALUE, errors=errors, tolerance=Tolerance(), evidence=evidence
    )


def test_merge_says_what_is_in_it_and_what_is_kept_apart(
    kgb: Kgb, tmp_path: Path, write: Callable[..., Path], make_record: Make
) -> None:
    a, b = write("run-a", make_record("u0")), write("run-b", make_record("u0"), seed=8)
    out = tmp_path / "m"
    ended = kgb("merge", str(a), str(b), str(a), "-o", str(out))
    assert ended.code == ExitCode.OK
    assert ended.out.splitlines() == [
        "run    suite           tier   records",
        "run-a  smoke 3f9c21e0  smoke  1/1      2 copies",
        "run-b  smoke 3f9c21e0  smoke  1/1",
        "Kept apart: 2 different seeds: 7, 8",
        f"2 runs in {out}",
    ]
    checked = kgb("check", str(out), "--strict")
    assert (checked.code, checked.out) == (ExitCode.OK, f"{out} is right\n")
    report = kgb("report", str(out))
    assert report.code == ExitCode.OK
    assert "chip:0, run run-a" in report.out
    assert "Kept apart: 2 different seeds among the runs." in report.out
    shown = kgb("show", str(out), "softmax", "--all")
    assert "run        run-b" in shown.out
    assert str(out / "runs" / "run-b" / "kernels") in shown.out


def test_merge_refuses_what_is_there_and_what_is_no_bundle(
    kgb: Kgb, tmp_path: Path, write: Callable[..., Path], make_record: Make
) -> None:
    a = write("run-a", make_record("u0"))
    assert kgb("merge", str(a), "-o", str(a)).code == ExitCode.USAGE
    ended = kgb("merge", str(tmp_path / "absent"), "-o", str(tmp_path / "m"))
    assert ended.code == ExitCode.USAGE
    assert "is no bundle" in ended.err
    assert not (tmp_path / "m").exists()


def test_rejudge_shows_what_moves_and_why(
    kgb: Kgb, tmp_path: Path, write: Callable[..., Path], near: Record
) -> None:
    bundle = write("run-a", near)
    ended = kgb("rejudge", str(bundle), "--scale", "4")
    assert ended.code == ExitCode.OK
    assert "wrong_value  now passed" in ended.out
    assert "needs 2 times the bound that it was judged by; now 4 times is allowed" in ended.out
    assert "1 record, 1 with a bound: 1 moved, 0 kept, 0 undecided." in ended.out
    out = tmp_path / "r"
    policy = tmp_path / "policy.toml"
    policy.write_text('reason = "as the paper"\n[[rule]]\noperator = "aten::*"\nscale = 4.0\n')
    assert kgb("rejudge", str(bundle), "--tolerance", str(policy), "-o", str(out)).code == ExitCode.OK
    report = kgb("report", str(out))
    assert "1/1" in report.out
    assert "Rejudged from the measurements of run-a: as the paper" in report.out


@pytest.mark.parametrize(
    "options", [[], ["--scale", "2", "--tolerance", "x"], ["--scale", "0"], ["--scale", "nan"]]
)
def test_rejudge_wants_one_policy(
    kgb: Kgb, write: Callable[..., Path], near: Record, options: list[str]
) -> None:
    assert kgb("rejudge", str(write("run-a", near)), *options).code == ExitCode.USAGE


def test_schema_lists_its_names_and_knows_what_is_close(kgb: Kgb) -> None:
    listed = kgb("schema").out
    for name in ("record", "manifest", "bundle", "run", "report", "check"):
        assert f"\n{name} " in f"\n{listed}"
    names = kgb("schema", "--json").json["schemas"]
    for name in names:
        Draft202012Validator.check_schema(kgb("schema", name).json)
    ended = kgb("schema", "recrod")
    assert ended.code == ExitCode.USAGE
    assert "close: record" in ended.err


def test_what_the_verbs_print_is_what_their_schema_says(
    kgb: Kgb, tmp_path: Path, write: Callable[..., Path], near: Record
) -> None:
    bundle, out = str(write("run-a", near)), str(tmp_path / "m")
    printed = {
        "merge": kgb("merge", bundle, "-o", out, "--json"),
        "show": kgb("show", out, "softmax", "--json"),
        "report": kgb("report", out, "--json"),
        "check": kgb("check", out, "--json"),
        "rejudged": kgb("rejudge", bundle, "--scale", "2", "--json"),
    }
    for name, ended in printed.items():
        schema = kgb("schema", name).json
        Draft202012Validator(schema).validate(ended.json)
        assert not Draft202012Validator(schema).is_valid({**ended.json, "schema": "kgb.other/1"})


def test_a_synthetic_bundle_is_announced(kgb: Kgb, tmp_path: Path) -> None:
    write_synthetic(tmp_path / "s", Shape(operators=2, candidates=1))
    report = kgb("report", str(tmp_path / "s"))
    assert report.out.startswith("SYNTHETIC: ")
    assert kgb("report", str(tmp_path / "s"), "--json").json["synthetic"] is True
    checked = kgb("check", str(tmp_path / "s"), "--strict")
    assert checked.code == ExitCode.OK
    assert "note  synthetic: a program made the records up" in checked.out
    assert checked.out.endswith(f"{tmp_path / 's'} is right\n")


def test_check_asks_for_a_signature(
    kgb: Kgb, tmp_path: Path, write: Callable[..., Path], make_record: Make
) -> None:
    bundle, key = write("run-a", make_record("u0")), tmp_path / "lab"
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
    subprocess.run(make, check=True, stdin=subprocess.DEVNULL)
    public = str(key.with_suffix(".pub"))
    unsigned = kgb("check", str(bundle), "--key", public)
    assert unsigned.code == ExitCode.FAILED
    assert "nobody signed this bundle" in unsigned.out
    sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", "kgb", "-f", str(key), str(bundle / "manifest.json")]
    subprocess.run(sign, check=True, capture_output=True)
    assert kgb("check", str(bundle), "--key", public, "--strict").code == ExitCode.OK
    assert kgb("check", str(bundle), "--signature", "x").code == ExitCode.USAGE


def test_check_says_the_number_of_missing_cases_in_one_line(
    kgb: Kgb, make_bundle: Callable[..., Path], make_record: Make
) -> None:
    planned = tuple(make_record(f"u{number}") for number in range(1, 9))
    ended = kgb("check", str(make_bundle(make_record("u0"), planned=planned)))
    assert ended.code == ExitCode.OK
    assert "8 planned cases have no record; the first is aten::softmax" in ended.out
    assert len(ended.out.splitlines()) == 2
