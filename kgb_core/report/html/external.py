"""Published figures as rows of the page."""

from __future__ import annotations

from collections.abc import Iterator

from kgb_core.report.external import External
from kgb_core.report.html.model import ExternalRow


def external_rows(external: External) -> Iterator[ExternalRow]:
    """One row for each cell of a published table."""
    for row in external.row:
        for column, cell in row.cells.items():
            yield ExternalRow(
                source=external.name,
                method=row.label,
                chip=f"{row.chip}, {column}" if row.chip else column,
                accuracy=cell.accuracy,
                speedup=cell.speedup,
                note=row.note,
            )
