"""What the rules ask for: the backend, its recordings, devices described on paper, and the real one."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgb_core.models.device import Capabilities, Device, Feature, Target
from kgb_core.models.plan import device_name
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.installed import GROUP
from kgb_core.testing.alone import Seen, seen_alone
from kgb_core.testing.asking import answered, needs, usable
from kgb_core.testing.bench import Bench, Task, Times
from kgb_core.testing.judged import Judged, judge_practice
from kgb_core.testing.recordings import Recording
from kgb_core.testing.tools import Tools

_COMPILED = Path(__file__).with_name("kernels") / "compiled.py"
_MODULE = "kgb_conformance_compiled"


@pytest.fixture(scope="module")
def vendor(request: pytest.FixtureRequest) -> str:
    """The vendor id that the test file is about."""
    named = getattr(getattr(request.module, "backend", None), "vendor", None)
    return str(named or request.getfixturevalue("backend").vendor)


@pytest.fixture(scope="module")
def recorded(request: pytest.FixtureRequest) -> tuple[Recording, ...]:
    """What a vendor's tool printed: the fixture `recordings` of its test file or conftest, if any."""
    try:
        found: tuple[Recording, ...] = request.getfixturevalue("recordings")
    except pytest.FixtureLookupError:
        return ()
    return found


@pytest.fixture(scope="module")
def plugin(vendor: str, backend: Backend) -> Any:
    """The vendor's own object, or class: what its entry point names."""
    (point,) = entry_points(group=GROUP, name=vendor)
    return point.load()


@pytest.fixture(scope="module")
def alone(vendor: str, backend: Backend) -> Seen:
    """What a process that does nothing but load the plugin and ask who it is was seen to do."""
    return seen_alone(vendor)


@pytest.fixture(scope="module")
def targets(backend: Backend) -> list[Target]:
    """The compile targets; a rule that is about them skips where there are none."""
    found = answered(backend.targets)
    if not found:
        pytest.skip("the backend declares no compile target")
    return found


@pytest.fixture(scope="module")
def kernels() -> Iterator[ModuleType]:
    """The kernels, made for a compiler: the interpreter's variable is out of the way meanwhile."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip("Triton is not installed here: nothing can be compiled")
    spec = importlib.util.spec_from_file_location(_MODULE, _COMPILED)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("TRITON_INTERPRET", raising=False)
        patch.setitem(sys.modules, _MODULE, module)
        spec.loader.exec_module(module)
        yield module


@pytest.fixture(scope="module")
def described(backend: Backend) -> list[Device]:
    """Devices on paper: one of which nothing is known but its name, and one of each target."""
    targets = answered(backend.targets)
    names = [target.device_names[0] for target in targets if target.device_names]
    archs = {target.device_names[0]: target.arch for target in targets if target.device_names}
    unknown = Device(index=0, name="an accelerator of which nothing is known")
    return [unknown, *(Device(index=0, name=name, arch=archs[name]) for name in dict.fromkeys(names))]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: Backend) -> Tools:
    """Puts tools into PATH that print what they are told to."""
    return Tools(tmp_path, monkeypatch, backend.info.visibility_variable)


@pytest.fixture(scope="module")
def devices(backend: Backend) -> list[Device]:
    """The usable devices of this machine; rules of the chip tier skip where there is none."""
    found = usable(answered(backend.discover_devices))
    if not found:
        pytest.skip(f"{backend.vendor} has no usable device on this machine")
    return found


@pytest.fixture(scope="module")
def device(devices: list[Device]) -> Device:
    """The device that the chip tier is run on."""
    return devices[0]


@pytest.fixture(scope="module")
def capabilities(backend: Backend, device: Device) -> Capabilities:
    """What that device declares."""
    return answered(lambda: backend.capabilities(device))


@pytest.fixture(scope="module")
def bench(backend: Backend, device: Device) -> Bench:
    """Runs measurements in processes of their own, set up as a worker of the device is."""
    environment = answered(lambda: backend.worker_environment(device))
    return Bench(backend.vendor, device, {**os.environ, **environment})


@pytest.fixture(scope="module")
def times(capabilities: Capabilities, bench: Bench) -> Times:
    """All readings of the device's timer, from one process."""
    needs(capabilities, Feature.TIMING)
    return bench.ask(Task.TIME, Times)


@pytest.fixture(scope="module")
def judged(
    backend: Backend, device: Device, capabilities: Capabilities, tmp_path_factory: pytest.TempPathFactory
) -> Judged:
    """What `kgb run` says on this device of kernels that are known to be right or wrong."""
    return judge_practice(device_name(backend.vendor, device.index), tmp_path_factory.mktemp("practice"))
