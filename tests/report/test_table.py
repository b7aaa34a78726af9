"""The table: nothing is cut off in a pipe, nothing from a candidate reaches the terminal raw."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kgb_core.models.device import Device
from kgb_core.models.record import CandidateRef, Evidence, Record
from kgb_core.models.timing import Timing
from kgb_core.models.verdict import Verdict
from kgb_core.report.grid import grid, rendered
from kgb_core.report.table import result_table
from kgb_core.report.text import counted, first_line, plain
from kgb_core.scores.summary import summarise

Make = Callable[..., Record]


def piped(*records: Record) -> list[str]:
    return rendered(result_table(summarise(records))).splitlines()


def test_the_table_reads_as_promised(make_record: Make) -> None:
    records = [
        make_record("u0", operator="aten::add"),
        make_record("u1", operator="aten::mm"),
        make_record(
            "u2", operator="aten::mm", verdict=Verdict.UNSUPPORTED, message="the interpreter can't judge bf16"
        ),
        make_record("u3", verdict=Verdict.WRONG_VALUE, message="got 0.0132, want 0.0411 at (3, 17)"),
        make_record("u4", verdict=Verdict.WRONG_VALUE, message="got 1, want 2 at (0, 0)"),
        make_record("u5", verdict=Verdict.REFUSED, message="no bf16"),
        make_record("u6", operator="aten::t", kind="view", evidence=Evidence(view=True)),
    ]
    failure = "self=fp32[7x1023], dim=-1: got 0.0132, want 0.0411 at (3, 17); 2 such cases; also 1 refused"
    assert piped(*records) == [
        "  aten::add      1/1  passed",
        "  aten::mm       1/1  passed         1 unsupported: the interpreter can't judge bf16",
        f"  aten::softmax  0/3  wrong_value    {failure}",
        "  aten::t        1/1  passed (view)",
        "",
        "3 of 4 operators right on chip:0 (75.0 %, 95 % Wilson interval 30.1 to 95.4). Not timed.",
    ]


def test_the_first_failure_speaks_for_its_kind(make_record: Make) -> None:
    records = [
        make_record(f"u{i}", verdict=Verdict.WRONG_VALUE, message=f"got {i}\ndetails") for i in range(6)
    ]
    assert "self=fp32[7x1023], dim=-1: got 0; 6 such cases" in piped(*records)[0]


def test_speedups_have_their_interval(make_record: Make, make_timing: Callable[..., Timing]) -> None:
    lines = piped(
        make_record("u0", timing=make_timing(overhead_bound=True)), make_record("u1", operator="aten::add")
    )
    assert "  aten::softmax  1/1  passed  2x (1.96 to 2.04), 1 of 1 overhead bound" in lines
    assert lines[-1].endswith("interval 34.2 to 100.0).")


def test_samples_and_devices_are_named_where_there_are_several(make_record: Make) -> None:
    bad = CandidateRef(name="sample_1", sha256="0" * 64, pack="mine")
    records = [
        make_record("u0"),
        make_record("u1", candidate=bad, verdict=Verdict.CRASHED),
        make_record("u2", device=Device(index=1, name="Chip 1")),
    ]
    text = "\n".join(piped(*records))
    assert "chip:0\n" in text
    assert "sample_1" in text
    assert "1 of 1 operator right on chip:0" in text
    assert "; 1 of 2 kernels" in text


def test_an_empty_summary_is_empty() -> None:
    assert piped() == []


def test_a_narrow_terminal_folds_the_note_and_loses_no_word(make_record: Make) -> None:
    message = " ".join(f"word{i}" for i in range(40))
    table = result_table(summarise([make_record("u0", verdict=Verdict.CRASHED, message=message)]))
    text = rendered(table, width=80)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert all(word in text for word in message.split())


def test_a_pipe_gets_one_plain_line_a_row(make_record: Make) -> None:
    message = "long " * 400
    text = rendered(result_table(summarise([make_record("u0", verdict=Verdict.CRASHED, message=message)])))
    assert message.strip() in text
    assert "\x1b" not in text


def test_colour_is_used_when_asked_for_and_no_color_wins(
    monkeypatch: pytest.MonkeyPatch, make_record: Make
) -> None:
    table = result_table(summarise([make_record("u0")]))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[32mpassed" in rendered(table, width=80, colour=True)


def test_messages_are_neither_markup_nor_control_sequences(make_record: Make) -> None:
    record = make_record("u0", verdict=Verdict.CRASHED, message="[bold]x[/bold] \x1b[2J\x07 [0, 1]")
    text = "\n".join(piped(record))
    assert "[bold]x[/bold] \\x1b[2J\\x07 [0, 1]" in text


def test_plain_keeps_text_and_escapes_the_rest() -> None:
    assert plain("a\tb\nc é 漢 \x00\x9b\u202e") == "a\tb\nc é 漢 \\x00\\x9b\\u202e"
    assert first_line("\n  \n a \nb") == "a"
    assert first_line("") == ""
    assert (counted(1, "case"), counted(2, "case"), counted(0, "launch", "launches")) == (
        "1 case",
        "2 cases",
        "0 launches",
    )


def test_grid_takes_no_rows_and_headers() -> None:
    assert rendered(grid([], ["a", "b"])).split() == ["a", "b"]
    assert rendered(grid([["1", "x"], ["22", "y"]])) == "1   x\n22  y\n"
