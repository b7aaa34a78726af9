"""One name makes all others, and a name that can't is refused with the step that mends it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kgb_core.errors import UsageError
from kgb_core.models import BackendInfo
from kgb_core.plugins.installed import Installed
from kgb_core.scaffold.names import Names, names_for


def test_all_names_come_from_one() -> None:
    names = names_for("my_chip2", {})
    assert names == Names("my_chip2")
    assert names.distribution == "kgb-backend-my-chip2"
    assert names.module == "kgb_backend_my_chip2"
    assert names.class_name == "MyChip2Backend"
    assert names.display_name == "My Chip2"


@given(st.from_regex(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", fullmatch=True).filter(lambda name: name != "core"))
def test_any_accepted_name_works_everywhere(vendor: str) -> None:
    names = names_for(vendor, {})
    assert BackendInfo(vendor=vendor, display_name=names.display_name, torch_device_type=vendor)
    assert Requirement(names.distribution).name == canonicalize_name(names.distribution)
    assert names.module.isidentifier()
    assert names.class_name.isidentifier()


@pytest.mark.parametrize(
    ("vendor", "instead"),
    [
        ("My-Chip", "my_chip"),
        ("my chip", "my_chip"),
        ("chip_", "chip"),
        ("_chip", "chip"),
        ("my__chip", "my_chip"),
        ("4chip", "chip"),
        ("../chip", "chip"),
        ("chip\n", "chip"),
        ("", "mychip"),
        ("99", "mychip"),
        ("芯片", "mychip"),
    ],
)
def test_a_name_that_can_not_be_is_refused_with_one_that_can(vendor: str, instead: str) -> None:
    with pytest.raises(UsageError) as caught:
        names_for(vendor, {})
    assert caught.value.hint == f"kgb new-backend {instead}"
    assert len(str(caught.value).splitlines()) == 3
    assert names_for(instead, {})


def test_the_cores_own_name_is_refused() -> None:
    with pytest.raises(UsageError, match="core can't be"):
        names_for("core", {})


@pytest.mark.parametrize(
    "point",
    [
        Installed("my_chip", "somebodys-plugin", "2.0"),
        Installed("other", "kgb-backend-my-chip", "2.0"),
    ],
)
def test_a_name_that_is_taken_is_refused(point: Installed) -> None:
    with pytest.raises(UsageError) as caught:
        names_for("my_chip", {point.name: [point]})
    assert f"{point.distribution} 2.0" in caught.value.why
    assert caught.value.hint.endswith(f"pip uninstall {point.distribution}.")
    assert names_for("my_chip3", {point.name: [point]})
