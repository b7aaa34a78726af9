"""`python -m kgb_core.cli`: the command line where no script is installed."""

from kgb_core.cli import main

main()
