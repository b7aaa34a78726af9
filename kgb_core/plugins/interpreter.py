"""Another interpreter, with a vendor's own torch and Triton: whether KGB is there, and which versions are.

`python -m kgb_core.plugins.interpreter VENDOR` describes the interpreter that runs it.
"""

from __future__ import annotations

import platform
import subprocess
import sys

from pydantic import ValidationError

from kgb_core.errors import KgbError, UsageError
from kgb_core.models.base import FrozenModel
from kgb_core.plugins.loader import load_backends
from kgb_core.version import __version__

_MODULE = "kgb_core.plugins.interpreter"
_SECONDS = 120.0


class Interpreter(FrozenModel):
    """An interpreter that workers of a backend are started with."""

    path: str
    core: str
    """The version of kgb-core in it."""
    python: str
    plugin: str
    """The version of the backend's plugin in it."""
    environment: dict[str, str]
    """Versions of what the backend needs, as it says them there."""


def describe(vendor: str) -> Interpreter:
    """Describe the running interpreter for a backend.

    Raises:
        BackendLoadError: the backend is not installed in it, or does not load.
    """
    backend = load_backends([vendor]).get(vendor)
    return Interpreter(
        path=sys.executable,
        core=__version__,
        python=platform.python_version(),
        plugin=backend.version,
        environment=backend.environment(),
    )


def examine(path: str, vendor: str) -> Interpreter:
    """Ask another interpreter, in a process of its own.

    Args:
        path: the interpreter.
        vendor: the backend that it is for.

    Raises:
        UsageError: it does not start, lacks KGB or the plugin, or has another version of the core.
    """
    what = f"the interpreter of {vendor} can't be used: {path}"
    install = f"{path} -m pip install kgb-core=={__version__} kgb-operators kgb-backend-{vendor}"
    found = _described(path, vendor, what, install)
    if found.core != __version__:
        raise UsageError(what, f"it has kgb-core {found.core}, this is {__version__}", install)
    return found


def _described(path: str, vendor: str, what: str, install: str) -> Interpreter:
    command = [path, "-m", _MODULE, vendor]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except OSError as error:
        hint = "correct python = … below [environments] in kgb.toml"
        raise UsageError(what, error.strerror or str(error), hint) from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(
            what, f"it did not answer in {_SECONDS:.0f} s", f"try: {' '.join(command)}"
        ) from error
    if done.returncode:
        raise UsageError(what, _last_line(done.stderr) or f"exit code {done.returncode}", install)
    try:
        return Interpreter.model_validate_json(_last_line(done.stdout)).model_copy(update={"path": path})
    except ValidationError as error:
        raise UsageError(what, "its answer is that of another version of kgb-core", install) from error


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def main(argv: list[str]) -> int:
    """Print the description as one line of JSON; on stderr why there is none.

    Args:
        argv: one argument, the vendor.
    """
    try:
        print(describe(argv[0]).model_dump_json())
    except KgbError as error:
        print(": ".join(part for part in (error.what.rstrip("."), error.why) if part), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
