"""Merging: a union by identity, the same whatever the order, never half written."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgb_core.errors import BundleError
from kgb_core.models.plan import SuiteRef
from kgb_core.models.record import Record
from kgb_core.models.timing import Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.check import check_bundle
from kgb_core.results.merge import merge_bundles
from kgb_core.results.query import open_results
from kgb_core.results.reader import read_bundle

Make = Callable[..., Record]
WriteRun = Callable[..., Path]
Contents = Callable[[Path], dict[str, str]]
UIDS = ("u0", "u1", "u2")
SMALL = UIDS[:2]
"""So few that copies often agree, overlap or complete one another."""


def from_0(document: dict[str, Any]) -> dict[str, Any]:
    """A made-up version 0 of the record called the verdict `status`."""
    rest = {name: value for name, value in document.items() if name != "status"}
    return {**rest, "verdict": document["status"], "schema": "kgb.record/1"}


UPGRADES = {"kgb.record": {0: from_0}}


@dataclass(frozen=True)
class Variant:
    """How one planned case ended in one copy."""

    uid: str
    attempt: int
    second: int
    """Of the minute in which it finished."""
    verdict: Verdict
    old: bool
    """Written in the older schema."""


@dataclass(frozen=True)
class CopyOf:
    """One bundle: a copy of a run, whole or in part."""

    run: str
    variants: tuple[Variant, ...]
    torn: bool


@st.composite
def copies(draw: st.DrawFn) -> CopyOf:
    done = draw(st.lists(st.sampled_from(SMALL), unique=True))
    variants = tuple(draw(variants_of(uid)) for uid in done)
    return CopyOf(draw(st.sampled_from(["run-a", "run-a", "run-b"])), variants, draw(st.booleans()))


def variants_of(uid: str) -> st.SearchStrategy[Variant]:
    return st.builds(
        Variant,
        st.just(uid),
        st.sampled_from([1, 1, 1, 2]),
        st.sampled_from([0, 0, 1]),
        st.sampled_from([Verdict.PASSED, Verdict.PASSED, Verdict.CRASHED]),
        st.booleans(),
    )


@dataclass(frozen=True)
class Shelf:
    """A scratch directory with bundles in it."""

    root: Path
    bundles: tuple[Path, ...]

    def merged(self, *paths: Path) -> Path:
        out = Path(tempfile.mkdtemp(dir=self.root)) / "m"
        merge_bundles(paths, out, UPGRADES)
        return out


@pytest.fixture(scope="module")
def shelve(make_record: Make, write_run: WriteRun) -> Callable[[Path, Sequence[CopyOf]], Shelf]:
    def record(variant: Variant) -> Record:
        finished = f"2026-12-01T09:12:0{variant.second}+00:00"
        return make_record(variant.uid, attempt=variant.attempt, finished=finished, verdict=variant.verdict)

    def written(path: Path, copy: CopyOf) -> Path:
        done = {variant.uid: record(variant) for variant in copy.variants}
        # The plan is the same in every copy: each case of it, in its order.
        plain = [make_record(uid) for uid in SMALL]
        write_run(path, [], planned=plain, run=copy.run)
        results = path / "results.jsonl"
        lines = []
        for variant in copy.variants:
            line = done[variant.uid].model_copy(update={"run": copy.run}).model_dump_json()
            if variant.old:
                line = line.replace("kgb.record/1", "kgb.record/0").replace('"verdict"', '"status"')
            lines.append(line + "\n")
        results.write_text("".join(lines) + ('{"schema":"kgb.rec' if copy.torn else ""))
        return path

    def shelf(root: Path, found: Sequence[CopyOf]) -> Shelf:
        return Shelf(root, tuple(written(root / f"b{index}", copy) for index, copy in enumerate(found)))

    return shelf


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(found=st.lists(copies(), min_size=2, max_size=4), data=st.data())
def test_merging_is_commutative_associative_and_idempotent(
    shelve: Callable[[Path, Sequence[CopyOf]], Shelf],
    contents: Contents,
    found: list[CopyOf],
    data: st.DataObject,
) -> None:
    root = Path(tempfile.mkdtemp(prefix="kgb-test-"))
    try:
        shelf = shelve(root, found)
        whole = contents(shelf.merged(*shelf.bundles))
        order = data.draw(st.permutations(shelf.bundles))
        assert contents(shelf.merged(*order)) == whole
        cut = data.draw(st.integers(1, len(order) - 1))
        nested = shelf.merged(shelf.merged(*order[:cut]), shelf.merged(*order[cut:]))
        assert contents(nested) == whole
        again = data.draw(st.sampled_from(shelf.bundles))
        assert contents(shelf.merged(nested, again, nested)) == whole
    finally:
        shutil.rmtree(root)


ORDERS = list(itertools.permutations(range(3)))


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("second", [0, 1])
def test_two_parts_and_their_whole_come_to_the_same_however_they_are_nested(
    tmp_path: Path,
    shelve: Callable[[Path, Sequence[CopyOf]], Shelf],
    contents: Contents,
    old: bool,
    second: int,
) -> None:
    """The whole was interrupted, too, so a combination of the parts says the same in other bytes."""
    u0, u1 = (Variant(uid, 1, second, Verdict.PASSED, old) for uid in SMALL)
    shelf = shelve(tmp_path, [CopyOf("run-a", part, False) for part in ((u0,), (u1,), (u0, u1))])
    bundles = shelf.bundles
    outcomes = [
        contents(shelf.merged(shelf.merged(bundles[a], bundles[b]), bundles[c])) for a, b, c in ORDERS
    ]
    assert outcomes == [contents(shelf.merged(*bundles))] * len(ORDERS)
    kept = {name.rpartition("/")[2] for name in outcomes[0]}
    assert "combined.json" not in kept


def test_the_same_records_in_two_schemas_are_no_conflict(
    tmp_path: Path, shelve: Callable[[Path, Sequence[CopyOf]], Shelf], contents: Contents
) -> None:
    ends = [tuple(Variant(uid, 1, 0, Verdict.PASSED, old) for uid in SMALL) for old in (True, False)]
    shelf = shelve(tmp_path, [CopyOf("run-a", variants, False) for variants in ends])
    first, second = shelf.bundles
    assert contents(shelf.merged(first, second)) == contents(shelf.merged(second, first))
    report = merge_bundles([first, second], tmp_path / "m", UPGRADES)
    assert (report.runs[0].conflicts, report.runs[0].combined) == (0, False)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(found=st.lists(copies(), min_size=1, max_size=4))
def test_a_merge_is_the_union_with_the_latest_record_of_each_case(
    shelve: Callable[[Path, Sequence[CopyOf]], Shelf], found: list[CopyOf]
) -> None:
    root = Path(tempfile.mkdtemp(prefix="kgb-test-"))
    try:
        shelf = shelve(root, found)
        results = open_results(shelf.merged(*shelf.bundles), upgrades=UPGRADES)
        got = {(run.id, record.uid): record for run in results.runs for record in run.records()}
        variants = [(copy.run, variant) for copy in found for variant in copy.variants]
        assert got.keys() == {(run, variant.uid) for run, variant in variants}
        for (run, uid), record in got.items():
            latest = max((v.attempt, v.second) for name, v in variants if (name, v.uid) == (run, uid))
            assert (record.attempt, int(record.finished[18])) == latest
    finally:
        shutil.rmtree(root)


def test_each_run_stays_byte_for_byte_what_it_was(
    tmp_path: Path,
    make_record: Make,
    make_timing: Callable[..., Timing],
    write_run: WriteRun,
    contents: Contents,
) -> None:
    timed = make_record("u1", timing=make_timing(samples="samples/u1.json"))
    a = write_run(tmp_path / "a", [make_record("u0"), timed])
    b = write_run(tmp_path / "b", [make_record("u0", verdict=Verdict.CRASHED)], run="run-b")
    report = merge_bundles([b, a], tmp_path / "m")
    assert [told.run.run for told in report.runs] == ["run-a", "run-b"]
    assert contents(tmp_path / "m" / "runs" / "run-a") == contents(a)
    assert contents(tmp_path / "m" / "runs" / "run-b") == contents(b)
    assert check_bundle(tmp_path / "m", strict=True) == []
    assert [record.verdict for record in open_results(tmp_path / "m").records()] == [
        Verdict.PASSED,
        Verdict.PASSED,
        Verdict.CRASHED,
    ]


def test_a_finished_copy_goes_before_the_parts_that_it_holds(
    tmp_path: Path, make_record: Make, write_run: WriteRun, contents: Contents
) -> None:
    records = [make_record(uid) for uid in UIDS]
    whole = write_run(tmp_path / "whole", records)
    part = write_run(tmp_path / "part", records[:1], planned=records[1:])
    other = write_run(tmp_path / "other", records[1:], planned=records[:1])
    # The plan's order is that of the whole.
    for path in (part, other):
        shutil.copy(whole / "plan.json", path / "plan.json")
    report = merge_bundles([part, whole, other], tmp_path / "m")
    assert contents(tmp_path / "m" / "runs" / "run-a") == contents(whole)
    assert (report.runs[0].copies, report.runs[0].combined) == (3, False)


def test_parts_are_put_together_and_marked(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    records = [make_record(uid) for uid in UIDS]
    first = write_run(tmp_path / "first", records[:2], planned=records[2:])
    second = write_run(tmp_path / "second", [records[2]], planned=records[:2])
    shutil.copy(first / "plan.json", second / "plan.json")
    report = merge_bundles([second, first], tmp_path / "m")
    assert report.runs[0].combined
    bundle = read_bundle(tmp_path / "m" / "runs" / "run-a")
    assert [record.uid for record in bundle.records] == list(UIDS)
    assert not bundle.finished
    assert (bundle.path / "combined.json").is_file()
    problems = check_bundle(tmp_path / "m")
    assert [problem.message for problem in problems] == ["missing: the run was interrupted, or goes on"]


def test_two_records_of_one_case_are_said(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    early = make_record("u0", verdict=Verdict.CRASHED, finished="2026-12-01T09:00:00+00:00")
    late = make_record("u0", finished="2026-12-01T10:00:00+00:00")
    paths = [write_run(tmp_path / "a", [late]), write_run(tmp_path / "b", [early])]
    report = merge_bundles(paths, tmp_path / "m")
    assert report.runs[0].conflicts == 1
    (record,) = open_results(tmp_path / "m").records()
    assert record.verdict is Verdict.PASSED


def test_what_differs_is_kept_apart_and_said(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    record = make_record("u0")
    a = write_run(tmp_path / "a", [record])
    b = write_run(tmp_path / "b", [record], run="run-b", seed=8, suite=SuiteRef(name="smoke", hash="other"))
    report = merge_bundles([a, b], tmp_path / "m")
    assert {difference.what: len(difference.values) for difference in report.apart} == {"suite": 2, "seed": 2}
    assert len(list(open_results(tmp_path / "m").records())) == 2
    same = write_run(tmp_path / "c", [record], run="run-c")
    assert merge_bundles([a, same], tmp_path / "m2").apart == ()


def test_an_altered_bundle_is_refused_and_nothing_is_left(
    tmp_path: Path, make_record: Make, write_run: WriteRun
) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    b = write_run(tmp_path / "b", [make_record("u0")], run="run-b")
    source = next((b / "kernels").iterdir())
    source.write_text("x = 1\n")
    with pytest.raises(BundleError, match=r"kernels/.*altered") as caught:
        merge_bundles([a, b], tmp_path / "m")
    assert "kgb check" in caught.value.hint
    source.unlink()
    with pytest.raises(BundleError, match=r"kernels/.*listed in the manifest and missing"):
        merge_bundles([a, b], tmp_path / "m")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_an_altered_copy_never_replaces_a_good_one(
    tmp_path: Path, make_record: Make, write_run: WriteRun
) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    shutil.copytree(a, tmp_path / "b")
    results = tmp_path / "b" / "results.jsonl"
    results.write_text(results.read_text().replace("passed", "crashed"))
    with pytest.raises(BundleError, match=r"b/results\.jsonl: altered"):
        merge_bundles([a, tmp_path / "b"], tmp_path / "m")


def test_a_malformed_line_is_named(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    path = write_run(tmp_path / "a", [make_record("u0")], planned=[make_record("u1")])
    with (path / "results.jsonl").open("a") as stream:
        stream.write('{"schema":"kgb.record/1","uid":\n')
    with pytest.raises(BundleError, match=r"a/results\.jsonl:2: malformed"):
        merge_bundles([path], tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_two_plans_under_one_id_are_refused(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    b = write_run(tmp_path / "b", [make_record("u1")])
    with pytest.raises(BundleError, match="two different plans of run run-a"):
        merge_bundles([a, b], tmp_path / "m")


@pytest.mark.parametrize("name", ["../up", ".hidden", "a/b", "", "x" * 300])
def test_a_run_can_not_name_another_directory(
    tmp_path: Path, make_record: Make, write_run: WriteRun, name: str
) -> None:
    path = write_run(tmp_path / "a", [make_record("u0")], run=name)
    with pytest.raises(BundleError, match="can't be merged"):
        merge_bundles([path], tmp_path / "m")
    assert sorted(child.name for child in tmp_path.iterdir()) == ["a"]


def test_nothing_is_merged_over_something(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    with pytest.raises(BundleError, match="is there already"):
        merge_bundles([a], a)
    (tmp_path / "empty").mkdir()
    merge_bundles([a], tmp_path / "empty")
    assert check_bundle(tmp_path / "empty", strict=True) == []


def test_what_lies_beside_a_bundle_stays_there(
    tmp_path: Path, make_record: Make, write_run: WriteRun
) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    (a / "notes.txt").write_text("private")
    (a / ".scratch").mkdir()
    (a / ".scratch" / "x").write_text("y")
    merge_bundles([a], tmp_path / "m")
    names = {path.name for path in (tmp_path / "m").rglob("*")}
    assert not names & {"notes.txt", ".scratch", ".lock"}


SLOW = """
    import sys, time
    from pathlib import Path
    import kgb_core.results.merge as merge

    def slow(copy, target):
        (target / "half").write_text("x")
        print("begun", flush=True)
        time.sleep(60)

    merge._copied = slow
    from kgb_core.cli.border import execute
    sys.exit(execute(["merge", sys.argv[1], "-o", sys.argv[2]]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_merge_that_is_stopped_leaves_nothing(
    tmp_path: Path, make_record: Make, write_run: WriteRun, number: signal.Signals
) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    command = [sys.executable, "-c", textwrap.dedent(SLOW), str(a), str(tmp_path / "m")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(number)
    assert process.wait(30) == 130
    process.stdout.close()
    assert os.listdir(tmp_path) == ["a"]


def test_a_killed_merge_leaves_no_bundle(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    command = [sys.executable, "-c", textwrap.dedent(SLOW), str(a), str(tmp_path / "m")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    assert not (tmp_path / "m").exists()
    merge_bundles([a], tmp_path / "m")
    assert check_bundle(tmp_path / "m", strict=True) == []


def test_a_merged_bundle_that_was_tampered_with_is_found(
    tmp_path: Path, make_record: Make, write_run: WriteRun
) -> None:
    a = write_run(tmp_path / "a", [make_record("u0")])
    m = tmp_path / "m"
    merge_bundles([a], m)
    manifest = json.loads((m / "manifest.json").read_text())
    manifest["runs"][0]["seed"] = 99
    (m / "manifest.json").write_text(json.dumps(manifest))
    assert "what it says of run-a is not what that run says" in str(check_bundle(m))
    merge_bundles([a], tmp_path / "m2")
    results = tmp_path / "m2" / "runs" / "run-a" / "results.jsonl"
    results.write_text(results.read_text().replace("passed", "crashed"))
    places = [problem.place for problem in check_bundle(tmp_path / "m2")]
    assert places.count("runs/run-a/results.jsonl") == 2  # by the outer manifest and by the run's own
    shutil.rmtree(tmp_path / "m2" / "runs" / "run-a")
    assert "runs/run-a" in [problem.place for problem in check_bundle(tmp_path / "m2")]


def test_a_merged_bundle_is_not_resumed(tmp_path: Path, make_record: Make, write_run: WriteRun) -> None:
    merge_bundles([write_run(tmp_path / "a", [make_record("u0")])], tmp_path / "m")
    with pytest.raises(BundleError, match="holds several runs"):
        BundleWriter.resume(tmp_path / "m")
    with pytest.raises(BundleError, match="holds several runs"):
        read_bundle(tmp_path / "m")
