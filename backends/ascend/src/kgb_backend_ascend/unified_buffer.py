"""The part of the compiler behind Linalg: whether the operations are legal and fit into the Unified Buffer.

`bishengir-compile` does it, of CANN or of the package `ascendnpu-ir`. Only its very last step, `hivmc`, is in
CANN alone: without it everything was checked, and there is no binary. With CANN the binary is kept; nobody
here could run that.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

COMPILER = "bishengir-compile"
PACKAGE = "ascendnpuir"
TIMEOUT_S = 300.0
_OVERFLOW = re.compile(r"ub overflow, requires ([0-9]{1,18}) bits while ([0-9]{1,18}) bits available")
_CHECKED = "External hivmc run fails"
"""What it says when all but the last step went well."""
_LOUD = re.compile(r"\berror:|LLVM ERROR|Assertion")
_PLACE = re.compile(r"^(loc\(.*?\):\s*)+")
_MIX_MODE = re.compile(r', mix_mode\s*=\s*"[^"]*"')
_BINARIES = ("kernel.o", "kernel_reloc.o")
"""The newer and the older name of the object file."""
_SWITCHES = (
    "--enable-hfusion-compile=true",
    "--enable-hivm-compile=true",
    "--enable-triton-kernel-compile=true",
)
_OPTIONS = {
    "multibuffer": "--enable-auto-multi-buffer",
    "enable_auto_bind_sub_block": "--enable-auto-bind-sub-block",
    "unit_flag": "--enable-hivm-unit-flag-sync",
    "set_workspace_multibuffer": "--set-workspace-multibuffer",
    "tile_mix_vector_loop": "--tile-mix-vector-loop",
    "tile_mix_cube_loop": "--tile-mix-cube-loop",
}
"""The compiler's names of triton-ascend's options."""


@dataclass(frozen=True)
class Verdict:
    """What the compiler said.

    Attributes:
        binary: the object file; empty without CANN.
        needed: bytes of Unified Buffer that don't fit; `None` where all fits, or nothing is known.
        error: its own words, for anything but an overflow; empty where all is legal.
        log: all that it said.
    """

    binary: bytes = b""
    needed: int | None = None
    error: str = ""
    log: str = ""


def compiler() -> Path | None:
    """The compiler: what PATH has, else the package's; `None` without either."""
    found = shutil.which(COMPILER)
    if found:
        return Path(found)
    spec = find_spec(PACKAGE)
    roots = spec.submodule_search_locations or [] if spec else []
    places = [Path(root, "bin", COMPILER) for root in roots]
    return next((place for place in places if place.is_file()), None)


def check(linalg: str, arch: str, options: dict[str, Any], program: Path) -> Verdict:
    """Let the compiler judge a kernel; takes a tenth of a second, and it may abort, so it is a process.

    Args:
        linalg: the kernel, as triton-ascend lowers it.
        arch: what for, `Ascend910B3`.
        options: what triton-ascend compiles with.
        program: the compiler.
    """
    with tempfile.TemporaryDirectory(prefix="kgb-linalg-") as directory:
        source, output = Path(directory, "kernel.mlir"), Path(directory, "kernel")
        source.write_text(_MIX_MODE.sub("", linalg), encoding="utf-8")
        flags = [f"--target={arch}", *_SWITCHES, *_flags(options), "-o", str(output)]
        try:
            done = subprocess.run(
                [str(program), str(source), *flags], capture_output=True, check=False, timeout=TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Verdict(error=f"{COMPILER}: {error}")
        log = (done.stderr + done.stdout).decode(errors="replace").replace(str(source), source.name)
        return _verdict(done.returncode, log, _binary(Path(directory)))


def _flags(options: dict[str, Any]) -> list[str]:
    given = ((flag, options.get(name)) for name, flag in _OPTIONS.items())
    return [f"{flag}={value}" for flag, value in given if value is not None]


def _binary(directory: Path) -> bytes:
    return next((place.read_bytes() for name in _BINARIES if (place := directory / name).is_file()), b"")


def _verdict(code: int, log: str, binary: bytes) -> Verdict:
    if code == 0:
        return Verdict(binary=binary, log=log)
    overflow = _OVERFLOW.search(log)
    if overflow:
        return Verdict(needed=-(-int(overflow[1]) // 8), log=log)
    return Verdict(log=log) if _CHECKED in log else Verdict(error=_error(code, log), log=log)


def _error(code: int, log: str) -> str:
    """The line that says most: that of the operation, not that of the pipeline, or what it died of."""
    told = [_PLACE.sub("", line).strip() for line in log.splitlines() if _LOUD.search(line)]
    exact = [line.removeprefix("error: ") for line in told if "Failed to run" not in line]
    ending = f"{COMPILER} ended with {code}"
    if code < 0:
        return ": ".join([ending, *exact[:1]])
    return next(iter([*exact, *(line.removeprefix("error: ") for line in told)]), ending)
