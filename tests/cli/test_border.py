"""How verbs end: messages in three lines on stderr, exit codes, and readers that go away."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.cli.verbs import VERBS
from kgb_core.errors import (
    BackendError,
    BackendLoadError,
    BundleError,
    ExitCode,
    NoDeviceError,
    NothingSelectedError,
    UsageError,
    WorkerError,
)

Kgb = Callable[..., Any]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("no such thing.", "there are two", "take one"), 2),
        (BundleError("no such thing.", "there are two", "take one"), 2),
        (NoDeviceError("no such thing.", "there are two", "take one"), 3),
        (BackendLoadError("no such thing.", "there are two", "take one"), 4),
        (NothingSelectedError("no such thing.", "there are two", "take one"), 5),
        (WorkerError("no such thing.", "there are two", "take one"), 70),
    ],
)
def test_an_error_of_ours_is_three_lines_and_its_code(
    kgb: Kgb, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def fail(path: Path) -> None:
        raise error

    monkeypatch.setattr("kgb_core.cli.report.open_results", fail)
    ended = kgb("report", "x")
    assert (ended.code, ended.out) == (code, "")
    assert ended.err == "kgb: no such thing.\nthere are two\ntake one\n"


def test_a_vendors_fault_names_vendor_and_hook(kgb: Kgb, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> None:
        raise BackendError("chip", "kgb_probe", OSError("lib\x1b[2Jchip.so: not found"))

    monkeypatch.setattr("kgb_core.cli.report.open_results", fail)
    ended = kgb("report", "x")
    assert ended.code == ExitCode.BACKEND_FAILED
    assert "[chip] kgb_probe failed\nOSError: lib\\x1b[2Jchip.so: not found\n" in ended.err


def test_an_unexpected_error_is_internal_and_hides_its_frames(
    kgb: Kgb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("kgb_core.cli.report.open_results", fail)
    ended = kgb("report", "x")
    assert ended.code == ExitCode.INTERNAL
    assert "kgb: internal error: ZeroDivisionError: by nothing\n" in ended.err
    assert "--debug" in ended.err
    assert "Traceback" not in ended.err
    assert "Traceback" in kgb("report", "x", "--debug").err
    assert "Traceback" in kgb("--debug", "report", "x").err


def test_an_interrupt_is_130(kgb: Kgb, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kgb_core.cli.report.open_results", fail)
    assert kgb("report", "x").code == ExitCode.INTERRUPTED


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reprot", "x"], "no verb reprot.\nclose: report"),
        (["report"], "Missing argument"),
        (["show", "x", "y", "z"], "unexpected extra argument"),
        (["report", "--jsno", "x"], "--json"),
        (["--nothing"], "No such option"),
        (["operators", "double_itt"], "close: scratch::double_it"),
        (["operators", "--suite", "scratchsuit"], "no suite scratchsuit.\nclose: scratchsuite"),
        (["devices", "--backend", "chop"], "did you mean chip?"),
        (["report", "absent"], "absent is no bundle"),
    ],
)
def test_what_is_not_there_is_said_with_what_is_close(kgb: Kgb, arguments: list[str], said: str) -> None:
    ended = kgb(*arguments)
    assert ended.code in (ExitCode.USAGE, ExitCode.BACKEND_FAILED)
    assert ended.out == ""
    assert said in ended.err
    assert ended.err.startswith("kgb: ")
    assert len(ended.err.splitlines()) <= 3


def test_help_lists_the_verbs_in_order_and_every_exit_code(kgb: Kgb) -> None:
    ended = kgb("--help")
    assert ended.code == ExitCode.OK
    places = [ended.out.index(f"\n  {verb} ") for verb in VERBS]
    assert places == sorted(places)
    assert list(VERBS) == [
        "doctor",
        "devices",
        "backends",
        "operators",
        "kernels",
        "compile",
        "run",
        "show",
        "rejudge",
        "check",
        "merge",
        "report",
        "compare",
        "conformance",
        "new-backend",
        "schema",
    ]
    for code in ExitCode:
        assert re.search(rf"^ +{code.value}  ", ended.out, re.MULTILINE), code
    assert kgb().out == ended.out


@pytest.mark.parametrize("name", [name for name in VERBS if name != "run"])
def test_a_verb_says_of_itself_what_the_list_says(kgb: Kgb, name: str) -> None:
    ended = kgb(name, "--help")
    assert ended.code == ExitCode.OK
    assert VERBS[name].summary in " ".join(ended.out.split())


def test_the_version_is_said_and_the_variable_of_that_name_does_no_harm(kgb: Kgb) -> None:
    assert re.fullmatch(r"kgb \d+\.\d+\.\d+\n", kgb("--version", env={"KGB_VERSION": "0.1.0"}).out)


def test_every_option_is_an_environment_variable(kgb: Kgb) -> None:
    ended = kgb("operators", env={"KGB_OPERATORS_SUITE": "otherset", "KGB_OPERATORS_JSON": "1"})
    assert [each["name"] for each in ended.json["operators"]] == ["scratch::peek"]


def test_a_reader_that_goes_away_is_no_error(kgb_process: Kgb) -> None:
    process = kgb_process("operators", "--json")
    assert process.stdout.readline() == "{\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == ExitCode.OK
    process.stderr.close()


@pytest.mark.parametrize("arguments", [["--help"], ["operators"], ["backends"]])
def test_a_pipe_closed_from_the_start_is_no_error(kgb_process: Kgb, arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    process = kgb_process(*arguments, stdout=write, env={"KGB_BACKENDS": ""})
    os.close(write)
    _, err = process.communicate()
    assert (process.returncode, err) == (ExitCode.OK, "")


def test_a_failure_stays_one_where_nobody_reads_why(scratch: Path) -> None:
    """`kgb compare … --fail-if worse 2>&1 | head` in a pipeline that CI watches."""
    read, write = os.pipe()
    os.close(read)
    code = "import sys; from kgb_core.cli.output import remark; remark('worse'); sys.exit(1)"
    done = subprocess.run([sys.executable, "-c", code], stderr=write, check=False)
    os.close(write)
    assert done.returncode == 1


def test_no_stdout_at_all_is_no_error(scratch: Path) -> None:
    command = f'"{sys.executable}" -m kgb_core.cli operators >&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_without_unicode_gets_escapes(kgb_process: Kgb) -> None:
    process = kgb_process("operators", "é", env={"PYTHONIOENCODING": "ascii"})
    _, err = process.communicate()
    assert process.returncode == ExitCode.USAGE
    assert "no operator \\xe9" in err


MODULES = """
import sys
from kgb_core.cli.border import execute
code = execute(sys.argv[1:])
heavy = {name.split(".")[0] for name in sys.modules} & {"torch", "triton", "scipy"}
print("CODE", code, *sorted(heavy), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        (["--help"], 1.0),
        (["backends"], 1.0),
        (["devices"], 1.0),
        (["operators"], 3.0),  # these two read every operator that is installed, and there are many
        (["kernels", "{pack}"], 3.0),
        (["check", "{bundle}"], 1.0),
    ],
)
def test_what_only_reads_imports_no_torch_and_answers_at_once(
    tmp_path: Path,
    make_bundle: Callable[..., Path],
    make_record: Callable[..., Any],
    arguments: list[str],
    limit: float,
) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "aten__nothing.py").write_text("x = 1\n")
    places = {"pack": tmp_path / "pack", "bundle": make_bundle(make_record("u0"))}
    argv = [sys.executable, "-c", MODULES, *(argument.format(**places) for argument in arguments)]
    # Processor time, best of three: the wall clock of a test machine also measures the tests beside this one.
    assert min(_processor_seconds(argv) for _ in range(3)) < limit


def _processor_seconds(argv: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert re.search(r"^CODE \d+$", done.stderr, re.MULTILINE), done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
