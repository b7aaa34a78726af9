"""`kgb schema`: the JSON Schema of what KGB writes."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.text import Text

from kgb_core.cli.documents import DOCUMENTS
from kgb_core.cli.options import Json
from kgb_core.cli.output import emit, show, show_json
from kgb_core.cli.suggest import one_of
from kgb_core.report.grid import grid
from kgb_core.results.schemas import STORED, bundle_schema, schema_of

_BUNDLE = "bundle"


def schema(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Of what; none: list the names.")] = None,
    json: Json = False,
) -> None:
    """Print the JSON Schema of what KGB writes.

    That is the documents of a bundle, a whole bundle as one object, and what verbs print with --json.
    """
    if name is not None:
        chosen = one_of(name, _titles(), "schema", "kgb schema lists them all.")
        models: dict[str, type[BaseModel]] = {**STORED, **DOCUMENTS}
        _print(bundle_schema() if chosen == _BUNDLE else schema_of(models[chosen]))
    elif json:
        show_json("kgb.schemas/1", schemas=_titles())
    else:
        show(grid([[each, Text(title)] for each, title in _titles().items()]))


def _print(document: dict[str, Any]) -> None:
    emit(json.dumps(document, indent=2) + "\n")


def _titles() -> dict[str, str]:
    """What each name stands for, in one line."""
    titles = {name: _first_line(model.__doc__) for name, model in STORED.items()}
    printed = {name: _first_line(model.__doc__) for name, model in DOCUMENTS.items()}
    return {**titles, _BUNDLE: "The bundle of one run as one object, file by file.", **printed}


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]
