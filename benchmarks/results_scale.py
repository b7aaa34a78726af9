"""What large bundles cost: merging, checking and summarising made-up ones, in seconds and in memory.

    make bench
    python benchmarks/results_scale.py --records 50000 100000 200000

For each size two bundles are made up, marked as such, and `kgb merge`, `kgb check --strict` and `kgb report`
are run over both. Wall and processor seconds and the peak of resident memory are those of the process.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pydantic

from kgb_core.results.synthetic import Shape, write_synthetic
from kgb_core.version import __version__

SIZES = (50_000, 100_000, 200_000)
LIMIT_SECONDS = 60.0
LIMIT_MB = 500.0
CASES = 50
"""For each candidate: 45 to check and 5 to time, about what a suite has."""


@dataclass(frozen=True)
class Cost:
    """What one verb took."""

    verb: str
    records: int
    """In each of the two bundles."""
    wall: float
    processor: float
    megabytes: float


def main() -> int:
    """Measure every size; returns 1 where the largest is over a limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, nargs="+", default=SIZES, metavar="N", help="in each bundle")
    parser.add_argument(
        "--scratch", type=Path, default=None, help="where the bundles are made; default: TMPDIR"
    )
    arguments = parser.parse_args()
    print(machine())
    print(f"{'records':>9}  {'verb':<7} {'wall s':>7} {'cpu s':>7} {'MB':>6}")
    costs = [cost for size in arguments.records for cost in shown(size, arguments.scratch)]
    largest = [cost for cost in costs if cost.records == max(arguments.records)]
    seconds, megabytes = sum(cost.wall for cost in largest), max(cost.megabytes for cost in largest)
    print(f"largest: {seconds:.1f} s of {LIMIT_SECONDS:.0f}, {megabytes:.0f} MB of {LIMIT_MB:.0f}")
    return int(seconds > LIMIT_SECONDS or megabytes > LIMIT_MB)


def machine() -> str:
    """The machine and what matters of its software, in one line."""
    return (
        f"kgb {__version__}, Python {platform.python_version()}, pydantic {pydantic.VERSION}, "
        f"msgspec {msgspec.__version__}, {platform.machine()}, {os.cpu_count()} processors"
    )


def shown(records: int, scratch: Path | None) -> Iterator[Cost]:
    """Measure one size, and print each cost as it is known."""
    root = Path(tempfile.mkdtemp(prefix="kgb-bench-", dir=scratch))
    try:
        for cost in measured(records, root):
            figures = f"{cost.wall:>7.1f} {cost.processor:>7.1f} {cost.megabytes:>6.0f}"
            print(f"{2 * records:>9}  {cost.verb:<7} {figures}", flush=True)
            yield cost
    finally:
        shutil.rmtree(root)


def measured(records: int, root: Path) -> Iterator[Cost]:
    """Make two bundles of that many records, and run each verb over both."""
    operators = records // (20 * CASES)
    for name in ("alpha", "beta"):
        shape = Shape(backend=name, operators=operators, candidates=20, check_cases=45, perf_cases=5)
        write_synthetic(root / name, shape, run=name)
    merged = str(root / "merged")
    yield cost_of(["merge", str(root / "alpha"), str(root / "beta"), "-o", merged], records)
    yield cost_of(["check", merged, "--strict"], records)
    yield cost_of(["report", merged], records)


def cost_of(arguments: list[str], records: int) -> Cost:
    """Run one verb as a process of its own."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "kgb_core.cli", *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(f"kgb {' '.join(arguments)} ended with {process.returncode}")
    return Cost(arguments[0], records, wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main())
