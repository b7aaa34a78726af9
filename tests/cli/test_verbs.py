"""The reading verbs: what they show a person, what they tell a program, and how they end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.cli.stack import Import, Stack, examine_stack
from kgb_core.errors import ExitCode
from kgb_core.models.record import Errors, Evidence, Finding
from kgb_core.models.verdict import Verdict

Kgb = Callable[..., Any]
Make = Callable[..., Any]

SIGNATURE = "double_it(self: torch.Tensor, *, scale: float = 2.0) -> torch.Tensor"


def test_operators_lists_each_with_its_cases(kgb: Kgb) -> None:
    ended = kgb("operators", "--suite", "scratchsuite")
    assert ended.code == ExitCode.OK
    assert ended.out.splitlines() == [
        "name                kind     numeric      check  perf  signature",
        f"scratch::double_it  compute  Elementwise  1      1     {SIGNATURE}",
        "scratch::peek       view     Exact        1      0     peek(self: torch.Tensor) -> torch.Tensor",
        "2 operators",
    ]


def test_operators_as_json(kgb: Kgb) -> None:
    document = kgb("operators", "--suite", "scratchsuite", "--json").json
    assert document["schema"] == "kgb.operators/1"
    assert document["operators"][0] == {
        "name": "scratch::double_it",
        "kind": "compute",
        "numeric": "Elementwise",
        "check_cases": 1,
        "perf_cases": 1,
        "signature": SIGNATURE,
        "suites": ["scratchsuite"],
    }


def test_one_operator_in_full(kgb: Kgb) -> None:
    ended = kgb("operators", "double_it")
    assert "Twice as much." in ended.out
    assert "No more." in ended.out
    assert "small: self=fp32[3]" in ended.out
    document = kgb("operators", "scratch::double_it", "--json").json
    assert document["schema"] == "kgb.operator/1"
    assert [case["purpose"] for case in document["operator"]["cases"]] == ["check", "perf"]
    assert document["operator"]["cases"][0]["arguments"][0]["argument"]["shape"] == [3]


def test_backends_shows_every_state_and_prints_no_banner(kgb: Kgb) -> None:
    ended = kgb("backends", "--json", env={"KGB_BACKENDS": "chip,broken"})
    assert ended.code == ExitCode.OK
    assert ended.json["schema"] == "kgb.backends/1"
    found = {entry["name"]: entry for entry in ended.json["backends"]}
    assert {name: found[name]["state"] for name in ("chip", "broken", "bare")} == {
        "chip": "loaded",
        "broken": "failed",
        "bare": "disabled",
    }
    assert "no licence" in found["broken"]["reason"]
    assert found["broken"]["next_step"]
    table = kgb("backends")
    assert "RuntimeError: no licence" in table.out
    assert "kgb-backend-scratch 1.5" in table.out


def test_backends_with_none_selected(kgb: Kgb) -> None:
    ended = kgb("backends", "--json", env={"KGB_BACKENDS": ""})
    assert {entry["state"] for entry in ended.json["backends"]} == {"disabled"}


def test_an_absent_backend_is_an_error(kgb: Kgb) -> None:
    ended = kgb("backends", "--backend", "chop")
    assert ended.code == ExitCode.BACKEND_FAILED
    assert "no backend chop is installed" in ended.err


def test_devices_lists_what_can_and_what_cannot_be_used(kgb: Kgb) -> None:
    ended = kgb("devices", "--backend", "chip", "--backend", "bare,faulty")
    assert ended.code == ExitCode.OK
    lines = ended.out.splitlines()
    assert lines[:3] == [
        "device  name    arch  memory   driver  state",
        "chip:0  Chip 1  c1    3.0 GiB  9       ready",
        "chip:1  Chip 1                         lost",
    ]
    assert "bare: no device" in lines
    assert "[faulty] kgb_discover_devices failed" in ended.out
    assert "libchip.so: cannot open shared object file" in ended.out


def test_devices_as_json(kgb: Kgb) -> None:
    document = kgb("devices", "--backend", "chip", "--json").json
    assert document["schema"] == "kgb.devices/1"
    first, second = document["devices"]
    assert (first["backend"], first["id"], first["name"], first["state"]) == (
        "chip",
        "chip:0",
        "Chip 1",
        None,
    )
    assert second["state"] == "lost"


def test_no_device_is_3_and_a_named_backend_that_fails_is_4(kgb: Kgb) -> None:
    assert kgb("devices", "--backend", "bare").code == ExitCode.NO_DEVICE
    ended = kgb("devices", "--backend", "broken")
    assert ended.code == ExitCode.BACKEND_FAILED
    assert "backend broken is failed" in ended.err
    assert kgb("devices", env={"KGB_BACKENDS": ""}).code == ExitCode.NO_DEVICE


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Stack(imports=(Import(module="torch", version="9.1"), Import(module="triton", version="9.2")))
    monkeypatch.setattr("kgb_core.cli.doctor.examine_stack", lambda: found)


@pytest.mark.usefixtures("stack")
def test_doctor_has_a_line_and_a_fix_for_everything(kgb: Kgb) -> None:
    ended = kgb("doctor", "--json", env={"KGB_BACKENDS": "chip,bare,faulty,broken"})
    assert ended.code == ExitCode.FAILED
    checks = {check["name"]: check for check in ended.json["checks"]}
    assert "torch 9.1, triton 9.2" in checks["core"]["found"]
    assert {
        name: checks[name]["health"] for name in ("core", "operators", "chip", "bare", "faulty", "broken")
    } == {
        "core": "ok",
        "operators": "ok",
        "chip": "warn",
        "bare": "none",
        "faulty": "broken",
        "broken": "broken",
    }
    assert "1 of 2 devices usable; Chip 1: lost" in checks["chip"]["found"]
    assert checks["chip driver"]["fix"] == "install driver 10"
    assert "libchip.so" in checks["faulty"]["found"]
    assert "no licence" in checks["broken"]["found"]
    assert all(check["fix"] for check in checks.values() if check["health"] != "ok")
    assert {check["health"] for name, check in checks.items() if name in ("cpu", "nvidia")} <= {"off"}
    assert "sandbox" in checks


@pytest.mark.usefixtures("stack")
def test_doctor_says_when_there_is_nothing_to_run_on(kgb: Kgb) -> None:
    ended = kgb("doctor", "--backend", "bare")
    assert ended.code == ExitCode.NO_DEVICE
    assert "plugin loaded; no device found" in ended.out
    assert "install its driver, then run kgb doctor again" in ended.out


def test_doctor_reports_a_stack_that_does_not_import(kgb: Kgb, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Stack(imports=(Import(module="torch", error="ImportError: libx.so"),))
    monkeypatch.setattr("kgb_core.cli.doctor.examine_stack", lambda: found)
    ended = kgb("doctor", "--backend", "chip")
    assert ended.code == ExitCode.FAILED
    assert "torch fails to import: ImportError: libx.so" in ended.out


def test_the_stack_is_examined_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stack_loud.py").write_text("print('hello')\n__version__ = '3'\n")
    (tmp_path / "stack_gone.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "stack_dead.py").write_text("import os\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert examine_stack(modules=("stack_loud",)).summary == "stack_loud 3"
    assert not examine_stack(modules=("stack_loud",)).broken
    assert "SystemExit: 3" in examine_stack(modules=("stack_gone",)).summary
    assert examine_stack(modules=("stack_dead",)).broken
    assert examine_stack(interpreter=str(tmp_path / "no_python")).broken
    absent = examine_stack(modules=("stack_nowhere",))
    assert (absent.broken, absent.incomplete, absent.summary) == (False, True, "stack_nowhere not installed")


def test_kernels_reports_every_file(kgb: Kgb, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "scratch__double_it.py").write_text("def double_it(self, *, scale=2.0):\n    return self\n")
    ended = kgb("kernels", str(pack))
    assert ended.code == ExitCode.OK
    assert "scratch__double_it.py  scratch::double_it  matched  the whole text" in ended.out
    (pack / "scratch__peek.py").write_text("def pek(self): return self\n")
    ended = kgb("kernels", str(pack), "--json")
    assert ended.code == ExitCode.FAILED
    assert ended.json["schema"] == "kgb.kernels/1"
    assert ended.json["pack"]["name"] == "pack"
    good, bad = ended.json["files"]
    assert (good["status"], good["candidate"]["name"]) == ("matched", "scratch__double_it")
    assert (bad["status"], bad["message"]) == ("no entry function", "wanted peek; the file defines pek")
    assert len(bad["candidate"]["sha256"]) == 64


def test_kernels_takes_a_named_operator_and_says_what_is_missing(kgb: Kgb, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("Here:\n```python\ndef peek(self): return self\n```\n")
    assert kgb("kernels", str(file)).code == ExitCode.FAILED
    ended = kgb("kernels", str(file), "--operator", "peek")
    assert ended.code == ExitCode.OK
    assert "the only fenced block" in ended.out
    assert kgb("kernels", str(tmp_path / "absent")).code == ExitCode.USAGE
    (tmp_path / "empty").mkdir()
    assert kgb("kernels", str(tmp_path / "empty")).code == ExitCode.NOTHING_SELECTED


def failing(make_record: Make) -> Any:
    return make_record(
        "u1",
        verdict=Verdict.WRONG_VALUE,
        message="got 0.01, want 0.04 at (3, 17)",
        errors=Errors(
            max_abs=0.03,
            max_rel=0.7,
            max_ulp=9e4,
            rms=0.1,
            scale=7e3,
            worst_index=(3, 17),
            got="0.01",
            want="0.04",
        ),
        evidence=Evidence(
            calls=2,
            launches=2,
            kernels=("_softmax",),
            aten={"aten.empty_like": 2},
            findings=(Finding(line=3, text="fixed size"),),
            output="[31mred\x1b[0m",
        ),
    )


def test_show_explains_each_case_that_did_not_pass(kgb: Kgb, make_bundle: Make, make_record: Make) -> None:
    more = [make_record(f"u{i}", verdict=Verdict.WRONG_VALUE, message=f"got {i}\nlong") for i in (2, 3)]
    skipped = make_record("u4", verdict=Verdict.UNSUPPORTED, message="no such dtype")
    path = make_bundle(make_record("u0"), failing(make_record), *more, skipped)
    ended = kgb("show", str(path), "softmax")
    assert ended.code == ExitCode.OK
    for part in (
        "wrong_value  self=fp32[7x1023], dim=-1",
        "got 0.01, want 0.04 at (3, 17)",
        "2 Triton launches in 2 calls: _softmax",
        "aten.empty_like x2",
        "line 3: fixed size",
        f"{path}/kernels/",
        "red\\x1b[0m",
        "  2 more      self=fp32[7x1023], dim=-1: got 2\n",
        "aten::softmax: 1 of 5 cases passed, 3 wrong_value, 1 unsupported",
    ):
        assert part in ended.out, part
    document = kgb("show", str(path), "aten::softmax", "--json").json
    assert document["schema"] == "kgb.show/1"
    assert [record["uid"] for record in document["records"]] == ["u1", "u2", "u3"]
    assert len(kgb("show", str(path), "aten::softmax", "--all", "--json").json["records"]) == 5
    assert "no such dtype" not in ended.out
    assert "no such dtype" in kgb("show", str(path), "aten::softmax", "--all").out
    ended = kgb("show", str(path), "aten::sofmax")
    assert ended.code == ExitCode.USAGE
    assert "close: aten::softmax" in ended.err


def test_report_shows_the_table_and_the_state(kgb: Kgb, make_bundle: Make, make_record: Make) -> None:
    path = make_bundle(make_record("u0"), planned=(make_record("u1"),))
    ended = kgb("report", str(path))
    assert ended.code == ExitCode.OK
    assert "aten::softmax  1/1  passed  1 not run" in ended.out
    assert "No operator was judged to the end on chip:0. 1 operator not finished." in ended.out
    assert "The run was interrupted, or goes on: 1 planned case without a record." in ended.out


def test_report_as_json(kgb: Kgb, make_bundle: Make, make_record: Make) -> None:
    document = kgb("report", str(make_bundle(make_record("u0"))), "--json").json
    assert (document["schema"], document["finished"]) == ("kgb.report/1", True)
    assert document["rows"][0]["verdict"] == "passed"
    assert document["totals"][0]["operators"]["count"] == 1


def test_check_finds_what_is_wrong_and_ends_with_1(kgb: Kgb, make_bundle: Make, make_record: Make) -> None:
    path = make_bundle(make_record("u0"))
    ended = kgb("check", str(path), "--strict")
    assert (ended.code, ended.out) == (ExitCode.OK, f"{path} is right\n")
    (path / "results.jsonl").write_text("")
    ended = kgb("check", str(path), "--json")
    assert ended.code == ExitCode.FAILED
    (checked,) = ended.json["bundles"]
    assert checked["problems"][0]["file"] == "results.jsonl"
    assert f"{path}/results.jsonl  error" in kgb("check", str(path)).out


def test_check_lets_an_interrupted_run_pass_unless_strict(
    kgb: Kgb, make_bundle: Make, make_record: Make
) -> None:
    path = make_bundle(make_record("u0"), planned=(make_record("u1"),))
    assert kgb("check", str(path)).code == ExitCode.OK
    assert kgb("check", str(path), "--strict").code == ExitCode.FAILED
    assert kgb("check", str(path), str(path.parent)).code == ExitCode.USAGE


def test_json_has_no_number_that_is_none(kgb: Kgb, make_bundle: Make, make_record: Make) -> None:
    errors = Errors(max_abs=float("inf"), max_rel=float("nan"), max_ulp=0, rms=0, scale=float("inf"))
    path = make_bundle(make_record("u0", verdict=Verdict.WRONG_VALUE, errors=errors))
    ended = kgb("show", str(path), "softmax", "--json")
    document = json.loads(ended.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert document["records"][0]["errors"]["max_abs"] == "Infinity"
