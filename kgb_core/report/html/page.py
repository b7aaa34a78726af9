"""The file: one template, own scripts and styles inlined, data compressed, nothing fetched from anywhere."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from kgb_core.errors import BundleError, UsageError
from kgb_core.models.base import FrozenModel
from kgb_core.models.verdict import Verdict
from kgb_core.report.html.detail import LETTERS
from kgb_core.report.html.model import Report
from kgb_core.results.files import require_place, write_whole

SCRIPTS = (
    "dom.js",
    "format.js",
    "store.js",
    "verdicts.js",
    "charts.js",
    "parts.js",
    "overview.js",
    "matrix.js",
    "failures.js",
    "portability.js",
    "cost.js",
    "compiled.js",
    "chip.js",
    "timings.js",
    "observations.js",
    "operator.js",
    "kernel.js",
    "app.js",
)
"""Joined in this order into one module: what one declares, those after it use."""
_NEEDED = ("jinja2", "plotly", "pygments")


@dataclass(frozen=True)
class Blob:
    """Something compressed, opened when it is wanted.

    Attributes:
        id: of the element that holds it.
        text: base64 of gzip.
    """

    id: str
    text: str


def require_extra() -> None:
    """Say what to install where the page can't be made.

    Raises:
        UsageError: a distribution of the extra `report` is missing.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            "the HTML report can't be written.",
            f"not installed: {', '.join(missing)}",
            'python -m pip install "kgb-core[report]"',
        )


def write_page(report: Report, path: Path) -> None:
    """Write the page whole or not at all.

    Args:
        report: what it shows.
        path: of the file; one that is there is replaced.

    Raises:
        UsageError: the extra `report` is not installed, or the path is no place for a file.
        BundleError: it can't be written.
    """
    require_extra()
    place = require_place(path)
    text = page_of(report)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, text)
    except OSError as error:
        raise BundleError(f"can't write {path}", error.strerror or str(error)) from error


def page_of(report: Report) -> str:
    """The page as text. The same report gives the same text."""
    import jinja2

    script = "\n".join(_asset(name) for name in SCRIPTS)
    charts = _charts()
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_asset("page.html.j2")).render(
        title=_title(report),
        policy=_policy(script, charts),
        style=_asset("style.css"),
        script=script,
        blobs=list(_blobs(report, charts)),
        synthetic=any(chip.synthetic for chip in report.overview.chips),
    )


def _title(report: Report) -> str:
    suites = ", ".join(suite.split(" ")[0] for suite in report.overview.suites)
    return f"KGB: {suites or 'no suite'} on {len(report.overview.chips)} chips"


def _policy(*scripts: str) -> str:
    """The content security policy: these two scripts and nothing else, and no connection to anywhere."""
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _blobs(report: Report, charts: str) -> Iterator[Blob]:
    yield _packed("overview", _json(report.overview))
    yield _packed("verdicts", json.dumps(_verdicts()).encode())
    for number, detail in enumerate(report.details):
        yield _packed(f"operator-{number}", _json(detail))
    yield _packed("charts", charts.encode())


def _json(record: FrozenModel) -> bytes:
    return record.model_dump_json(exclude_defaults=True).encode()


def _verdicts() -> list[dict[str, object]]:
    return [
        {"name": verdict.value, "family": verdict.family.name.lower(), "letter": LETTERS[verdict]}
        for verdict in Verdict
    ]


def _packed(name: str, content: bytes) -> Blob:
    return Blob(f"blob-{name}", base64.b64encode(gzip.compress(content, 9, mtime=0)).decode())


@cache
def _charts() -> str:
    """The chart library as its distribution brings it, with its licence on top."""
    return files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
