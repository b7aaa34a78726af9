"""The suites that are installed here, so that operators without a kernel can be counted as not right."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.operators.registry import Registry, suite_hash
from kgb_core.report.papertable import Asked, Layout
from kgb_core.results.run import Run

EVERYTHING = "all"
"""The name of a suite of all that is installed, as in `kgb run`."""


def installed_suites(runs: Sequence[Run], registry: Registry) -> dict[str, frozenset[str]]:
    """By label the operators of each suite of these runs that is installed here under the same hash."""
    found: dict[str, frozenset[str]] = {}
    for run in runs:
        if run.plan is None or run.plan.suite.label in found:
            continue
        name = run.plan.suite.name
        operators = [each for each in registry.operators.values() if name == EVERYTHING or name in each.tags]
        if operators and suite_hash(operators, run.plan.tier) == run.plan.suite.hash:
            found[run.plan.suite.label] = frozenset(each.name for each in operators)
    return found


def asked_of(
    layout: Layout, runs: Sequence[Run], suites: dict[str, frozenset[str]], registry: Registry
) -> Asked:
    """What a table is over.

    Args:
        layout: which table; it has the name of its suite.
        runs: of which some may have been asked for that whole suite.
        suites: from `installed_suites`.
        registry: what is installed.
    """
    operators = {each.name for each in registry.operators.values() if layout.value in each.tags}
    whole = {
        run.id
        for run in runs
        if run.plan is not None
        and not run.plan.selection.operators
        and operators <= suites.get(run.plan.suite.label, frozenset())
    }
    return Asked(layout, operators or None, whole)
