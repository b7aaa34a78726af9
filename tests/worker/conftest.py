"""Plans for workers: stubs that misbehave as told, and real ones under the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch

from kgb_core.models.device import Device
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends
from kgb_core.worker.handle import CANDIDATE_MODULE, WorkerPlan, WorkerProcess, adopt_orphans
from kgb_core.worker.sandbox import Sandbox

STUBS = Path(__file__).parent / "stubs"

Plans = Callable[..., WorkerPlan]


@pytest.fixture(scope="session")
def backend() -> Backend:
    return load_backends(["cpu"]).get("cpu")


@pytest.fixture(scope="session")
def device(backend: Backend) -> Device:
    return backend.discover_devices()[0]


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Small tensors are slower on many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def plan_of(tmp_path: Path, backend: Backend, device: Device) -> Plans:
    """Makes the plan of a real worker; its scratch directories lie in `scratch` below the test's own."""
    scratch = tmp_path / "bundle" / "scratch"
    scratch.mkdir(parents=True)

    def planned(level: Sandbox = Sandbox.PROCESS, **changes: Any) -> WorkerPlan:
        fields: dict[str, Any] = {
            "module": CANDIDATE_MODULE,
            "backend": "cpu",
            "device": device,
            "environment": dict(backend.worker_environment(device)),
            "level": level,
            "scratch_root": scratch,
            "hidden": scratch.parent,
            **changes,
        }
        return WorkerPlan(**fields)

    return planned


@pytest.fixture
def stub_plan(plan_of: Plans) -> Callable[[str], WorkerPlan]:
    """Makes the plan of a stub that behaves as named."""

    def planned(behaviour: str) -> WorkerPlan:
        environment = {"STUB": behaviour, "PYTHONPATH": str(STUBS)}
        return plan_of(module="stub_worker", environment=environment)

    return planned


@pytest.fixture
def started() -> Iterator[Callable[[WorkerPlan], WorkerProcess]]:
    """Starts workers that are killed in the end."""
    adopt_orphans()
    workers: list[WorkerProcess] = []

    def start(plan: WorkerPlan) -> WorkerProcess:
        workers.append(WorkerProcess(plan))
        return workers[-1]

    yield start
    for worker in workers:
        worker.kill()


@pytest.fixture
def below(tmp_path: Path) -> Callable[[], list[psutil.Process]]:
    """Finds the processes whose scratch directory is below the test's own."""

    def found() -> list[psutil.Process]:
        return [process for process in psutil.process_iter() if str(tmp_path) in _scratch(process)]

    return found


def _scratch(process: psutil.Process) -> str:
    try:
        return str(process.environ().get("TMPDIR", ""))
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return ""
