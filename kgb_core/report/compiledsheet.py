"""Compile-only results drawn: how far each kernel got for each target, and that nothing was run."""

from __future__ import annotations

from kgb_core.report.figures import UNKNOWN
from kgb_core.report.html.model import Compiled, CompiledCell
from kgb_core.report.sheet import Sheet

_NOTE = "Compile-only: nothing was launched. None of this is counted as right, and none as wrong."


def compiled_sheet(compiled: Compiled) -> Sheet:
    """A row a kernel, a column a target."""
    cells = {_key(cell.operator, cell.kernel, cell.target): cell for cell in compiled.cells}
    kernels = dict.fromkeys((cell.operator, cell.kernel) for cell in compiled.cells)
    rows = [
        [
            operator,
            kernel,
            *(_shown(cells.get(_key(operator, kernel, n))) for n in range(len(compiled.targets))),
        ]
        for operator, kernel in sorted(kernels)
    ]
    return Sheet("Compiled, not run", ["operator", "kernel", *compiled.targets], rows, (_NOTE,))


def _key(operator: str, kernel: str, target: int) -> str:
    return f"{operator}\0{kernel}\0{target}"


def _shown(cell: CompiledCell | None) -> str:
    if cell is None:
        return UNKNOWN
    return f"compiles to {cell.stage}" if cell.ok and cell.status == "compiled" else cell.status
