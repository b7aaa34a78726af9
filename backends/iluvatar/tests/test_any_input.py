"""No output of ixsmi makes discovery raise."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_iluvatar.cards import Card, devices_of, each_once
from kgb_backend_iluvatar.smi import FIELDS, parse_box, parse_header, parse_query
from kgb_core.models import Device

DATA = Path(__file__).with_name("data")
PRINTED = [file.read_text(encoding="utf-8") for file in sorted(DATA.glob("*.[ct][sx]*"))]


def devices(cards: list[Card]) -> None:
    """Cards as discovery hands them over; records that can't be made or written raise."""
    found = devices_of(each_once(cards))
    assert len({device.index for device in found}) == len(found)
    assert all(Device.model_validate_json(device.model_dump_json()) == device for device in found)


def read_all(text: str) -> None:
    """Every parser on a text."""
    devices(parse_query(text, FIELDS))
    devices(parse_box(text))
    parse_header(text)


@given(st.text())
def test_any_text(text: str) -> None:
    read_all(text)


@given(st.text(alphabet='0123456789|:., \n\r\t"\0\x1bMiBIluvatarx/'))
def test_text_that_looks_like_output(text: str) -> None:
    read_all(text)


@given(st.lists(st.lists(st.text(alphabet="0123456789ab:.\"', ", max_size=8), min_size=6, max_size=6)))
def test_rows_of_anything(rows: list[list[str]]) -> None:
    read_all("\n".join(",".join(row) for row in rows))


@given(st.sampled_from(PRINTED), st.data())
def test_recorded_output_cut_and_changed_anywhere(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    read_all(text[:start] + data.draw(st.text(max_size=5)) + text[end:])
