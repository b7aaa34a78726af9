"""What every chip gets for free: evidence, a worker's environment, waiting, timers, a check of health."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.models import BackendInfo, Device
from kgb_core.models.timer import TimingMethod
from kgb_core.plugins.defaults import CoreDefaults
from kgb_core.plugins.timers import MOST_SPIN_CYCLES, SPIN_CYCLES, EventTimer, HostTimer, spin_cycles

INFO = BackendInfo(
    vendor="plain",
    display_name="Plain",
    torch_device_type="cpu",
    pci_vendor_id=0x1ABC,
    smi_tool="plain-smi",
    smi_word="Plain",
)
DEVICE = Device(index=0, name="A 9000")


def defaults(sysfs: Path, **changes: object) -> CoreDefaults:
    """The defaults of a backend like INFO."""
    return CoreDefaults(lambda: INFO.model_copy(update=changes), sysfs)


def plug_in(sysfs: Path, bus_id: str, vendor: str, pci_class: str) -> None:
    """Put a device on the PCI bus of a sysfs."""
    entry = sysfs / "bus/pci/devices" / bus_id
    entry.mkdir(parents=True)
    for name, text in (("vendor", vendor), ("device", "0x0001"), ("class", pci_class)):
        (entry / name).write_text(text + "\n")


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `plain-smi` in PATH; it runs the shell script that a test writes into it."""
    program = tmp_path / "bin" / "plain-smi"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def test_nothing_on_the_bus_and_no_tool_is_no_evidence(tmp_path: Path) -> None:
    found = defaults(tmp_path).kgb_probe()
    assert (found.score, found.evidence) == (0, ())


def test_the_pci_vendor_is_evidence(tmp_path: Path) -> None:
    plug_in(tmp_path, "0000:c1:00.0", "0x1abc", "0x030200")
    plug_in(tmp_path, "0000:c2:00.0", "0x1abc", "0x120000")
    found = defaults(tmp_path).kgb_probe()
    assert found.score > 0
    assert found.evidence == ("PCI vendor 0x1abc at 0000:c1:00.0, 0000:c2:00.0",)


@pytest.mark.parametrize(
    ("vendor", "pci_class"), [("0x1abd", "0x030200"), ("0x1abc", "0x020000"), ("nonsense", "0x030200")]
)
def test_another_vendor_or_a_network_card_is_not(tmp_path: Path, vendor: str, pci_class: str) -> None:
    plug_in(tmp_path, "0000:c1:00.0", vendor, pci_class)
    assert defaults(tmp_path).kgb_probe().score == 0


def test_the_tools_word_is_evidence_and_outweighs_the_bus(tmp_path: Path, tool: Path) -> None:
    tool.write_text("#!/bin/sh\n[ \"$LC_ALL$LANG\" = CC ] && echo 'PLAIN SMI 3.1'\n")
    said = defaults(tmp_path).kgb_probe()
    plug_in(tmp_path, "0000:c1:00.0", "0x1abc", "0x030200")
    both = defaults(tmp_path).kgb_probe()
    bus = defaults(tmp_path, smi_tool="no-such-smi").kgb_probe()
    assert said.evidence == ("plain-smi says Plain",)
    assert both.score == said.score + bus.score
    assert said.score > bus.score


@pytest.mark.parametrize("script", ["echo 'Other vendor 3.1'", "echo 'Plain SMI'; exit 9", "kill -9 $$"])
def test_another_word_or_a_tool_that_fails_is_not(tmp_path: Path, tool: Path, script: str) -> None:
    tool.write_text(f"#!/bin/sh\n{script}\n")
    assert defaults(tmp_path).kgb_probe().score == 0


def test_a_backend_without_hardware_yields_to_any_chip(tmp_path: Path) -> None:
    host = defaults(tmp_path, needs_hardware=False).kgb_probe()
    plug_in(tmp_path, "0000:c1:00.0", "0x1abc", "0x030200")
    assert 0 < host.score < defaults(tmp_path).kgb_probe().score


def test_no_visibility_variable_pins_nothing(tmp_path: Path) -> None:
    assert defaults(tmp_path).kgb_worker_environment(DEVICE) == {}


def test_waiting_and_health_work_over_torch(tmp_path: Path) -> None:
    assert defaults(tmp_path).kgb_synchronize() is True
    assert defaults(tmp_path).kgb_check_health() is True


def test_a_device_that_can_not_compute_is_unhealthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*args: object, **kwargs: object) -> None:
        raise RuntimeError("device lost")

    monkeypatch.setattr(torch, "arange", lost)
    assert defaults(tmp_path).kgb_check_health() is False


def test_a_device_that_computes_wrongly_is_unhealthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "arange", lambda *args, **kwargs: torch.zeros(3))
    assert defaults(tmp_path).kgb_check_health() is False


def test_a_host_gets_the_hosts_clock(tmp_path: Path) -> None:
    timer = defaults(tmp_path, needs_hardware=False).kgb_make_timer(DEVICE)
    assert timer.method is TimingMethod.HOST


class Clockwork:
    """A device module that writes down what is queued; each event advances its clock."""

    def __init__(self) -> None:
        self.queued: list[str] = []
        self.now_ms = 0.0
        outer = self

        class Event:
            def __init__(self, enable_timing: bool) -> None:
                assert enable_timing
                self.at = 0.0

            def record(self) -> None:
                outer.queued.append("event")
                outer.now_ms += 0.25
                self.at = outer.now_ms

            def synchronize(self) -> None:
                outer.queued.append("wait")

            def elapsed_time(self, other: Event) -> float:
                return other.at - self.at

        self.Event = Event

    def _sleep(self, cycles: int) -> None:
        self.queued.append(f"spin {cycles}")

    def synchronize(self) -> None:
        self.queued.append("synchronize")


def test_the_start_event_is_queued_behind_the_spin_and_nothing_waits() -> None:
    module = Clockwork()
    timer = EventTimer(module, "cpu", 4096)
    timer.prepare()
    timer.start()
    module.queued.append("call")
    timer.stop()
    assert timer.elapsed_ns() == 250_000
    assert module.queued == [f"spin {SPIN_CYCLES}", "event", "call", "event", "wait"]


def test_a_device_without_a_spin_has_the_flush() -> None:
    module = Clockwork()
    plain = SimpleNamespace(Event=module.Event)
    timer = EventTimer(plain, "cpu", 4096)
    timer.prepare()
    timer.start()
    timer.stop()
    assert timer.elapsed_ns() == 250_000


@pytest.mark.parametrize(("cache", "size"), [(40 * 2**20, 80 * 2**20), (None, 256 * 2**20)])
def test_the_flush_writes_twice_the_cache(
    monkeypatch: pytest.MonkeyPatch, cache: int | None, size: int
) -> None:
    made: list[int] = []
    empty = torch.empty

    def seen(*shape: int, dtype: torch.dtype, device: str) -> torch.Tensor:
        made.append(shape[0] * dtype.itemsize)
        return empty(1, dtype=dtype, device=device)

    monkeypatch.setattr(torch, "empty", seen)
    EventTimer(Clockwork(), "cpu", cache)
    assert made == [size]


def test_the_host_timer_waits_before_it_reads_the_clock() -> None:
    queued: list[str] = []
    timer = HostTimer(lambda: queued.append("wait"), lambda: queued.append("flush"))
    timer.prepare()
    timer.start()
    queued.append("call")
    timer.stop()
    assert queued == ["flush", "wait", "call", "wait"]
    assert 0 < timer.elapsed_ns() < 10**9


def test_a_call_that_takes_the_host_long_gets_a_longer_spin_the_next_time() -> None:
    module = Clockwork()
    timer = EventTimer(module, "cpu", 4096)
    for _ in range(2):
        timer.prepare()
        timer.start()
        time.sleep(0.001)
        timer.stop()
    first, second = (int(entry.split()[1]) for entry in module.queued if entry.startswith("spin"))
    assert first == SPIN_CYCLES
    assert second >= 4_000_000


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_the_spin_grows_with_the_hosts_time_within_limits(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert SPIN_CYCLES <= spin_cycles(low) <= spin_cycles(high) <= MOST_SPIN_CYCLES
