"""Schemas of records: old ones are upgraded step by step, newer ones are refused with an instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from kgb_core.errors import BundleError

Document = dict[str, Any]
Step = Callable[[Document], Document]
Upgrades = Mapping[str, Mapping[int, Step]]
"""Steps by kind of document and the version that they start from."""


def _manifest_from_1(document: Document) -> Document:
    """Version 2 also says of conformance, of made-up records, and of verdicts that were derived."""
    added: Document = {"synthetic": False, "rejudged": None, "conformance": []}
    return {**document, **added, "schema": "kgb.manifest/2"}


UPGRADES: Upgrades = MappingProxyType({"kgb.manifest": MappingProxyType({1: _manifest_from_1})})
"""For each kind of document the step from a version to the next one; the others are at their first."""

_SCHEMA = re.compile(r"(?P<kind>kgb\.[a-z_]+)/(?P<version>\d+)")


def upgrade(document: Document, schema: str, where: str, upgrades: Upgrades = UPGRADES) -> Document:
    """Bring a document to the schema that this kgb-core reads.

    Args:
        document: as parsed from JSON.
        schema: what is wanted: `kgb.record/1`.
        where: file and line, for the error.
        upgrades: the steps by kind and version.

    Raises:
        BundleError: another kind of document, a newer schema, or an old one without a step.
    """
    kind, wanted = _parse(schema, where)
    found, version = _parse(str(document.get("schema", "")), where)
    if found != kind:
        raise BundleError(f"{where}: a {found} document where a {kind} is expected")
    if version > wanted:
        raise BundleError(
            f"{where}: schema {found}/{version} is newer than this kgb-core",
            f"it reads {kind} up to {wanted}",
            "upgrade it with: pip install --upgrade kgb-core",
        )
    for step in range(version, wanted):
        document = _stepped(_step(upgrades, kind, step, where), document, where)
        if document.get("schema") != f"{kind}/{step + 1}":
            raise AssertionError(f"the step from {kind}/{step} leads to {document.get('schema')}")
    return document


def _stepped(step: Step, document: Document, where: str) -> Document:
    try:
        return step(document)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BundleError(f"{where}: malformed", f"{type(error).__name__}: {error}") from error


def _parse(schema: str, where: str) -> tuple[str, int]:
    matched = _SCHEMA.fullmatch(schema)
    if matched is None:
        raise BundleError(
            f"{where}: no schema", f'"schema" is {schema!r}' if schema else '"schema" is missing'
        )
    return matched["kind"], int(matched["version"])


def _step(upgrades: Upgrades, kind: str, version: int, where: str) -> Step:
    steps = upgrades.get(kind, {})
    if version not in steps:
        raise BundleError(f"{where}: schema {kind}/{version} was never released")
    return steps[version]
