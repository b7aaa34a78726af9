"""The text of KGB_BACKENDS: unset is all, empty is none, and what was listed comes back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kgb_core.plugins.selection import selected, selected_from

NAMES = st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), unique=True)
SPACE = st.sampled_from(["", " ", "\t"])


def test_unset_is_all_and_empty_is_none() -> None:
    assert selected_from({}) is None
    assert selected_from({"KGB_BACKENDS": ""}) == []
    assert selected_from({"KGB_BACKENDS": " , "}) == []


@given(NAMES, SPACE)
def test_what_is_listed_comes_back_in_order(names: list[str], space: str) -> None:
    assert selected(f"{space},{space}".join(names)) == names


@given(NAMES)
def test_a_name_twice_is_a_name(names: list[str]) -> None:
    assert selected(",".join(names + names)) == names
