"""What the tool prints is read as it is, and nothing that it could print makes discovery raise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_hygon import smi

if TYPE_CHECKING:
    from conftest import Site

DATA = Path(__file__).with_name("data")
K100 = (DATA / "recorded_k100_ai.json").read_text(encoding="utf-8")
MIB = 2**20


def test_two_cards_of_a_recorded_machine(site: Site) -> None:
    site.tool("hy-smi", "recorded_k100_ai.json")
    first, second = site.hygon.discover_devices()
    assert (first.index, first.name, first.arch) == (0, "Hygon K100_AI", "gfx928")
    assert (first.uuid, first.memory_bytes) == ("7137000000000001", 65520 * MIB)
    assert (second.index, second.uuid) == (1, "7137000000000002")


@pytest.mark.parametrize("rc", [0, 1])
def test_lines_around_the_json_and_the_exit_code_do_not_matter(site: Site, rc: int) -> None:
    site.tool("hy-smi", "recorded_z100l.txt", rc)
    (device,) = site.hygon.discover_devices()
    assert (device.name, device.memory_bytes, device.arch) == ("Hygon Z100L", 32752 * MIB, None)


def test_the_vendor_may_be_called_otherwise(site: Site) -> None:
    site.tool("rocm-smi", "recorded_k100_ai_c3000.json")
    assert [device.name for device in site.hygon.discover_devices()] == ["Hygon K100_AI"]


def test_the_place_on_the_bus(site: Site) -> None:
    site.tool("hy-smi", "hand_made_bw.json")
    assert [device.pci_bus_id for device in site.hygon.discover_devices()] == ["0000:09:00.0", "0000:36:00.0"]


def test_a_name_with_dcu_before_it_is_the_same_product(site: Site) -> None:
    site.tool("hy-smi", K100.replace('"K100_AI"', '"DCU K100_AI"'))
    assert {device.arch for device in site.hygon.discover_devices()} == {"gfx928"}


@pytest.mark.parametrize(
    ("setting", "left"),
    [("0", [0]), ("1,0", [1, 0]), ("1, 7, 0", [1]), ("0,0,1", [0]), ("", []), ("-1", []), ("x", [])],
)
def test_the_variable_of_the_calling_process(
    site: Site, monkeypatch: pytest.MonkeyPatch, setting: str, left: list[int]
) -> None:
    site.tool("hy-smi", "recorded_k100_ai.json")
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", setting)
    assert [device.index for device in site.hygon.discover_devices()] == left


def test_a_worker_gets_one_device(site: Site) -> None:
    site.tool("hy-smi", "recorded_k100_ai.json")
    second = site.hygon.discover_devices()[1]
    assert site.hygon.worker_environment(second) == {"HIP_VISIBLE_DEVICES": "1"}


@pytest.mark.parametrize(
    "text", ["", "Error: no device", K100[:200], "[]", '{"card0": 3}', "{}\n", "{" * 9999]
)
@pytest.mark.parametrize("rc", [0, 2])
def test_an_answer_without_cards_is_no_device_and_has_a_reason(site: Site, text: str, rc: int) -> None:
    site.tool("hy-smi", text, rc)
    site.pci("0000:c1:00.0", vendor=0x1D94, device=0x6210)
    assert site.hygon.discover_devices() == []
    (check,) = site.hygon.doctor_checks()
    assert ("hy-smi lists no DCU" if rc == 0 else "hy-smi ended with 2") in check.found


def test_colours_and_line_ends_are_no_part_of_the_text() -> None:
    noisy = f"\x1b[31mwarning\x1b[0m\r\n{K100}\r\n"
    assert smi.parse(noisy) == smi.parse(K100) != []


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    smi.parse(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
KEYS = st.sampled_from(
    ["Card Series", "Card Vendor", "Unique ID", "PCI Bus", "vram Total Memory (MiB)", "HCU use (%)", ""]
)


@given(st.dictionaries(st.sampled_from(["card0", "card1", "system"]), st.dictionaries(KEYS, VALUES)))
def test_any_value_is_read_without_an_error(document: dict[str, dict[str, object]]) -> None:
    for card in smi.parse(json.dumps(document)):
        assert card.title.isprintable()
        assert card.memory_bytes is None or card.memory_bytes > 0


@given(st.integers(0, len(K100)), st.binary(max_size=8))
def test_damage_anywhere_is_read_without_an_error(place: int, damage: bytes) -> None:
    smi.parse(K100[:place] + damage.decode(errors="replace") + K100[place + len(damage) :])
