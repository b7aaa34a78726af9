"""The application: the options before the verb, and the help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kgb_core.cli.logging import configure_logging
from kgb_core.cli.output import emit
from kgb_core.cli.settings import Settings
from kgb_core.cli.verbs import Verbs
from kgb_core.errors import ExitCode
from kgb_core.version import __version__

_EPILOG = """\b
Exit codes:
  0    ok
  1    it ran, and something failed
  2    usage
  3    no usable backend or device
  4    a backend that was asked for failed to load
  5    nothing selected
  70   internal error
  130  interrupted; what is finished is on disk, and --resume goes on

Every option can be given in the environment: KGB_RUN_SUITE=smoke is kgb run --suite smoke. KGB_BACKENDS=a,b
limits which backends are loaded; empty: none.
"""

app = typer.Typer(
    name="kgb",
    cls=Verbs,
    epilog=_EPILOG,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    subcommand_metavar="VERB ...",
    context_settings={"auto_envvar_prefix": "KGB", "help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show the log on stderr.")] = False,
    config: Annotated[
        Path | None, typer.Option("--config", help="Instead of the kgb.toml here or above.")
    ] = None,
    show_version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Does a generated Triton kernel compute the right thing, and how fast is it, on any chip?"""
    settings = context.ensure_object(Settings)
    settings.debug, settings.verbose, settings.config = debug, verbose, config
    configure_logging(verbose=verbose, debug=debug)
    if show_version:
        emit(f"kgb {__version__}\n")
        raise typer.Exit(ExitCode.OK)
    if context.invoked_subcommand is None:
        emit(context.get_help() + "\n")
