"""The two tables of the paper, from bundles: methods by source on one chip, and methods by chip."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from kgb_core.models.base import FrozenModel
from kgb_core.models.pack import PackInfo
from kgb_core.report.external import External, ExternalMethod
from kgb_core.scores.accuracy import accuracy_of
from kgb_core.scores.board import Scoreboard, fastest_of
from kgb_core.scores.chip import ChipOfRun
from kgb_core.scores.mean import mean_speedup
from kgb_core.scores.row import Row

ALL = "all"
"""The column over all sources."""


class Layout(str, Enum):
    """Which of the two tables; the values are the names of their suites, too."""

    MULTI_SOURCE = "ms"
    """One chip: a column for each source of operators."""
    MULTI_CHIP = "mc"
    """A column for each chip, over the operators that every chip is asked for."""


class TableCell(FrozenModel):
    """One method in one column; `None` is unknown or not measured."""

    accuracy: float | None = None
    """Over the whole suite where it is known, else over what was planned; between 0 and 1."""
    right: int | None = None
    """Operators; unknown of a published row, like `total`, `matched` and `wanted`."""
    total: int | None = None
    speedup: float | None = None
    """The geometric mean over `matched` operators of the `wanted`."""
    matched: int | None = None
    wanted: int | None = None
    tokens_per_success: float | None = None


class TableRow(FrozenModel):
    """One method: a pack of the user's, or a row that others published."""

    method: str
    chip: str
    """Of a multi-source row."""
    run: str
    """The runs that it is of; empty for a published row."""
    external: str
    """Whose figures these are; empty for the user's own."""
    cells: dict[str, TableCell]
    tokens_per_success: float | None = None
    """Of a published row, which gives it for the method."""
    note: str = ""


class PaperTable(FrozenModel):
    """One of the two tables."""

    layout: Layout
    own: tuple[TableRow, ...]
    published: tuple[TableRow, ...]
    notes: tuple[str, ...]
    published_notes: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What the table is over.

    Attributes:
        layout: which table.
        operators: of its suite, where it is installed here: others are left out of the table.
        whole: runs that were asked for the whole of that suite, so that a missing kernel counts as not right.
    """

    layout: Layout
    operators: Collection[str] | None
    whole: Collection[str]


def paper_table(
    board: Scoreboard, rows: Sequence[Row], asked: Asked, external: Sequence[External] = ()
) -> PaperTable:
    """One of the paper's tables.

    Args:
        board: the scores of the runs.
        rows: of the same runs.
        asked: which table, over which operators.
        external: published figures, for rows of their own.
    """
    within = [row for row in rows if asked.operators is None or row.operator in asked.operators]
    build = _by_source if asked.layout is Layout.MULTI_SOURCE else _by_chip
    own = tuple(build(board, within, asked))
    published = tuple(
        _published(each, row) for each in external for row in each.row if row.table == asked.layout.value
    )
    return PaperTable(
        layout=asked.layout,
        own=own,
        published=published,
        notes=tuple(_notes(board, asked)) if own else (f"No operator of {asked.layout.value} was planned.",),
        published_notes=tuple(_published_notes(external)),
    )


def _by_source(board: Scoreboard, rows: Sequence[Row], asked: Asked) -> Iterator[TableRow]:
    infos = {info.name: info for info in board.packs}
    for chip in board.chips:
        mine = [row for row in rows if (row.run, row.device) == (chip.run, chip.device)]
        for pack in dict.fromkeys(row.candidate.pack for row in mine):
            these = _of_chip(mine, chip, pack)
            yield TableRow(
                method=method_of(infos.get(pack, PackInfo(name=pack))),
                chip=_label(chip, board.chips),
                run=chip.run,
                external="",
                cells=_source_cells(these, asked, _tokens(board, pack, chip)),
            )


def _source_cells(rows: Sequence[Row], asked: Asked, tokens: float | None) -> dict[str, TableCell]:
    sources = dict.fromkeys(sorted(row.source for row in rows))
    groups = {name: [row for row in rows if row.source == name] for name in sources}
    return {
        ALL: _cell(rows, _expected(rows, ALL, asked), tokens),
        **{name: _cell(group, _expected(group, name, asked), None) for name, group in groups.items()},
    }


def _by_chip(board: Scoreboard, rows: Sequence[Row], asked: Asked) -> Iterator[TableRow]:
    infos = {info.name: info for info in board.packs}
    for pack in dict.fromkeys(row.candidate.pack for row in rows):
        chips = [chip for chip in board.chips if _of_chip(rows, chip, pack)]
        cells = {_label(chip, board.chips): _chip_cell(board, rows, chip, pack, asked) for chip in chips}
        yield TableRow(
            method=method_of(infos.get(pack, PackInfo(name=pack))),
            chip="",
            run=" ".join(dict.fromkeys(chip.run for chip in chips)),
            external="",
            cells=cells,
        )


def _chip_cell(board: Scoreboard, rows: Sequence[Row], chip: ChipOfRun, pack: str, asked: Asked) -> TableCell:
    these = _of_chip(rows, chip, pack)
    return _cell(these, _expected(these, ALL, asked), _tokens(board, pack, chip))


def _of_chip(rows: Sequence[Row], chip: ChipOfRun, pack: str) -> list[Row]:
    place = (chip.run, chip.device, pack)
    return [row for row in rows if (row.run, row.device, row.candidate.pack) == place]


def _cell(rows: Sequence[Row], expected: Collection[str] | None, tokens: float | None) -> TableCell:
    found = accuracy_of(rows, expected)
    share, speedup = found.suite or found.operators, mean_speedup(list(fastest_of(rows).values()))
    return TableCell(
        accuracy=share.share,
        right=share.count,
        total=share.total,
        speedup=speedup.value,
        matched=speedup.matched,
        wanted=speedup.wanted,
        tokens_per_success=tokens,
    )


def _expected(rows: Sequence[Row], source: str, asked: Asked) -> Collection[str] | None:
    """The operators that a cell is over, where the run was asked for all of them."""
    if asked.operators is None or any(row.run not in asked.whole for row in rows):
        return None
    return {name for name in asked.operators if source in (ALL, name.partition("::")[0])}


def method_of(info: PackInfo) -> str:
    """What a row is called: method and model of the pack where it tells them, else its name."""
    told = ", ".join(part for part in (info.method, info.model) if part)
    return f"{told} ({info.name})" if told else info.name


def _label(chip: ChipOfRun, chips: Sequence[ChipOfRun]) -> str:
    """The chip's model; with device or run where that is not unique."""
    model = chip.model or chip.device
    same = [other for other in chips if (other.model or other.device) == model]
    if len(same) == 1:
        return model
    alone = len([other for other in same if other.device == chip.device]) == 1
    return f"{model} {chip.device}" if alone else f"{model} {chip.device} {chip.run}"


def _tokens(board: Scoreboard, pack: str, chip: ChipOfRun) -> float | None:
    for score in board.scores:
        if (score.pack, score.device, score.run) == (pack, chip.device, chip.run) and score.tokens:
            return score.tokens.value
    return None


def _published(external: External, row: ExternalMethod) -> TableRow:
    return TableRow(
        method=row.label,
        chip=row.chip,
        run="",
        external=external.name,
        cells={name: TableCell(accuracy=c.accuracy, speedup=c.speedup) for name, c in row.cells.items()},
        tokens_per_success=row.tokens_per_success,
        note=row.note,
    )


def _notes(board: Scoreboard, asked: Asked) -> Iterator[str]:
    if asked.operators is None:
        yield f"The suite {asked.layout.value} is not installed here: the table is over whatever was planned."
    else:
        yield from _partial(board, asked)


def _published_notes(external: Sequence[External]) -> Iterator[str]:
    for each in external:
        yield f"{each.name}: {each.source}. Published by others, not measured here."
        yield from (f"{each.name}: {note}." for note in each.notes)


def _partial(board: Scoreboard, asked: Asked) -> Iterator[str]:
    total = len(asked.operators or ())
    for chip in board.chips:
        if chip.run not in asked.whole:
            suite = chip.suite or "an unknown suite"
            yield (
                f"{chip.device} of {chip.run} judged {suite}, not all {total} operators of "
                f"{asked.layout.value}: its row is over those that were planned."
            )
