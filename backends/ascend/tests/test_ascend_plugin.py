"""The backend as a whole: its names, devices, evidence, capabilities, targets and advice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_ascend import probe, stack
from kgb_backend_ascend.chips import Generation, generation_of
from kgb_core.models import Device, DType, Feature, Support, Target
from kgb_core.plugins import Backend


def test_the_names_differ_and_are_kept_apart(backend: Backend) -> None:
    info = backend.info
    names = (info.vendor, info.torch_device_type, info.triton_backend, info.visibility_variable)
    assert names == ("ascend", "npu", "npu", "ASCEND_RT_VISIBLE_DEVICES")
    assert (info.pci_vendor_id, info.smi_tool, info.smi_word) == (0x19E5, "npu-smi", "npu-smi")


def test_devices_come_from_the_tool_where_dcmi_is_missing(
    backend: Backend, smi_tool: Callable[..., None]
) -> None:
    smi_tool(info="recorded_910b3_rows.txt")
    devices = backend.discover_devices()
    assert [device.index for device in devices] == [0, 1, 2, 3]
    assert {(device.name, device.arch, device.state) for device in devices} == {
        ("Ascend 910B3", "Ascend910B3", None)
    }
    assert devices[0].last_level_cache_bytes is None


def test_chips_of_an_a3_get_their_arch(backend: Backend, smi_tool: Callable[..., None]) -> None:
    smi_tool("recorded_a3_26.0.rc2.txt", "hand_made_mapping_a3.txt", "recorded_board_a3.txt")
    found = [(device.name, device.arch) for device in backend.discover_devices()]
    assert found == [("Ascend 910_9392", "Ascend910_9392")] * 2


def test_a_chip_without_a_triton_says_so(backend: Backend, smi_tool: Callable[..., None]) -> None:
    smi_tool(info="recorded_310p3_duo.txt")
    devices = backend.discover_devices()
    assert {(device.name, device.arch, device.state) for device in devices} == {
        ("Ascend 310P3", None, "no Triton compiles for it")
    }


def test_only_what_this_process_may_use_is_listed(
    backend: Backend, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool(info="recorded_910b3_rows.txt")
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "1,3")
    assert [device.index for device in backend.discover_devices()] == [1, 3]


@pytest.mark.parametrize(
    "name", ["recorded_initialize_failed.txt", "recorded_device_used.txt", "hand_made_localised.txt", ""]
)
@pytest.mark.parametrize("rc", [0, 1])
def test_without_hardware_there_is_nothing_and_no_error(
    backend: Backend, smi_tool: Callable[..., None], name: str, rc: int
) -> None:
    smi_tool(name, name, name, rc=rc)
    assert backend.discover_devices() == []


def machine(root: Path, vendor: str, pci_class: str = "0x120000", files: tuple[str, ...] = ()) -> Path:
    """A sysfs with one device on the PCI bus, and device files beside it."""
    folder = root / "sys/bus/pci/devices/0000:c1:00.0"
    folder.mkdir(parents=True)
    for name, text in (("class", pci_class), ("vendor", vendor), ("device", "0xd802")):
        (folder / name).write_text(f"{text}\n")
    (root / "dev").mkdir()
    for name in files:
        (root / "dev" / name).write_text("")
    return root


def test_each_piece_of_evidence_counts_and_is_told(
    tmp_path: Path, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool(info="recorded_910b3_rows.txt")
    monkeypatch.setattr(stack, "torch_npu_version", lambda: "2.10.0")
    root = machine(tmp_path / "machine", "0x19e5", files=("davinci0", "davinci_manager"))
    found = probe.evidence(root / "sys", root / "dev")
    assert found.score == 100
    assert found.evidence == (
        "PCI vendor 0x19e5 at 0000:c1:00.0",
        "npu-smi lists Ascend 910B3",
        "device files davinci0",
        "torch_npu 2.10.0 is installed",
    )


@pytest.mark.parametrize(
    ("vendor", "pci_class"),
    [
        ("0x10de", "0x030200"),
        ("0x1002", "0x120000"),
        ("0x9999", "0x030200"),
        ("0x1e3e", "0x030200"),
        ("0x1ed5", "0x030200"),
        ("0x19e5", "0x030000"),
    ],
    ids=["nvidia", "amd", "metax", "iluvatar", "mthreads", "display of a Huawei server"],
)
def test_another_device_on_the_bus_is_no_evidence(
    tmp_path: Path, smi_tool: Callable[..., None], vendor: str, pci_class: str
) -> None:
    smi_tool(name="nvidia-smi", info="recorded_910b3_rows.txt")
    root = machine(tmp_path / "machine", vendor, pci_class, files=("nvidia0",))
    assert probe.evidence(root / "sys", root / "dev").score == 0


def test_torch_npu_alone_is_told_and_counts_nothing(
    tmp_path: Path, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool()
    monkeypatch.setattr(stack, "torch_npu_version", lambda: "2.10.0")
    found = probe.evidence(tmp_path, tmp_path)
    assert (found.score, found.evidence) == (0, ("torch_npu 2.10.0 is installed",))


@pytest.mark.parametrize(
    ("product", "generation"),
    [
        ("Ascend 910B3", Generation.A2),
        ("Ascend 910B4-1", Generation.A2),
        ("Ascend 910_9392", Generation.A3),
        ("Ascend 910", Generation.A3),
        ("Ascend 910A", Generation.A1),
        ("Ascend 910B", Generation.A1),
        ("Ascend 910ProB", Generation.A1),
        ("Ascend 310P3", Generation.P310),
        ("Ascend 310B4", None),
        ("Ascend NPU 3", None),
    ],
)
def test_the_generation_of_a_name(product: str, generation: Generation | None) -> None:
    assert generation_of(product) is generation


@pytest.mark.parametrize(
    ("name", "bf16", "fp64", "fp8"),
    [
        ("Ascend 910B3", Support.FULL, Support.UNSUPPORTED, Support.UNSUPPORTED),
        ("Ascend 910_9392", Support.FULL, Support.UNSUPPORTED, Support.UNSUPPORTED),
        ("Ascend 310P3", Support.UNSUPPORTED, Support.UNSUPPORTED, Support.UNSUPPORTED),
        ("Ascend 910A", Support.UNKNOWN, Support.UNKNOWN, Support.UNKNOWN),
        ("NPU 0", Support.UNKNOWN, Support.UNKNOWN, Support.UNKNOWN),
    ],
)
def test_capabilities_by_generation(
    backend: Backend, name: str, bf16: Support, fp64: Support, fp8: Support
) -> None:
    found = backend.capabilities(Device(index=0, name=name))
    assert found.of(DType.BFLOAT16).support is bf16
    assert found.of(DType.FLOAT64).support is fp64
    assert found.of(DType.FLOAT8_E4M3FN).support is fp8
    assert all(item.reason for item in found.table.values() if item.support is not Support.FULL)


@pytest.mark.parametrize(
    ("memory", "support"), [(2**36, Support.FULL), (2**34, Support.UNSUPPORTED), (None, Support.UNKNOWN)]
)
def test_large_tensors_need_memory(backend: Backend, memory: int | None, support: Support) -> None:
    device = Device(index=0, name="Ascend 910B3", memory_bytes=memory)
    assert backend.capabilities(device).of(Feature.LARGE_MEMORY).support is support


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


@pytest.mark.parametrize("arch", [*(f"Ascend910B{number}" for number in range(1, 5)), "Ascend910_9392"])
def test_targets_have_the_limits_that_are_known(backend: Backend, arch: str) -> None:
    found = target(backend, arch)
    assert (found.name, found.triton_backend, found.triton_arch) == (f"ascend:{arch}", "npu", arch)
    assert (found.warp_size, found.limits.threads_per_block) == (0, None)
    assert (found.limits.shared_memory_bytes, found.limits.grid) == (192 * 1024, (65535,))


def test_peaks_stand_only_where_a_source_does(backend: Backend) -> None:
    peaks = target(backend, "Ascend910B2").peaks
    assert (peaks.bytes_per_second, peaks.flops_per_second["bfloat16"]) == (1.6e12, 353e12)
    assert "float32" not in peaks.flops_per_second
    for found in backend.targets():
        assert bool(found.peaks.source) == bool(found.peaks.bytes_per_second)


@pytest.mark.parametrize(
    ("name", "arch"),
    [("Ascend 910B3", "Ascend910B3"), ("Ascend 910_9391", "Ascend910_9391"), ("Ascend 910", None)],
)
def test_a_device_finds_its_target(backend: Backend, name: str, arch: str | None) -> None:
    found = backend.target_of(Device(index=0, name=name))
    assert (found.arch if found else None) == arch


def test_target_names_and_device_names_are_unique(backend: Backend) -> None:
    targets = backend.targets()
    names = [name for target in targets for name in target.device_names]
    assert len({target.name for target in targets}) == len(targets)
    assert len(set(names)) == len(names)


def test_notes_tell_what_differs_from_other_chips(backend: Backend) -> None:
    known, unknown = (backend.prompt_notes(target(backend, arch)) for arch in ("Ascend910B2", "Ascend910B3"))
    assert "196608 bytes of Unified Buffer" in known
    assert "at most 65535 programs" in known
    assert "24 with tl.dot, 48 without" in known
    assert "AI cores with tl.dot" in unknown
    assert all("`npu`" in text and "hf32" in text and "49 characters" in text for text in (known, unknown))


def test_no_tolerance_is_overridden(backend: Backend) -> None:
    device = Device(index=0, name="Ascend 910B3")
    assert backend.tolerance("aten::mm", DType.FLOAT16, device) is None
    assert "kgb_tolerance" not in backend.hooks


HEAVY = "{'torch', 'triton', 'torch_npu', 'ascendnpuir'}"
ASK_ALL = """
from kgb_core.models import Device
from kgb_core.plugins import load_backends
backend = load_backends(["ascend"]).get("ascend")
device = Device(index=0, name="Ascend 910B3")
backend.probe(), backend.discover_devices(), backend.environment(), backend.doctor_checks()
backend.capabilities(device), backend.worker_environment(device)
[backend.prompt_notes(target) for target in backend.targets()]
"""
"""Every hook that the conductor asks."""


@pytest.mark.parametrize("code", ["import kgb_backend_ascend", ASK_ALL], ids=["import", "hooks"])
def test_the_conductor_imports_nothing_heavy(code: str) -> None:
    code = f"{code}\nimport sys\nprint(sorted({HEAVY} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
