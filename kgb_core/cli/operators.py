"""`kgb operators`: what can be judged, and what each operator asks for."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from kgb_core.cli.lint import lint_operators
from kgb_core.cli.options import Json
from kgb_core.cli.output import show, show_json
from kgb_core.cli.suggest import one_of
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.operators.registry import Registry, load_registry, suite_hash
from kgb_core.operators.signatures import signature_of
from kgb_core.operators.spec import Operator
from kgb_core.report.grid import grid, safe
from kgb_core.report.text import counted

ALL = "all"
"""What the suite of everything that is installed is called, as in `kgb run`."""
_HEADERS = ("name", "kind", "numeric", "check", "perf", "signature")


def operators(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show this one in full.")] = None,
    suite: Annotated[str | None, typer.Option(help="Only the operators of this suite.")] = None,
    lint: Annotated[
        bool, typer.Option("--lint", help="Try the reference and trivial answers on every case.")
    ] = False,
    tier: Annotated[
        Tier | None, typer.Option(help="Only the cases of this tier; opinfo makes torch's own samples.")
    ] = None,
    json: Json = False,
) -> None:
    """List the operators, or show one with its cases.

    With --lint it exits with 1 if a case is passed by a trivial answer, or failed by the reference itself.
    With --json the listing has the suite's hash: equal hashes on two machines mean the same suite.
    """
    registry = load_registry()
    if lint:
        chosen = [registry.get(name)] if name else suite_of(registry, suite)
        lint_operators(chosen, tier or Tier.SMOKE, json)
        return
    if name is not None:
        _show_one(registry.get(name), tier, json)
        return
    found = suite_of(registry, suite)
    if json:
        hashed = suite_hash(found, tier or Tier.SMOKE)
        listed = [summary_of(operator, tier) for operator in found]
        show_json("kgb.operators/1", suite={"name": suite or ALL, "hash": hashed}, operators=listed)
        return
    show(_listing(found, tier))


def suite_of(registry: Registry, suite: str | None) -> list[Operator]:
    """The operators of a suite, or all of them, sorted by name.

    Raises:
        UsageError: no such suite; the message says which are close.
    """
    if suite is None:
        return sorted(registry.operators.values(), key=lambda operator: operator.name)
    known = {tag for operator in registry.operators.values() for tag in operator.tags}
    return registry.suite(one_of(suite, known, "suite"))


def summary_of(operator: Operator, tier: Tier | None = None) -> dict[str, Any]:
    """An operator in a few plain values; cases are those of the tier, without one all that are declared."""
    sampled = {"skipped_samples": dict(operator.samples.skipped)} if tier is Tier.OPINFO else {}
    return {
        "name": operator.name,
        "kind": operator.kind.value,
        "numeric": type(operator.numeric).__name__,
        "check_cases": _count(operator, Purpose.CHECK, tier),
        "perf_cases": _count(operator, Purpose.PERF, tier),
        "signature": signature_of(operator),
        "suites": sorted(operator.tags),
        **sampled,
    }


def _cases(operator: Operator, tier: Tier | None) -> list[Case]:
    if tier is None:
        return operator.cases
    return [case for purpose in Purpose for case in operator.selected(purpose, tier)]


def _count(operator: Operator, purpose: Purpose, tier: Tier | None) -> int:
    return sum(case.purpose is purpose for case in _cases(operator, tier))


def _listing(found: list[Operator], tier: Tier | None) -> RenderableType:
    rows = [[str(value) for value in summary_of(op, tier).values()][: len(_HEADERS)] for op in found]
    return Group(grid(rows, _HEADERS), Text(counted(len(found), "operator")))


def _show_one(operator: Operator, tier: Tier | None, as_json: bool) -> None:
    if as_json:
        show_json("kgb.operator/1", operator={**summary_of(operator, tier), **_detail(operator, tier)})
        return
    facts = {
        "kind": operator.kind.value,
        "numeric": repr(operator.numeric),
        "mutates": ", ".join(sorted(operator.mutates)),
        "suites": ", ".join(sorted(operator.tags)),
        "left out": _left_out(operator) if tier is Tier.OPINFO else "",
    }
    show(
        Group(
            Text(operator.name, style="bold"),
            Text(signature_of(operator)),
            Text(inspect.getdoc(operator.reference) or ""),
            Text(),
            grid([[key, value] for key, value in facts.items() if value]),
            Text(),
            grid([_case_row(case) for case in _cases(operator, tier)], ("id", "purpose", "tier", "case")),
        )
    )


def _left_out(operator: Operator) -> str:
    """How many of torch's samples no case can say, by reason."""
    return "; ".join(f"{count} with {reason}" for reason, count in operator.samples.skipped.items())


def _detail(operator: Operator, tier: Tier | None) -> dict[str, Any]:
    return {
        "semantics": inspect.getdoc(operator.reference),
        "rule": repr(operator.numeric),
        "mutates": sorted(operator.mutates),
        "cases": [
            {
                "id": case.id,
                "label": case.label,
                "purpose": case.purpose.value,
                "tier": case.tier.value,
                "weight": case.weight,
                "arguments": list(case.arguments),
            }
            for case in _cases(operator, tier)
        ],
    }


def _case_row(case: Case) -> list[str | Text]:
    return [case.id, case.purpose.value, case.tier.value, safe(case.label)]
