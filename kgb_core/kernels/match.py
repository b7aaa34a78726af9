"""Matching the files of a pack to operators. Every file gets an answer; none is dropped silently."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass
from enum import Enum

from kgb_core.kernels.extract import Extraction, Rule, defined_names, extract
from kgb_core.kernels.pack import KernelFile, Pack
from kgb_core.models.base import FrozenModel
from kgb_core.models.candidate import Candidate
from kgb_core.operators.registry import Registry
from kgb_core.operators.spec import Operator


class MatchStatus(str, Enum):
    """What became of a file; the value is what a person is shown."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    """The name fits several operators."""
    UNKNOWN_OPERATOR = "unknown operator"
    NO_ENTRY = "no entry function"
    NO_CODE = "no code"
    SYNTAX_ERROR = "syntax error"
    """It names an operator and does not parse."""
    UNREADABLE = "unreadable"
    """The file could not be read as text."""


class FileMatch(FrozenModel):
    """One file of a pack and what was found for it."""

    file: str
    """Inside the pack."""
    status: MatchStatus
    operator: str = ""
    """The full name; empty where none was settled on."""
    options: tuple[str, ...] = ()
    """The operators that an ambiguous name fits, or those whose names are close to an unknown one."""
    rule: Rule | None = None
    """How the module was found in the file."""
    message: str = ""
    candidate: Candidate | None = None
    """What a run judges; `None` where there is no operator to judge it against."""


@dataclass(frozen=True)
class Matching:
    """A pack after matching."""

    pack: Pack
    files: tuple[FileMatch, ...]

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What a run judges, in the order of the files."""
        return tuple(match.candidate for match in self.files if match.candidate is not None)

    @property
    def complete(self) -> bool:
        """True when every file is a kernel for a known operator."""
        return all(match.status is MatchStatus.MATCHED for match in self.files)


def match_pack(pack: Pack, registry: Registry, operator: str = "") -> Matching:
    """Match every file of a pack.

    Args:
        pack: as read.
        registry: the operators that are known.
        operator: the operator that all files are for, whatever they are called.

    Raises:
        UsageError: `operator` is not known.
    """
    named = registry.get(operator) if operator else None
    return Matching(pack, tuple(_match(pack, file, registry, named) for file in pack.files))


def _match(pack: Pack, file: KernelFile, registry: Registry, named: Operator | None) -> FileMatch:
    if file.unreadable:
        return FileMatch(file=file.relative, status=MatchStatus.UNREADABLE, message=file.unreadable)
    found = [named] if named is not None else _operators(file.operator, registry)
    if len(found) == 1:
        return _settled(pack, file, found[0])
    return _ambiguous(file, found) if found else _unknown(file, registry)


def _operators(name: str, registry: Registry) -> list[Operator]:
    if "::" in name:
        return [registry.operators[name]] if name in registry.operators else []
    return registry.with_entry(name)


def _settled(pack: Pack, file: KernelFile, operator: Operator) -> FileMatch:
    made = extract(file.text, operator.entry)
    status, message = _judgement(made, operator)
    return FileMatch(
        file=file.relative,
        status=status,
        operator=operator.name,
        rule=made.rule,
        message=message,
        candidate=_candidate(pack, file, operator, made.source),
    )


def _judgement(made: Extraction, operator: Operator) -> tuple[MatchStatus, str]:
    if not made.rule.found_code:
        return MatchStatus.NO_CODE, "the file has no code"
    if made.error:
        return MatchStatus.SYNTAX_ERROR, made.error
    if made.entry is None:
        names = ", ".join(defined_names(made.source)) or "no function"
        return MatchStatus.NO_ENTRY, f"wanted {operator.entry}; the file defines {names}"
    extra = ", ".join(sidecar.name for sidecar in made.sidecars)
    return MatchStatus.MATCHED, f"appended and left out: {extra}" if extra else ""


def _candidate(pack: Pack, file: KernelFile, operator: Operator, source: str) -> Candidate:
    return Candidate(
        operator=operator.name,
        name=file.sample,
        source=source,
        sha256=hashlib.sha256(source.encode()).hexdigest(),
        pack=pack.info.name,
        path=str(file.path),
    )


def _ambiguous(file: KernelFile, found: list[Operator]) -> FileMatch:
    names = tuple(sorted(operator.name for operator in found))
    return FileMatch(
        file=file.relative,
        status=MatchStatus.AMBIGUOUS,
        options=names,
        message=f"{file.operator} is {' or '.join(names)}",
    )


def _unknown(file: KernelFile, registry: Registry) -> FileMatch:
    options = _close(file, registry)
    names = ", ".join(options)
    return FileMatch(
        file=file.relative,
        status=MatchStatus.UNKNOWN_OPERATOR,
        options=options,
        message=f"no operator {file.operator}" + (f"; did you mean {names}?" if names else ""),
    )


def _close(file: KernelFile, registry: Registry) -> tuple[str, ...]:
    """Operators with a name like the file's, then those whose entry the file defines."""
    entries = {operator.entry for operator in registry.operators.values()}
    entry = file.operator.split("::")[-1]
    wanted = [
        *difflib.get_close_matches(entry, entries, n=3, cutoff=0.7),
        *(name for name in defined_names(extract(file.text).source) if name in entries),
    ]
    close = difflib.get_close_matches(file.operator, registry.operators, n=3, cutoff=0.8)
    close += [operator.name for name in wanted for operator in registry.with_entry(name)]
    return tuple(dict.fromkeys(close))
