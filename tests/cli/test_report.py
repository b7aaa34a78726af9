"""`kgb report` beyond the table: several bundles, published figures, compile-only results, files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from jsonschema import Draft202012Validator

from kgb_core.errors import ExitCode
from kgb_core.models.pack import PackInfo
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict

Kgb = Callable[..., Any]
Make = Callable[..., Record]
Write = Callable[..., Path]

PUBLISHED = """
name = "Paper"
source = "somewhere"
notes = ["other tests"]

[[row]]
table = "ms"
method = "An agent"
model = "m"
chip = "X1"
tokens_per_success = 1450000
cells = { all = { accuracy = 0.5, speedup = 0.75 }, a = { accuracy = 0.25 } }

[[row]]
table = "mc"
method = "An agent"
cells = { X1 = { accuracy = 0.125, speedup = 0.5 } }
"""
COMPILED = {
    "schema": "kgb.compile/1",
    "targets": [{"name": "chip:c1"}],
    "candidates": [
        {
            "operator": "a::one",
            "name": "k",
            "sha256": "0",
            "pack": "mine",
            "results": [{"target": "chip:c1", "status": "compiled", "ok": True, "stage": "binary"}],
        }
    ],
}


@pytest.fixture
def bundle(tmp_path: Path, make_judged: Make, write_bundle: Write) -> Path:
    return write_bundle(
        tmp_path / "run-a",
        make_judged("a::one", case="perf", times=(1000, 2000)),
        make_judged("b::two", verdict=Verdict.WRONG_VALUE),
        make_judged("b::three", verdict=Verdict.UNSUPPORTED),
        packs=[PackInfo(name="mine", method="one shot", model="m", tokens=4000)],
    )


@pytest.fixture
def suited(tmp_path: Path, make_judged: Make, write_bundle: Write) -> Path:
    """Of operators that are in the suites of the paper's tables, and of one that is in none."""
    return write_bundle(
        tmp_path / "run-s",
        make_judged("aten::add", case="perf", times=(1000, 2000)),
        make_judged("aten::mul", verdict=Verdict.WRONG_VALUE),
        make_judged("a::one", case="perf", times=(1000, 9000)),
        packs=[PackInfo(name="mine", method="one shot", model="m", tokens=4000)],
    )


@pytest.fixture
def published(tmp_path: Path) -> Path:
    path = tmp_path / "paper.toml"
    path.write_text(PUBLISHED)
    return path


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    path = tmp_path / "compiled.json"
    path.write_text(json.dumps(COMPILED))
    return path


def test_the_scores_stand_below_the_rows(kgb: Kgb, bundle: Path) -> None:
    out = kgb("report", str(bundle)).out
    for part in (
        "a::one    1/1  passed",
        "1 of 2 operators right on chip:0",
        "1/2  50.0 % (9.5 to 90.5)",
        "Left out on chip:0: b::three (unsupported).",
        "2x over 1/1",
        "4 k (",
        "values  wrong_value  1        1",
    ):
        assert part in out, part


def test_several_bundles_are_shown_side_by_side(
    kgb: Kgb, tmp_path: Path, bundle: Path, make_judged: Make, write_bundle: Write
) -> None:
    other = write_bundle(tmp_path / "run-b", make_judged("a::one", backend="other"), seed=8)
    out = kgb("report", str(bundle), str(other)).out
    assert "Portability of mine" in out
    assert "chip:0 and other:0" in out
    assert "The chips saw inputs of 2 different seeds." in out
    assert "Kept apart: 2 different seeds among the runs." in out


def test_json_holds_every_score_and_is_what_its_schema_says(kgb: Kgb, bundle: Path, compiled: Path) -> None:
    document = kgb("report", str(bundle), "--compiled", str(compiled), "--json").json
    Draft202012Validator(kgb("schema", "report").json).validate(document)
    (score,) = document["board"]["scores"]
    assert score["tokens"]["value"] == 4000
    assert (score["accuracy"]["operators"]["count"], score["speedup"]["wanted"]) == (1, 1)
    assert document["compiled"]["cells"][0]["stage"] == "binary"


def test_compiled_is_shown_and_counted_nowhere(kgb: Kgb, bundle: Path, compiled: Path) -> None:
    with_it = kgb("report", str(bundle), "--compiled", str(compiled))
    assert "Compile-only: nothing was launched." in with_it.out
    assert "compiles to binary" in with_it.out
    plain = kgb("report", str(bundle), "--json").json
    assert kgb("report", str(bundle), "--compiled", str(compiled), "--json").json["board"] == plain["board"]


def test_what_is_no_compile_document_is_refused(kgb: Kgb, tmp_path: Path, bundle: Path) -> None:
    (tmp_path / "x.json").write_text('{"schema": "kgb.run/1"}')
    ended = kgb("report", str(bundle), "--compiled", str(tmp_path / "x.json"))
    assert (ended.code, ended.out) == (ExitCode.USAGE, "")
    assert "kgb compile" in ended.err


def test_the_multi_source_table_with_published_rows_apart(kgb: Kgb, suited: Path, published: Path) -> None:
    ended = kgb("report", str(suited), "--table", "ms", "--external", str(published))
    own, _, others = ended.out.partition("Multi-source, published by others")
    assert "one shot, m (mine)  Model of chip" in own
    assert "50 % 1/2; 2.00x 1/1" in own
    assert "Paper" not in own
    assert "[Paper] An agent, m  X1" in others
    assert "50 %; 0.75x" in others
    assert "1.45 M" in others
    assert "Published by others, not measured here." in others


def test_the_multi_chip_table(
    kgb: Kgb, tmp_path: Path, suited: Path, published: Path, make_judged: Make, write_bundle: Write
) -> None:
    other = write_bundle(tmp_path / "run-b", make_judged("aten::add", backend="other"))
    ended = kgb("report", str(suited), str(other), "--table", "mc", "--external", str(published), "--json")
    table = ended.json["table"]
    (row,) = table["own"]
    cells = {name: (cell["right"], cell["total"]) for name, cell in row["cells"].items()}
    assert cells == {"Model of chip": (1, 2), "Model of other": (1, 1)}
    assert [each["external"] for each in table["published"]] == ["Paper"]


def test_a_table_without_an_operator_of_its_suite_says_so(kgb: Kgb, bundle: Path) -> None:
    assert "No operator of mc was planned." in kgb("report", str(bundle), "--table", "mc").out


def test_published_rows_change_no_score(kgb: Kgb, bundle: Path, published: Path) -> None:
    alone = kgb("report", str(bundle), "--table", "ms", "--json").json
    beside = kgb("report", str(bundle), "--table", "ms", "--external", str(published), "--json").json
    assert beside["board"] == alone["board"]
    assert beside["table"]["own"] == alone["table"]["own"]


@pytest.mark.parametrize(
    "line", ["accuracy = 50", "accuracy = -0.1", "speedup = 0.0", "speedup = 'fast'", "precision = 1"]
)
def test_wrong_published_figures_are_refused(kgb: Kgb, bundle: Path, published: Path, line: str) -> None:
    published.write_text(PUBLISHED.replace("accuracy = 0.125", line))
    ended = kgb("report", str(bundle), "--table", "mc", "--external", str(published))
    assert ended.code == ExitCode.USAGE
    assert "paper.toml" in ended.err


def test_external_asks_for_a_place(kgb: Kgb, bundle: Path, published: Path) -> None:
    assert kgb("report", str(bundle), "--external", str(published)).code == ExitCode.USAGE


def test_markdown_is_tables_that_nothing_breaks_out_of(
    kgb: Kgb, tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    hostile = "p|x <b>\n# no"
    path = write_bundle(tmp_path / "r", make_judged(pack=hostile), make_judged("b::two", pack=hostile))
    out = kgb("report", str(path), "--markdown").out
    assert "| p\\|x \\<b\\> \\# no | chip:0 |" in out
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    assert kgb("report", str(path), "--markdown", "--json").code == ExitCode.USAGE


def test_rows_as_files(kgb: Kgb, tmp_path: Path, bundle: Path) -> None:
    files = tmp_path / "r.csv", tmp_path / "r.parquet"
    ended = kgb("report", str(bundle), "--csv", str(files[0]), "--parquet", str(files[1]))
    assert ended.out.splitlines() == [f"Rows     {file}" for file in files]
    with files[0].open(newline="") as stream:
        written = list(csv.DictReader(stream))
    assert [row["verdict"] for row in written] == ["passed", "wrong_value", "unsupported"]
    table = pyarrow.parquet.read_table(files[1]).to_pylist()
    assert [row["speedup"] for row in table] == [2.0, None, None]


def test_a_file_that_cant_be_written_is_said_and_leaves_nothing(
    kgb: Kgb, tmp_path: Path, bundle: Path
) -> None:
    (tmp_path / "taken").mkdir()
    ended = kgb("report", str(bundle), "--csv", str(tmp_path / "taken"))
    assert ended.code == ExitCode.USAGE
    assert "can't write" in ended.err
    assert not list(tmp_path.glob(".taken*"))


def test_parquet_without_pyarrow_says_what_to_install(
    kgb: Kgb, tmp_path: Path, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    ended = kgb("report", str(bundle), "--parquet", str(tmp_path / "r.parquet"))
    assert ended.code == ExitCode.USAGE
    assert "kgb-core[table]" in ended.err
