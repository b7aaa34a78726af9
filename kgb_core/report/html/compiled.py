"""Compile-only results: what `kgb compile --json` printed, read for the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from pydantic import ConfigDict, ValidationError

from kgb_core.crosscompile.records import CandidateResult
from kgb_core.errors import UsageError
from kgb_core.models.base import FrozenModel
from kgb_core.report.html.model import Compiled, CompiledCell

SCHEMA = "kgb.compile/1"


class _Named(FrozenModel):
    """A target, of which only the name matters here."""

    model_config = ConfigDict(extra="ignore")

    name: str


class _Document(FrozenModel):
    targets: tuple[_Named, ...]
    candidates: tuple[CandidateResult, ...]


def read_compiled(paths: Iterable[Path]) -> Compiled:
    """The results in these files, together; of the same kernel and target the last one is kept.

    Raises:
        UsageError: a file is not what `kgb compile --json` prints.
    """
    documents = [_read(path) for path in paths]
    names = dict.fromkeys(target.name for document in documents for target in document.targets)
    targets = {name: number for number, name in enumerate(names)}
    cells = {
        f"{cell.operator}\0{cell.kernel}\0{cell.target}": cell
        for document in documents
        for cell in _cells(document, targets)
    }
    return Compiled(targets=tuple(targets), cells=tuple(cells.values()))


def _read(path: Path) -> _Document:
    try:
        content: Any = msgspec.json.decode(path.read_bytes())
        if not isinstance(content, dict) or content.pop("schema", None) != SCHEMA:
            raise _refused(path, f"its schema is not {SCHEMA}")
        return _Document.model_validate(content, strict=False)
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _refused(path, str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise _refused(path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _refused(path: Path, why: str) -> UsageError:
    return UsageError(
        f"{path} has no compile-only results.",
        why,
        "kgb compile PACK --target … --json writes them",
    )


def _cells(document: _Document, targets: dict[str, int]) -> Iterator[CompiledCell]:
    for candidate in document.candidates:
        for result in candidate.results:
            if result.target in targets:
                yield CompiledCell(
                    operator=candidate.operator,
                    kernel=f"{candidate.pack}/{candidate.name}",
                    target=targets[result.target],
                    status=result.status.value,
                    ok=result.ok,
                    stage=result.stage.value,
                    message=result.message,
                )
