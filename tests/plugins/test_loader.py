"""Every installed plugin ends in one of seven states, and one that is broken stops nobody."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Scratch

LOAD = """
import json
from kgb_core.errors import BackendLoadError
from kgb_core.plugins import load_backends, selected
try:
    print(json.dumps(sorted(load_backends(selected({only!r})).backends)))
except BackendLoadError as error:
    print(json.dumps([error.what, error.why, error.hint, int(error.exit_code)]))
"""


@pytest.fixture(scope="module")
def survey(scratch: Scratch) -> dict[str, Any]:
    """The report on everything that is installed."""
    return scratch.report()


def entry(survey: dict[str, Any], name: str) -> dict[str, Any]:
    """The only entry of a name."""
    (found,) = (entry for entry in survey["entries"] if entry["name"] == name)
    return found


@pytest.mark.parametrize(
    ("name", "state", "reason", "next_step"),
    [
        (
            "raises",
            "failed",
            "RuntimeError: the SDK is too old ask the vendor",
            "maintainer of kgb-backend-raises",
        ),
        ("asserts", "failed", "AssertionError: the SDK has other hooks", "KGB_BACKENDS"),
        ("exits", "failed", "SystemExit: 3", "KGB_BACKENDS"),
        (
            "needy",
            "failed",
            "No module named 'no_such_vendor_library'",
            "provides the module no_such_vendor_library",
        ),
        ("typo", "invalid", "unknown hook 'kgb_capabilitys'", "maintainer of kgb-backend-typo"),
        ("argument", "invalid", "Argument(s) {'driver'}", "maintainer of kgb-backend-argument"),
        ("newer", "incompatible", "needs kgb-core>=9; this is kgb-core 0.1.0", 'pip install "kgb-core>=9"'),
        (
            "hooks",
            "incompatible",
            "needs hook API 2.0; this kgb-core 0.1.0 speaks 1.0",
            "pip install --upgrade",
        ),
        (
            "partial",
            "incomplete",
            "required and missing: kgb_discover_devices",
            "maintainer of kgb-backend-partial",
        ),
        (
            "alias",
            "invalid",
            "says vendor good, its entry point says alias",
            "maintainer of kgb-backend-alias",
        ),
    ],
)
def test_a_broken_plugin_is_reported(
    survey: dict[str, Any], name: str, state: str, reason: str, next_step: str
) -> None:
    found = entry(survey, name)
    assert found["state"] == state
    assert reason in found["reason"]
    assert "\n" not in found["reason"]
    assert next_step in found["next_step"]
    assert (found["distribution"], found["version"]) == (f"kgb-backend-{name}", "0.3")
    assert name not in survey["loaded"]


def test_a_good_plugin_works_beside_the_broken_ones(survey: dict[str, Any]) -> None:
    found = entry(survey, "good")
    assert (found["state"], found["reason"], found["next_step"]) == ("loaded", "", "")
    assert found["hooks"] == ["kgb_backend_info", "kgb_discover_devices"]
    assert survey["devices"] == ["a planted device"]


def test_two_of_a_name_are_a_conflict_for_both(survey: dict[str, Any]) -> None:
    twins = [entry for entry in survey["entries"] if entry["name"] == "twin"]
    assert [twin["state"] for twin in twins] == ["conflict", "conflict"]
    assert "kgb-backend-twin-b" in twins[0]["reason"]
    assert "kgb-backend-twin-a" in twins[1]["reason"]
    assert "pip uninstall one of" in twins[0]["next_step"]


def test_what_can_be_refused_unseen_is_not_imported(survey: dict[str, Any]) -> None:
    assert {"kgb_plant_newer", "kgb_plant_twin_a", "kgb_plant_twin_b"} & set(survey["imported"]) == set()
    assert {"kgb_plant_good", "kgb_plant_typo"} <= set(survey["imported"])


def test_loading_imports_neither_torch_nor_triton(survey: dict[str, Any]) -> None:
    assert {"cpu", "nvidia", "good"} <= set(survey["loaded"])
    assert survey["heavy"] == []


def test_a_selection_decides_before_anything_is_imported(scratch: Scratch) -> None:
    survey = scratch.report("['good', 'partial']")
    assert survey["imported"] == ["kgb_plant_good", "kgb_plant_partial"]
    assert survey["loaded"] == ["good"]
    others = {entry["state"] for entry in survey["entries"] if entry["name"] not in ("good", "partial")}
    assert others == {"disabled"}
    assert entry(survey, "raises")["reason"] == "not selected: good,partial"


@pytest.mark.parametrize(
    ("value", "loaded"), [("good, cpu,good", ["cpu", "good"]), ("", [])], ids=["some", "none"]
)
def test_kgb_backends_selects(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch, value: str, loaded: list[str]
) -> None:
    monkeypatch.setenv("KGB_BACKENDS", value)
    survey = scratch.report("selected_from(__import__('os').environ)")
    assert survey["loaded"] == loaded
    assert survey["imported"] == (["kgb_plant_good"] if loaded else [])


def test_all_seven_states_occur(scratch: Scratch, survey: dict[str, Any]) -> None:
    chosen = scratch.report("['good']")
    assert {entry["state"] for entry in survey["entries"] + chosen["entries"]} == {
        "loaded",
        "disabled",
        "incompatible",
        "conflict",
        "invalid",
        "incomplete",
        "failed",
    }


@pytest.mark.parametrize(
    ("only", "what", "why", "hint"),
    [
        ("raises", "backend raises is failed (kgb-backend-raises 0.3).", "the SDK is too old", "maintainer"),
        ("twin", "backend twin is conflict (kgb-backend-twin-a 0.3).", "kgb-backend-twin-b", "pip uninstall"),
        ("god", "no backend god is installed.", "installed: alias, ", "did you mean good?"),
        ("zzz", "no backend zzz is installed.", "installed: alias,", "pip install kgb-backend-zzz"),
    ],
)
def test_a_named_backend_that_does_not_load_is_an_error(
    scratch: Scratch, only: str, what: str, why: str, hint: str
) -> None:
    answer = json.loads(scratch.run(LOAD.format(only=f"good,{only}")).stdout)
    assert answer[0] == what
    assert why in answer[1]
    assert hint in answer[2]
    assert answer[3] == 4


def test_named_backends_that_load_are_no_error(scratch: Scratch) -> None:
    assert json.loads(scratch.run(LOAD.format(only="good,cpu")).stdout) == ["cpu", "good"]
