"""`kgb operators --lint`: does every case tell right from wrong?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer
from rich.text import Text

from kgb_core.cli.output import show, show_json
from kgb_core.errors import ExitCode
from kgb_core.models.case import Tier
from kgb_core.operators.spec import Operator
from kgb_core.report.text import counted


def lint_operators(operators: Sequence[Operator], tier: Tier, as_json: bool) -> None:
    """Lint operators on the CPU of this machine and print every offence.

    Raises:
        typer.Exit: with 1 if there is one.
    """
    from kgb_core.judge.lint import lint  # imports torch

    found = []
    for operator in operators:
        print(f"  {operator.name}", file=sys.stderr)
        found += list(lint(operator, tier))
    if as_json:
        fields = [
            {"operator": o.operator, "law": o.law.value, "case": o.case, "detail": o.detail} for o in found
        ]
        show_json("kgb.lint/1", operators=[operator.name for operator in operators], offences=fields)
    else:
        for offence in found:
            show(Text(str(offence)))
        show(Text(f"{counted(len(operators), 'operator')}, {counted(len(found), 'offence')}"))
    if found:
        raise typer.Exit(ExitCode.FAILED)
