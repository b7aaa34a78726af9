"""The backend as a whole: its names, devices, evidence, capabilities, targets and advice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_mthreads import probe, stack
from kgb_core.models import Device, DType, Feature, Support, Target
from kgb_core.plugins import Backend

S5000 = Device(index=3, name="MTT S5000", arch="mp_31", memory_bytes=80 * 2**30)


def test_the_names_differ_and_are_kept_apart(backend: Backend) -> None:
    info = backend.info
    names = (info.vendor, info.torch_device_type, info.triton_backend, info.visibility_variable)
    assert names == ("mthreads", "musa", "musa", "MUSA_VISIBLE_DEVICES")
    assert (info.pci_vendor_id, info.smi_tool) == (0x1ED5, "mthreads-gmi")


def test_devices_come_from_the_tool_where_mtml_is_missing(
    backend: Backend, gmi_tool: Callable[..., None]
) -> None:
    gmi_tool(table="recorded_s5000_table.txt")
    devices = backend.discover_devices()
    assert [device.index for device in devices] == list(range(8))
    assert {(device.name, device.arch, device.state) for device in devices} == {("MTT S5000", "mp_31", None)}
    assert devices[0].last_level_cache_bytes is None
    assert backend.environment()["driver"] == "5.1.0-server"


def test_only_what_this_process_may_use_is_listed(
    backend: Backend, gmi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gmi_tool(table="recorded_s5000_table.txt")
    monkeypatch.setenv("MUSA_VISIBLE_DEVICES", "5,2")
    assert [device.index for device in backend.discover_devices()] == [5, 2]


@pytest.mark.parametrize(
    "name", ["recorded_no_device.txt", "recorded_no_mtml.txt", "hand_made_localised.txt", ""]
)
@pytest.mark.parametrize("rc", [0, 1])
def test_without_hardware_there_is_nothing_and_no_error(
    backend: Backend, gmi_tool: Callable[..., None], name: str, rc: int
) -> None:
    gmi_tool(query=name, table=name, rc=rc)
    assert backend.discover_devices() == []


def bus(root: Path, vendor: str, pci_class: str = "0x030200") -> Path:
    """A sysfs with one device on the PCI bus."""
    folder = root / "bus/pci/devices/0000:12:00.0"
    folder.mkdir(parents=True)
    for name, text in (("class", pci_class), ("vendor", vendor), ("device", "0x0323")):
        (folder / name).write_text(f"{text}\n")
    return root


def test_each_piece_of_evidence_counts_and_is_told(
    tmp_path: Path, gmi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gmi_tool(table="recorded_s80_table.txt")
    monkeypatch.setattr(stack, "torch_musa_version", lambda: "2.9.0")
    found = probe.evidence(bus(tmp_path / "sys", "0x1ed5"))
    assert found.score == 95
    assert found.evidence == (
        "PCI vendor 0x1ed5 at 0000:12:00.0",
        "mthreads-gmi lists MTT S80",
        "torch_musa 2.9.0 is installed",
    )


@pytest.mark.parametrize(
    ("vendor", "pci_class"),
    [
        ("0x10de", "0x030200"),
        ("0x1002", "0x120000"),
        ("0x9999", "0x030200"),
        ("0x1e3e", "0x030200"),
        ("0x1ed5", "0x040300"),
    ],
    ids=["nvidia", "amd", "metax", "iluvatar", "sound of the same vendor"],
)
def test_another_device_on_the_bus_is_no_evidence(
    tmp_path: Path, gmi_tool: Callable[..., None], vendor: str, pci_class: str
) -> None:
    gmi_tool(name="nvidia-smi", table="recorded_s80_table.txt")
    assert probe.evidence(bus(tmp_path / "sys", vendor, pci_class)).score == 0


def test_torch_musa_alone_is_told_and_counts_nothing(
    tmp_path: Path, gmi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gmi_tool()
    monkeypatch.setattr(stack, "torch_musa_version", lambda: "2.9.0")
    found = probe.evidence(tmp_path)
    assert (found.score, found.evidence) == (0, ("torch_musa 2.9.0 is installed",))


@pytest.mark.parametrize(
    ("arch", "fp64", "fp8"),
    [
        ("mp_21", Support.UNSUPPORTED, Support.UNSUPPORTED),
        ("mp_22", Support.UNSUPPORTED, Support.UNSUPPORTED),
        ("mp_31", Support.UNKNOWN, Support.FULL),
        (None, Support.UNKNOWN, Support.UNKNOWN),
        ("sm90", Support.UNKNOWN, Support.UNKNOWN),
    ],
)
def test_capabilities_by_architecture(
    backend: Backend, arch: str | None, fp64: Support, fp8: Support
) -> None:
    found = backend.capabilities(Device(index=0, name="MTT X", arch=arch))
    assert found.of(DType.FLOAT64).support is fp64
    assert found.of(DType.FLOAT8_E4M3FN).support is fp8
    assert found.of(DType.FLOAT32).support is Support.FULL
    assert found.of(DType.BFLOAT16).support is Support.PARTIAL
    assert found.of(DType.COMPLEX128).support is Support.UNKNOWN
    assert all(item.reason for item in found.table.values() if item.support is not Support.FULL)


@pytest.mark.parametrize(
    ("memory", "support"), [(2**37, Support.FULL), (2**34, Support.UNSUPPORTED), (None, Support.UNKNOWN)]
)
def test_large_tensors_need_memory(backend: Backend, memory: int | None, support: Support) -> None:
    device = Device(index=0, name="MTT X", memory_bytes=memory)
    assert backend.capabilities(device).of(Feature.LARGE_MEMORY).support is support


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


@pytest.mark.parametrize(
    ("arch", "number", "warp", "threads", "shared"),
    [
        ("mp_21", 21, 128, 1024, 28672),
        ("mp_22", 22, 128, 1024, None),
        ("mp_31", 31, 32, None, None),
        ("s4000", 22, 128, 1024, None),
        ("s5000", 31, 32, None, None),
    ],
)
def test_targets_have_the_limits_that_are_known(
    backend: Backend, arch: str, number: int, warp: int, threads: int | None, shared: int | None
) -> None:
    found = target(backend, arch)
    assert (found.name, found.triton_backend) == (f"mthreads:{arch}", "musa")
    assert (found.triton_arch, found.warp_size) == (number, warp)
    assert (found.limits.threads_per_block, found.limits.shared_memory_bytes) == (threads, shared)
    assert found.limits.grid == (2**31 - 1, 65535, 65535)


def test_two_products_have_peaks_and_say_where_from(backend: Backend) -> None:
    s4000, s5000 = (target(backend, arch).peaks for arch in ("s4000", "s5000"))
    assert (s4000.bytes_per_second, s5000.bytes_per_second) == (768e9, 1.6e12)
    assert s4000.flops_per_second == {"float16": 100e12, "bfloat16": 100e12, "float32": 50e12, "int8": 200e12}
    assert set(s5000.flops_per_second) == {"float8_e4m3fn", "float8_e5m2"}
    assert "S4000" in s4000.source
    assert all(
        t.peaks.source for t in backend.targets() if t.peaks.bytes_per_second or t.peaks.flops_per_second
    )


@pytest.mark.parametrize(
    ("device", "arch"),
    [
        (S5000, "s5000"),
        (Device(index=0, name="MTT S80", arch="mp_21"), "mp_21"),
        (Device(index=0, name="MTT S70", arch=None), None),
    ],
)
def test_a_device_finds_its_target(backend: Backend, device: Device, arch: str | None) -> None:
    found = backend.target_of(device)
    assert (found.arch if found else None) == arch


def test_target_names_and_device_names_are_unique(backend: Backend) -> None:
    targets = backend.targets()
    names = [name for target in targets for name in target.device_names]
    assert len({target.name for target in targets}) == len(targets)
    assert len(set(names)) == len(names)


def test_notes_tell_what_differs_from_other_chips(backend: Backend) -> None:
    old, new = (backend.prompt_notes(target(backend, arch)) for arch in ("mp_21", "s5000"))
    assert "A warp has 128 threads." in old
    assert "num_warps at most 8" in old
    assert "28672 bytes of shared memory" in old
    assert "A warp has 32 threads." in new
    assert "shared memory" not in new
    assert all("`musa`" in text and "bf16" in text for text in (old, new))


def test_no_tolerance_is_overridden(backend: Backend) -> None:
    assert backend.tolerance("aten::mm", DType.FLOAT16, S5000) is None
    assert "kgb_tolerance" not in backend.hooks


HEAVY = "{'torch', 'triton', 'torch_musa', 'pymtml'}"
ASK_ALL = """
from kgb_core.models import Device
from kgb_core.plugins import load_backends
backend = load_backends(["mthreads"]).get("mthreads")
device = Device(index=0, name="MTT S4000")
backend.probe(), backend.discover_devices(), backend.environment(), backend.doctor_checks()
backend.capabilities(device), backend.worker_environment(device)
[backend.prompt_notes(target) for target in backend.targets()]
"""
"""Every hook that the conductor asks."""


@pytest.mark.parametrize("code", ["import kgb_backend_mthreads", ASK_ALL], ids=["import", "hooks"])
def test_the_conductor_imports_nothing_heavy(code: str) -> None:
    code = f"{code}\nimport sys\nprint(sorted({HEAVY} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
