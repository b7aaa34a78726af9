"""Finding operators: every distribution that declares the entry-point group `kgb.operators`.

An entry point names a function that returns a list of `Operator`. Loading one imports no torch.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points, version
from typing import Any

from kgb_core.errors import OperatorError, UsageError
from kgb_core.models.case import Tier
from kgb_core.operators.binding import check_case
from kgb_core.operators.sources import text_of
from kgb_core.operators.spec import Operator

GROUP = "kgb.operators"


@dataclass(frozen=True)
class Registry:
    """Every operator that is installed, by name."""

    operators: dict[str, Operator]

    def get(self, name: str) -> Operator:
        """The operator of that name; the namespace may be left out where that is unambiguous.

        Raises:
            UsageError: no such operator, or several; the hint names the close ones.
        """
        if name in self.operators:
            return self.operators[name]
        matches = self.with_entry(name)
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UsageError(f"{name} is ambiguous", "it is " + " and ".join(m.name for m in matches))
        raise UsageError(
            f"no operator {name}.",
            f"{len(self.operators)} operators are installed{_close(name, self.operators)}.",
            "kgb operators lists them all.",
        )

    def with_entry(self, entry: str) -> list[Operator]:
        """Operators whose entry function has that name."""
        return [operator for operator in self.operators.values() if operator.entry == entry]

    def suite(self, name: str) -> list[Operator]:
        """The operators of a suite, sorted by source and name.

        Raises:
            UsageError: no operator belongs to it.
        """
        found = [operator for operator in self.operators.values() if name in operator.tags]
        if not found:
            known = sorted({tag for operator in self.operators.values() for tag in operator.tags})
            raise UsageError(f"no suite {name}.", "known: " + ", ".join(known))
        return sorted(found, key=lambda operator: operator.name)


def load_registry() -> Registry:
    """Load every installed operator distribution.

    Raises:
        OperatorError: two distributions declare the same operator, or a case does not fit its signature.
    """
    loaders: list[Callable[[], Iterable[Operator]]] = [
        point.load() for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)
    ]
    return registry_of(operator for loader in loaders for operator in loader())


def registry_of(operators: Iterable[Operator]) -> Registry:
    """A registry of these operators, each checked against its own signature."""
    found: dict[str, Operator] = {}
    for operator in operators:
        if operator.name in found:
            raise OperatorError(f"operator {operator.name} is declared twice")
        for case in operator.cases:
            check_case(operator, case)
        found[operator.name] = operator
    return Registry(found)


def suite_hash(operators: Iterable[Operator], tier: Tier = Tier.SMOKE) -> str:
    """Sixteen hex digits over all that decides a verdict or a time: equal means the same suite.

    Args:
        operators: of the suite.
        tier: in all tiers with declared cases a suite is the same. Samples of torch's own are other cases,
            and others again with another torch.
    """
    content: list[dict[str, Any]] = [
        {
            "name": operator.name,
            "kind": [operator.kind.value, operator.work.value, operator.strides.value],
            "parameters": [sorted(operator.mutates), sorted(operator.sparse), sorted(operator.unread)],
            "numeric": _stable(operator.numeric),
            "functions": [text_of(f) for f in (operator.reference, operator.golden, operator.flops)],
            "cases": [[case.id, case.tier.value, case.weight] for case in operator.cases],
        }
        for operator in sorted(operators, key=lambda operator: operator.name)
    ]
    if tier is Tier.OPINFO:
        content.append({"samples": f"torch {version('torch')}"})
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _stable(rule: object) -> str:
    fields = vars(rule)
    shown = {key: text_of(value) if callable(value) else value for key, value in fields.items()}
    return f"{type(rule).__name__}{sorted(shown.items())}"


def _close(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    return f"; close: {', '.join(close)}" if close else ""
