"""Builds environments with another Triton over the packages of the running one.

`python tests/stacks/build.py` makes `stacks/NAME` below the running environment for each list of
requirements beside this file. What a list names comes first on the path; all else is that of the running
environment, so that a second torch need not be installed.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

HERE = Path(__file__).parent
ROOT = Path(sys.prefix, "stacks")
READY = ".ready"


def names() -> list[str]:
    """The environments that there can be."""
    return sorted(path.stem for path in HERE.glob("*.txt"))


def python_of(name: str) -> Path:
    """The interpreter of an environment."""
    return ROOT / name / "bin" / "python"


def build(name: str) -> None:
    """Make one, or leave it where it is up to date."""
    wanted, ready = HERE / f"{name}.txt", ROOT / name / READY
    if ready.exists() and ready.read_text() == wanted.read_text():
        return
    venv.create(ROOT / name, symlinks=True, clear=True)
    (site,) = (ROOT / name).glob("lib/python3*/site-packages")
    below = sysconfig.get_path("purelib")
    (site / "below.pth").write_text(f"import site; site.addsitedir({below!r})\n")
    pip = [sys.executable, "-m", "pip", "--python", str(python_of(name))]
    subprocess.run([*pip, "install", "-qq", "--no-deps", "-r", str(wanted)], check=True)
    ready.write_text(wanted.read_text())


if __name__ == "__main__":
    for each in names():
        build(each)
        print(python_of(each))
