"""Schemas: old documents are read through a chain of steps, newer ones are refused, wrong steps are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgb_core.errors import BundleError
from kgb_core.models.manifest import MANIFEST_SCHEMA, Manifest
from kgb_core.models.plan import PLAN_SCHEMA, Plan
from kgb_core.models.record import RECORD_SCHEMA, Record
from kgb_core.results.documents import parse_document
from kgb_core.results.planfile import read_plan
from kgb_core.results.upgrade import UPGRADES, upgrade

COMMITTED = Path(__file__).parents[2] / "benchmarks" / "results"


def test_a_manifest_of_version_1_is_read(tmp_path: Path) -> None:
    """The committed bundles were written before version 2."""
    old = json.loads((COMMITTED / "h200-smoke-20261201T1307Z" / "manifest.json").read_text())
    assert old["schema"] == "kgb.manifest/1"
    manifest = parse_document(json.dumps(old).encode(), Manifest, MANIFEST_SCHEMA, "here")
    assert (manifest.synthetic, manifest.rejudged, manifest.conformance) == (False, None, ())
    assert manifest.run == old["run"]
    again = parse_document(manifest.model_dump_json().encode(), Manifest, MANIFEST_SCHEMA, "here")
    assert again == manifest


def chain(*names: str) -> dict[str, dict[int, Any]]:
    """Made-up versions 1 to n of a document; each step notes that it was taken."""

    def step(version: int) -> Any:
        return lambda document: {
            **document,
            "schema": f"kgb.thing/{version + 1}",
            "steps": [*document.get("steps", []), names[version - 1]],
        }

    return {"kgb.thing": {version: step(version) for version in range(1, len(names) + 1)}}


@pytest.mark.parametrize(("found", "steps"), [(1, ["a", "b", "c"]), (2, ["b", "c"]), (4, [])])
def test_the_chain_begins_at_the_version_of_the_document(found: int, steps: list[str]) -> None:
    document = upgrade({"schema": f"kgb.thing/{found}"}, "kgb.thing/4", "here", chain("a", "b", "c"))
    assert document.get("steps", []) == steps


def test_a_newer_version_is_refused_with_an_instruction() -> None:
    with pytest.raises(BundleError, match=r"x:7: schema kgb\.thing/5 is newer") as caught:
        upgrade({"schema": "kgb.thing/5"}, "kgb.thing/4", "x:7", chain("a", "b", "c"))
    assert caught.value.hint == "upgrade it with: pip install --upgrade kgb-core"


@pytest.mark.parametrize("schema", ["kgb.other/1", "kgb.thing", "", "kgb.thing/-1", "kgb.thing/1 "])
def test_another_kind_or_no_schema_is_refused(schema: str) -> None:
    with pytest.raises(BundleError, match="here"):
        upgrade({"schema": schema}, "kgb.thing/4", "here", chain("a", "b", "c"))


def test_a_version_without_a_step_was_never_released() -> None:
    with pytest.raises(BundleError, match="never released"):
        upgrade({"schema": "kgb.thing/0"}, "kgb.thing/4", "here", chain("a", "b", "c"))


def test_an_old_document_that_its_step_can_not_read_is_malformed() -> None:
    steps = {"kgb.thing": {1: lambda document: {"schema": "kgb.thing/2", "to": document["from"]}}}
    with pytest.raises(BundleError, match="here: malformed") as caught:
        upgrade({"schema": "kgb.thing/1"}, "kgb.thing/2", "here", steps)
    assert "from" in caught.value.why


def test_a_step_that_leads_nowhere_is_found() -> None:
    with pytest.raises(AssertionError, match="leads to"):
        upgrade({"schema": "kgb.thing/1"}, "kgb.thing/2", "here", {"kgb.thing": {1: dict}})


def test_the_chains_of_this_version_have_no_hole() -> None:
    current = dict(schema.split("/") for schema in (MANIFEST_SCHEMA, PLAN_SCHEMA, RECORD_SCHEMA))
    for kind, steps in UPGRADES.items():
        assert sorted(steps) == list(range(1, int(current[kind])))


def test_an_old_plan_is_read_case_by_case(tmp_path: Path, make_plan: Any, make_record: Any) -> None:
    """A made-up version 0 of the plan called the cases `work`."""
    plan: Plan = make_plan(make_record("u0"), make_record("u1"))
    old = json.loads(plan.model_dump_json())
    old.update(schema="kgb.plan/0", work=old.pop("cases"))
    (tmp_path / "plan.json").write_text(json.dumps(old))
    steps = {
        "kgb.plan": {
            0: lambda d: {
                **{k: v for k, v in d.items() if k != "work"},
                "schema": "kgb.plan/1",
                "cases": d["work"],
            }
        }
    }
    found = read_plan(tmp_path / "plan.json", steps)
    assert found is not None
    assert tuple(found.cases()) == plan.cases
    assert found.header.run == plan.run


def test_a_record_in_another_order_of_keys_is_read(make_record: Any) -> None:
    record: Record = make_record("u0")
    shuffled = dict(reversed(json.loads(record.model_dump_json()).items()))
    text = json.dumps(shuffled, indent=1).encode()
    assert parse_document(text, Record, RECORD_SCHEMA, "here") == record


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"schema":"kgb.plan/1"}', b'{"schema":"kgb.plan/1","cases":3}']
)
def test_a_malformed_plan_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "plan.json").write_bytes(content)
    with pytest.raises(BundleError, match=r"plan\.json: malformed"):
        read_plan(tmp_path / "plan.json")


def test_a_malformed_case_of_a_plan_is_named(tmp_path: Path, make_plan: Any, make_record: Any) -> None:
    plan: Plan = make_plan(make_record("u0"), make_record("u1"))
    text = plan.model_dump_json().replace('"uid":"u1"', '"uid":"../u1"')
    (tmp_path / "plan.json").write_text(text)
    found = read_plan(tmp_path / "plan.json")
    assert found is not None
    with pytest.raises(BundleError, match=r"plan\.json: case 1: malformed"):
        list(found.cases())
