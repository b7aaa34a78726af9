"""What a worker does to itself: it dies with the conductor, and stays within its limits."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import psutil
import pytest

from kgb_core.worker import sandbox
from kgb_core.worker.handle import WorkerPlan

CHILD = """
import os, sys, time
from kgb_core.worker.limits import die_with
die_with(int(sys.argv[1]), namespaced=False)
print(os.getpid(), flush=True)
time.sleep(600)
"""

PARENT = f"""
import os, subprocess, sys
subprocess.run([sys.executable, "-c", {CHILD!r}, str(os.getpid())])
"""

CONDUCTOR = """
import sys, time
from pathlib import Path
from kgb_core.plugins.loader import load_backends
from kgb_core.worker.handle import CANDIDATE_MODULE, WorkerPlan
from kgb_core.worker.pool import WorkerPool
from kgb_core.worker.sandbox import Sandbox
backend = load_backends(["cpu"]).get("cpu")
device = backend.discover_devices()[0]
scratch = Path(sys.argv[1])
plan = WorkerPlan(
    CANDIDATE_MODULE, "cpu", device, dict(backend.worker_environment(device)), Sandbox(sys.argv[2]), scratch,
    scratch.parent,
)
pool = WorkerPool(plan, ahead=0)  # its thread is the parent that a worker must not outlive
pool.take().wait_ready()
print("ready", flush=True)
time.sleep(600)
"""

Below = Callable[[], list[psutil.Process]]


def gone(condition: Callable[[], bool], seconds: float = 15.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until and not condition():
        time.sleep(0.02)
    return condition()


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


def killed(process: subprocess.Popen[str]) -> str:
    """The first line that a process prints; then it is killed as by `kill -9`."""
    with process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.kill()
    return line.strip()


def test_a_process_ends_with_its_parent() -> None:
    child = int(killed(start(PARENT)))
    assert gone(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == "zombie")


def test_a_process_whose_parent_is_gone_already_leaves_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", CHILD, "1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, "the conductor is gone")


@pytest.mark.parametrize("level", sorted({sandbox.choose(), sandbox.Sandbox.PROCESS}))
def test_a_worker_ends_with_a_conductor_that_was_killed(
    plan_of: Callable[..., WorkerPlan], below: Below, level: sandbox.Sandbox
) -> None:
    scratch = plan_of().scratch_root
    assert killed(start(CONDUCTOR, str(scratch), level.value)) == "ready"
    assert gone(lambda: below() == [])


def limited(code: str, memory: str = "None") -> str:
    """What a process prints that has set its limits; the name of the error if it raises."""
    program = (
        f"import resource, signal\nfrom kgb_core.worker.limits import limit\nlimit({memory})\n"
        f"try:\n    {code}\nexcept BaseException as error:\n    print(type(error).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_there_are_no_core_dumps() -> None:
    assert limited("print(resource.getrlimit(resource.RLIMIT_CORE))") == "(0, 0)"


def test_files_have_a_largest_size() -> None:
    soft, hard = json.loads(limited("print(list(resource.getrlimit(resource.RLIMIT_FSIZE)))"))
    assert soft == hard != resource.RLIM_INFINITY


def test_memory_is_capped_where_a_cap_is_given() -> None:
    assert limited("x = bytearray(1 << 30); print(len(x))", memory="1 << 29") == "MemoryError"
    assert limited("x = bytearray(1 << 24); print(len(x))", memory="1 << 29") == str(1 << 24)
    assert limited("x = bytearray(1 << 30); print(len(x))") == str(1 << 30)
