"""The base of every record that crosses a boundary: frozen, strict, and safe for NaN and infinity."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """A frozen pydantic model that refuses unknown fields and writes NaN and Inf as strings."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")
