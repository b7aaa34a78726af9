"""From the bytes of one JSON document to the record of its schema, upgraded where it is an older one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec
from pydantic import ValidationError

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.results.upgrade import UPGRADES, Upgrades, upgrade

Model = TypeVar("Model", bound=FrozenModel)


def parse_document(
    text: bytes, model: type[Model], schema: str, where: str, upgrades: Upgrades = UPGRADES
) -> Model:
    """One JSON document as a record of its schema.

    Args:
        text: the document.
        model: what it becomes.
        schema: that model's schema: `kgb.record/1`.
        where: file and line, for the error.
        upgrades: steps from older schemas.

    Raises:
        BundleError: with `where`, for anything that is not such a document.
    """
    try:
        if is_current(text, schema):
            return model.model_validate_json(text)
        return model.model_validate(upgrade(parse_object(text, where), schema, where, upgrades))
    except ValidationError as error:
        raise malformed(where, error) from error


def read_document(path: Path, model: type[Model], schema: str, upgrades: Upgrades = UPGRADES) -> Model | None:
    """A file that holds one document; `None` where there is no such file.

    Raises:
        BundleError: naming the file, for anything that is not such a document.
    """
    return parse_document(path.read_bytes(), model, schema, str(path), upgrades) if path.is_file() else None


def is_current(text: bytes, schema: str) -> bool:
    """True for a document as this kgb-core writes it: it needs no upgrade, which is the common case."""
    return text.startswith(f'{{"schema":"{schema}",'.encode())


def parse_object(text: bytes, where: str) -> dict[str, Any]:
    """A JSON object, not yet looked at.

    Raises:
        BundleError: with `where`, for anything else.
    """
    try:
        content = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BundleError(f"{where}: malformed", str(error)) from error
    if not isinstance(content, dict):
        raise BundleError(f"{where}: malformed", "a JSON object is expected")
    return content


def malformed(where: str, error: ValidationError) -> BundleError:
    """The error for a document that is not of its schema."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return BundleError(f"{where}: malformed", f"{place}: {first['msg']}" if place else first["msg"])
