"""JSON Schemas of what lies in a bundle, made from the models that read and write it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from kgb_core.models.manifest import Manifest, System
from kgb_core.models.plan import Plan
from kgb_core.models.record import Record
from kgb_core.results import layout
from kgb_core.results.merged import Merged
from kgb_core.results.rejudge import RejudgeReport
from kgb_core.results.samples import SamplePair

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NOT_FINITE = ["NaN", "Infinity", "-Infinity"]

STORED: MappingProxyType[str, type[BaseModel]] = MappingProxyType(
    {
        "record": Record,
        "plan": Plan,
        "system": System,
        "manifest": Manifest,
        "merged": Merged,
        "samples": SamplePair,
        "rejudged": RejudgeReport,
    }
)
"""The documents of a bundle by the name that `kgb schema` knows them under."""

_FILES: MappingProxyType[str, type[BaseModel]] = MappingProxyType(
    {layout.PLAN: Plan, layout.SYSTEM: System, layout.MANIFEST: Manifest, layout.REJUDGED: RejudgeReport}
)


class AsWritten(GenerateJsonSchema):
    """Says of numbers what KGB writes: NaN and infinity are strings."""

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchemaValue:
        """A number, or one of the strings for what is none."""
        return {"anyOf": [super().float_schema(schema), {"enum": _NOT_FINITE}]}


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of one document, as it is written."""
    content = model.model_json_schema(by_alias=True, schema_generator=AsWritten, mode="serialization")
    return {"$schema": DIALECT, **content}


def bundle_schema() -> dict[str, Any]:
    """The JSON Schema of the bundle of one run as one object: files by their names, records as a list."""
    models: list[type[BaseModel]] = [*_FILES.values(), Record, SamplePair]
    references, definitions = models_json_schema(
        [(model, "serialization") for model in models], schema_generator=AsWritten
    )
    files = {name: references[model, "serialization"] for name, model in _FILES.items()}
    records = {"type": "array", "items": references[Record, "serialization"]}
    return {
        "$schema": DIALECT,
        "title": "Bundle",
        "description": "The files of the bundle of one run, with the lines of results.jsonl as a list.",
        "type": "object",
        "properties": {**files, layout.RESULTS: records},
        "patternProperties": {
            rf"^{layout.SAMPLES}/.+\.json$": references[SamplePair, "serialization"],
            rf"^{layout.KERNELS}/[0-9a-f]{{64}}\.py$": {"type": "string"},
        },
        "required": [layout.PLAN, layout.SYSTEM, layout.RESULTS],
        **definitions,
    }
