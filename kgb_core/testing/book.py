"""The book of rules: every rule with its tier, in order, and the hash that says which suite it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from kgb_core.models.conformance import ConformanceTier, SuiteIdentity
from kgb_core.testing.rules import (
    advice,
    answers,
    capabilities,
    compiling,
    contract,
    discovery,
    judging,
    presence,
    targets,
    timing,
    tolerance,
    workers,
)

VERSION = "1.0"
"""The major grows when a rule is added that a right backend of before may fail."""

_NO_CHIP = (contract, answers, discovery, capabilities, tolerance, targets, compiling, workers, advice)
_CHIP = (presence, timing, judging)
_PREFIX = "test_"


@dataclass(frozen=True)
class Rule:
    """One rule.

    Attributes:
        name: as it is shown: `plugin-loads`.
        tier: what it needs.
        function: the test.
    """

    name: str
    tier: ConformanceTier
    function: Callable[..., None]

    @property
    def statement(self) -> str:
        """The first paragraph of its docstring."""
        return " ".join((self.function.__doc__ or "").partition("\n\n")[0].split())


def rules() -> tuple[Rule, ...]:
    """Every rule, no-chip tier first, in the order in which they are written."""
    return tuple(
        rule
        for tier, modules in ((ConformanceTier.NO_CHIP, _NO_CHIP), (ConformanceTier.CHIP, _CHIP))
        for module in modules
        for rule in _rules_of(module, tier)
    )


def _rules_of(module: ModuleType, tier: ConformanceTier) -> Iterator[Rule]:
    for name, function in vars(module).items():
        if name.startswith(_PREFIX):
            yield Rule(rule_name(name), tier, function)


def rule_name(function: str) -> str:
    """The name of the rule of a test function."""
    return function.removeprefix(_PREFIX).replace("_", "-")


def suite_identity() -> SuiteIdentity:
    """Which suite this is: its version, and the sha256 over its files and their names."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        digest.update(f"{file.relative_to(root).as_posix()}\0".encode())
        digest.update(file.read_bytes() + b"\0")
    return SuiteIdentity(version=VERSION, sha256=digest.hexdigest())
