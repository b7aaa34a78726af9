"""Published figures of others, read from a file, for rows that say whose they are."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from kgb_core.models.base import FrozenModel
from kgb_core.toml import read_toml


class ExternalCell(FrozenModel):
    """What was published of one method on one chip, or on one source of operators."""

    accuracy: float | None = Field(default=None, ge=0, le=1)
    """Between 0 and 1."""
    speedup: float | None = Field(default=None, gt=0)
    tokens: float | None = Field(default=None, ge=0)
    """Spent on all operators of the column."""
    hours: float | None = Field(default=None, ge=0)


class ExternalMethod(FrozenModel):
    """One row of a published table."""

    method: str
    model: str = ""
    table: str
    """`ms` or `mc`: of which kind of table it is."""
    chip: str = ""
    """The one chip of a row of an `ms` table."""
    cells: dict[str, ExternalCell]
    """By column: a source of operators (`all` for all) in an `ms` table, a chip in an `mc` table."""
    tokens: float | None = Field(default=None, ge=0)
    """Spent on all operators."""
    tokens_per_success: float | None = Field(default=None, ge=0)
    hours: float | None = Field(default=None, ge=0)
    note: str = ""

    @property
    def label(self) -> str:
        """Method and model."""
        return f"{self.method}, {self.model}" if self.model else self.method


class External(FrozenModel):
    """One file of published figures."""

    name: str
    """Short, for the label of each row."""
    source: str
    """Where they were published."""
    notes: tuple[str, ...] = ()
    """What a reader must know before comparing."""
    row: tuple[ExternalMethod, ...]
    """One for each `[[row]]` of the file."""


def read_external(path: Path) -> External:
    """Read published figures from TOML.

    Raises:
        UsageError: the file can't be read or is not such a file; the message says what is wrong.
    """
    return read_toml(path, External)
