"""What `kgb run` prints: the heading, the closing lines, the plan of a dry run, and the JSON document."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from rich.text import Text

from kgb_core.cli.output import show, show_json
from kgb_core.models.verdict import Family
from kgb_core.report.grid import grid
from kgb_core.report.text import counted
from kgb_core.results.reader import Bundle
from kgb_core.runner.conduct import Prepared
from kgb_core.scores.summary import BundleSummary
from kgb_core.version import __version__

_SHOWN = 3


def heading(prepared: Prepared) -> None:
    """One line on stderr before anything is judged."""
    operators = {unit.operator.name for unit in prepared.units}
    devices = ", ".join(f"{s.name} ({s.device.name})" for s in prepared.stations)
    parts = (
        f"kgb {__version__}",
        prepared.plan.suite.label,
        counted(len(operators), "operator"),
        f"{counted(len(prepared.stations), 'device')}: {devices}",
        f"sandbox {prepared.request.sandbox.value}",
    )
    print(" · ".join(parts), end="\n\n", file=sys.stderr)


def interrupted(path: Path) -> None:
    """Say how to go on."""
    print(f"interrupted; everything finished is in {path}", file=sys.stderr)
    print(f"go on with the same command and --resume --out {path}", file=sys.stderr)


def closing(path: Path, summary: BundleSummary) -> str:
    """Where to look next."""
    failed = [row.operator for row in summary.rows if row.failed]
    lines = [f"Why {name} failed   kgb show {path} {name}" for name in dict.fromkeys(failed[:_SHOWN])]
    if len(set(failed)) > _SHOWN:
        lines.append(f"… and {len(set(failed)) - _SHOWN} more")
    return "\n".join(["", *lines, f"Bundle   {path}", ""])


def show_plan(prepared: Prepared, as_json: bool) -> None:
    """Show every planned case, and judge nothing."""
    cases = prepared.plan.cases
    if as_json:
        show_json("kgb.dry-run/1", suite=prepared.plan.suite, tier=prepared.plan.tier.value, cases=cases)
        return
    show(grid([[c.uid, c.device, c.operator, c.case.purpose.value, c.case.label] for c in cases]))
    show(Text(f"{counted(len(cases), 'planned case')}"))


def run_document(path: Path, bundle: Bundle, summary: BundleSummary) -> dict[str, Any]:
    """The fields of `kgb run --json`."""
    verdicts = Counter(record.verdict.value for record in bundle.records)
    families = Counter(record.verdict.family for record in bundle.records)
    return {
        "run": bundle.plan.run if bundle.plan else "",
        "bundle": str(path),
        "summary": {
            "planned": len(bundle.records) + len(bundle.remaining),
            "passed": families[Family.PASSED],
            "counted": sum(n for family, n in families.items() if family is not Family.NOT_THE_CANDIDATES),
            "verdicts": dict(verdicts),
            "rows": summary.rows,
        },
        "records": bundle.records,
    }
