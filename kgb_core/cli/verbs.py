"""The verbs, in the order of a day's work. A verb's module is imported when the verb is used, not before."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import typer
from typer.core import TyperGroup

from kgb_core.cli.suggest import close_to
from kgb_core.errors import UsageError


@dataclass(frozen=True)
class Verb:
    """A verb: the function of that name in the module of that name, with underscores for hyphens."""

    name: str
    summary: str
    """The first sentence of the function's docstring, known without importing it."""

    def command(self) -> Any:
        """The verb as click has it."""
        python_name = self.name.replace("-", "_")
        function = getattr(importlib.import_module(f"kgb_core.cli.{python_name}"), python_name)
        alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        alone.command(self.name)(function)
        return typer.main.get_command(alone)


VERBS = MappingProxyType(
    {
        verb.name: verb
        for verb in (
            Verb(
                "doctor", "Check the core, the sandbox and every backend, and say how to mend what isn't ok."
            ),
            Verb("devices", "List the devices that can be used, and what keeps the others from it."),
            Verb("backends", "Show what became of every installed backend, and what to do about it."),
            Verb("operators", "List the operators, or show one with its cases."),
            Verb("kernels", "Match the files of a pack to operators."),
            Verb("compile", "Compile kernels for chips that need not be here."),
            Verb("run", "Judge kernels and write a bundle."),
            Verb("show", "Show the cases of one operator that did not pass, with the evidence."),
            Verb("rejudge", "Show which verdicts another tolerance moves, and why."),
            Verb("check", "Check bundles: hashes, counts, one record a planned case, no impossible time."),
            Verb("merge", "Write one bundle that holds every run of several."),
            Verb("report", "Show what bundles say, one row an operator, or write it as a page or rows."),
            Verb(
                "compare",
                "Say what got better or worse between two bundles, and whether it is more than noise.",
            ),
            Verb("conformance", "Ask a backend every rule of the conformance suite, and write the record."),
            Verb("new-backend", "Write the package of a new backend, with two functions to fill in."),
            Verb("schema", "Print the JSON Schema of what KGB writes."),
        )
    }
)


class Verbs(TyperGroup):
    """The group of all verbs; it says what is close to an unknown one.

    Its own flags may stand behind the verb, too, where people add them.
    """

    anywhere = frozenset({"--debug", "--verbose"})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move the flags of the group to the front."""
        end = args.index("--") if "--" in args else len(args)
        mine = [arg for arg in args[:end] if arg in self.anywhere]
        rest = [arg for arg in args[:end] if arg not in self.anywhere]
        return super().parse_args(ctx, [*mine, *rest, *args[end:]])

    def list_commands(self, ctx: Any) -> list[str]:
        """The verbs in their order."""
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one verb.

        Raises:
            UsageError: there is none of that name.
        """
        if cmd_name not in VERBS:
            raise UsageError(f"no verb {cmd_name}.", close_to(cmd_name, VERBS), "kgb --help lists them all.")
        return VERBS[cmd_name].command()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the verbs without importing one."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb.name, verb.summary) for verb in VERBS.values()])
