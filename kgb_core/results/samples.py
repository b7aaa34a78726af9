"""The raw times of one planned case, in a file of their own."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.timing import Samples

SAMPLES_SCHEMA: Final = "kgb.samples/1"


class SamplePair(FrozenModel):
    """Every sample of candidate, baseline and an empty region, in the order measured."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.samples/1"] = Field(default=SAMPLES_SCHEMA, alias="schema")
    uid: str
    candidate: Samples
    baseline: Samples
    null: Samples = Samples(device_ns=(), call_ns=())
