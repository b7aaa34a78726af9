"""The bundles that are committed are whole, and the page beside them says what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgb_core.models.verdict import Verdict
from kgb_core.report.grid import rendered
from kgb_core.report.table import result_table
from kgb_core.results.check import check_bundle
from kgb_core.results.reader import read_bundle
from kgb_core.scores.summary import summarise

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
BUNDLES = sorted(path.parent for path in RESULTS.glob("*/manifest.json"))


def test_there_are_some() -> None:
    assert BUNDLES


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.name)
def test_it_is_whole(path: Path) -> None:
    assert not check_bundle(path, strict=True)


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.name)
def test_the_page_says_what_it_says(path: Path) -> None:
    bundle = read_bundle(path)
    table = rendered(result_table(summarise(bundle.records, bundle.remaining, bundle.system)))
    page = (RESULTS / "README.md").read_text()
    for line in filter(None, table.splitlines()):
        assert line in page


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.name)
def test_every_believed_time_is_above_the_floor_and_belongs_to_a_right_answer(path: Path) -> None:
    timed = [record for record in read_bundle(path).records if record.timing]
    assert timed
    for record in timed:
        assert record.verdict is Verdict.PASSED
        assert record.timing is not None
        below = record.timing.candidate.median_ns < (record.timing.floor_ns or 0)
        assert bool(record.timing.invalid) == below
        assert (record.timing.speedup is None) == below
