"""The taxonomy of failures: each kernel once, each case once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.scores.summary import summarise
from kgb_core.scores.taxonomy import taxonomy_of

Make = Callable[..., Record]


def test_the_worked_example(make_judged: Make) -> None:
    passed = [make_judged(case=f"c{number}") for number in range(40)]
    wrong = [make_judged(case=f"w{number}", verdict=Verdict.WRONG_VALUE) for number in range(2)]
    found = taxonomy_of(summarise([*passed, *wrong]).rows)
    assert [(taxon.verdict, taxon.kernels, taxon.cases) for taxon in found] == [
        (Verdict.WRONG_VALUE, 1, 2),
        (Verdict.PASSED, 0, 40),
    ]


@given(verdicts=st.lists(st.lists(st.sampled_from(Verdict), min_size=1, max_size=4), max_size=6))
def test_kernels_and_cases_add_up(make_judged: Make, verdicts: list[list[Verdict]]) -> None:
    records = [
        make_judged(f"a::op{number}", verdict=verdict, case=f"c{case}")
        for number, each in enumerate(verdicts)
        for case, verdict in enumerate(each)
    ]
    found = taxonomy_of(summarise(records).rows)
    assert sum(taxon.kernels for taxon in found) == len(verdicts)
    assert {taxon.verdict: taxon.cases for taxon in found} == Counter(record.verdict for record in records)
    assert [taxon.kernels for taxon in found] == sorted((taxon.kernels for taxon in found), reverse=True)
