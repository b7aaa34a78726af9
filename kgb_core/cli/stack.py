"""torch and triton as a worker would find them: imported, but in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys

from kgb_core.models.base import FrozenModel

_TIMEOUT_S = 120
"""A first import from a cold disk takes tens of seconds."""

_PROGRAM = """
import importlib, json, sys
found = []
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
        found.append({"module": name, "version": str(getattr(module, "__version__", "?"))})
    except BaseException as error:
        found.append({"module": name, "error": f"{type(error).__name__}: {error}"})
print()
print(json.dumps(found))
"""


class Import(FrozenModel):
    """What importing one module gave."""

    module: str
    version: str = ""
    error: str = ""

    @property
    def absent(self) -> bool:
        """True where it is not installed at all; else an error means that something is wrong with it."""
        return self.error == f"ModuleNotFoundError: No module named '{self.module}'"

    @property
    def summary(self) -> str:
        """Name and version, or what is wrong."""
        if self.absent:
            return f"{self.module} not installed"
        return (
            f"{self.module} fails to import: {self.error}" if self.error else f"{self.module} {self.version}"
        )


class Stack(FrozenModel):
    """What the judge and its workers stand on."""

    imports: tuple[Import, ...]

    @property
    def broken(self) -> bool:
        """True where something is installed and can't be imported."""
        return any(each.error and not each.absent for each in self.imports)

    @property
    def incomplete(self) -> bool:
        """True where something can't be imported, for whatever reason."""
        return any(each.error for each in self.imports)

    @property
    def summary(self) -> str:
        """One line."""
        return ", ".join(each.summary for each in self.imports)


def examine_stack(interpreter: str = sys.executable, modules: tuple[str, ...] = ("torch", "triton")) -> Stack:
    """Import modules in a fresh process of an interpreter; a crash there is an answer, too."""
    try:
        done = subprocess.run(
            [interpreter, "-c", _PROGRAM, *modules],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=True,
        )
        return Stack(imports=tuple(Import(**each) for each in json.loads(done.stdout.splitlines()[-1])))
    except (OSError, ValueError, IndexError, subprocess.SubprocessError) as error:
        return Stack(imports=(Import(module=" or ".join(modules), error=f"{type(error).__name__}: {error}"),))
