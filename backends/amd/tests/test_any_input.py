"""No output of a tool, no file of the kernel and no answer of the binding makes discovery raise."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_amd import amd_smi, library, rocm_smi
from kgb_backend_amd.cards import Card, devices_of
from kgb_backend_amd.reading import each_once
from kgb_backend_amd.records import card_of
from kgb_backend_amd.visibility import visible
from kgb_core.models import Device

DATA = Path(__file__).with_name("data")
PRINTED = [file.read_text(encoding="utf-8") for file in sorted(DATA.glob("*.[jt][sx]*"))]

KEYS = """gpu|gpu_data|asic|bus|vram|driver|bdf|node_id|size|value|unit|cache_info|cache_level|cache_size
cache|market_name|vendor_name|vendor_id|device_id|asic_serial|num_compute_units|target_graphics_version
version|card0|card1|system|vram_total|driver_version|Card Series|Card Model|Card Vendor|GFX Version
Unique ID|PCI Bus|VRAM Total Memory (B)"""
NAMES = st.sampled_from([name for line in KEYS.splitlines() for name in line.split("|")])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)


def named(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects with the keys that are read."""
    return st.dictionaries(NAMES, inner, max_size=6)


ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | named(inner), max_leaves=10)
RECORDS = st.fixed_dictionaries(
    {"gpu": st.integers(0, 2)}, optional={"asic": named(SCALARS), "vram": named(ANYTHING), "bdf": SCALARS}
)


def devices(cards: list[Card]) -> list[Device]:
    """Cards as discovery hands them over; records that can't be made or written raise."""
    unique = each_once(cards)
    found = devices_of(visible(unique, {}), unique)
    assert len({device.index for device in found}) == len(found)
    assert all(Device.model_validate_json(device.model_dump_json()) == device for device in found)
    return found


def read_all(text: str) -> None:
    """Every parser on a text."""
    for parse in (amd_smi.parse_json, amd_smi.parse_text):
        devices([card_of(record) for record in parse(text)])
    devices(rocm_smi.parse(text))


@given(st.text())
def test_any_text(text: str) -> None:
    read_all(text)


@given(st.text(alphabet='GPU:0 \n\t\x1b[]{}",.-ASICBDFxé'))
def test_text_that_looks_like_output(text: str) -> None:
    read_all(text)


@given(ANYTHING)
def test_any_json(value: Any) -> None:
    read_all(json.dumps(value))


@given(st.lists(RECORDS, max_size=3))
def test_json_of_gpus_with_odd_parts(records: list[Any]) -> None:
    text = json.dumps({"gpu_data": records})
    read_all(text)
    assert len(devices([card_of(record) for record in amd_smi.parse_json(text)])) == len(
        {record["gpu"] for record in records}
    )


@given(st.sampled_from(PRINTED), st.data())
def test_recorded_output_cut_and_changed_anywhere(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    read_all(text[:start] + data.draw(st.text(max_size=5)) + text[end:])


@given(ANYTHING, ANYTHING)
def test_any_answer_of_the_binding(answer: Any, other: Any) -> None:
    binding = SimpleNamespace(
        amdsmi_init=lambda: None,
        amdsmi_shut_down=lambda: None,
        amdsmi_get_processor_handles=lambda: [0, 1],
        amdsmi_get_gpu_asic_info=lambda handle: answer,
        amdsmi_get_gpu_vram_usage=lambda handle: other,
        amdsmi_get_gpu_device_bdf=lambda handle: other,
    )
    assert len(devices(list(library.read(binding).cards))) == 2
