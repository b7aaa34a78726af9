"""Reading a TOML file into a record, with an error that names the file and what is wrong in it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kgb_core.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Record = TypeVar("Record", bound=BaseModel)


def read_toml(file: Path, record: type[Record], **defaults: Any) -> Record:
    """Read a file.

    Args:
        file: which.
        record: what it holds.
        defaults: values of fields that the file leaves out.

    Raises:
        UsageError: it can't be read, is not TOML, or does not fit the record.
    """
    try:
        content = tomllib.loads(file.read_bytes().decode("utf-8"))
    except OSError as error:
        raise UsageError(f"{file} can't be read", error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} is not TOML", str(error)) from error
    try:
        return record.model_validate({**defaults, **content})
    except ValidationError as error:
        known = f"known keys: {', '.join(record.model_fields)}"
        raise UsageError(f"{file} is wrong", _reasons(error), known) from error


def _reasons(error: ValidationError) -> str:
    found = ((".".join(map(str, issue["loc"])), issue["type"], issue["msg"]) for issue in error.errors())
    return "; ".join(
        f"unknown key {key}" if kind == "extra_forbidden" else f"{key}: {message[0].lower()}{message[1:]}"
        for key, kind, message in found
    )
