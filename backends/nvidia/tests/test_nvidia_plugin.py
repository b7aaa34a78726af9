"""The backend as a whole: its devices, evidence, capabilities, targets and advice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from kgb_backend_nvidia.cards import NO_INSTANCE, Card
from kgb_backend_nvidia.doctor import devices_check, order_check, stack_checks
from kgb_backend_nvidia.reading import Reading
from kgb_core.models import Device, DType, Feature, Support, Target
from kgb_core.models.doctor import Health
from kgb_core.plugins import Backend
from kgb_core.plugins.tools import PciDevice


def test_devices_come_from_nvidia_smi_where_nvml_is_missing(
    backend: Backend, smi_tool: Callable[..., None]
) -> None:
    smi_tool(query="hand_made_several.csv", header="hand_made_header.txt")
    devices = backend.discover_devices()
    assert [device.name for device in devices][:2] == ["NVIDIA H200", "NVIDIA GB10"]
    assert [device.index for device in devices] == [0, 1, 2, 3]
    assert backend.worker_environment(devices[1]) == {
        "CUDA_VISIBLE_DEVICES": "GPU-00000000-0000-0000-0000-000000000002"
    }
    assert backend.environment()["driver"] == "570.00.00"
    assert backend.environment()["cuda_driver"] == "12.8"


@pytest.mark.parametrize(
    ("value", "indices"), [("1", [1]), ("", []), ("GPU-00000000-0000-0000-0000-000000000001", [0])]
)
def test_only_what_this_process_may_use_is_listed(
    backend: Backend,
    smi_tool: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    value: str,
    indices: list[int],
) -> None:
    smi_tool(query="hand_made_several.csv")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    assert [device.index for device in backend.discover_devices()] == indices


def test_another_vendors_imitation_is_not_ours(backend: Backend, smi_tool: Callable[..., None]) -> None:
    smi_tool(query="hand_made_alias.csv", header="hand_made_header.txt")
    assert backend.discover_devices() == []
    assert all("nvidia-smi" not in text for text in backend.probe().evidence)


def test_a_card_is_evidence(backend: Backend, smi_tool: Callable[..., None]) -> None:
    smi_tool(query="hand_made_several.csv")
    assert backend.probe().score >= 50
    assert "nvidia-smi lists NVIDIA H200, NVIDIA GB10" in backend.probe().evidence[-1]


def test_without_hardware_there_is_nothing_and_no_error(
    backend: Backend, smi_tool: Callable[..., None]
) -> None:
    smi_tool(query="hand_made_error.txt", rc=9)
    assert backend.discover_devices() == []


@pytest.mark.parametrize(
    ("arch", "bf16", "e4m3", "e5m2"),
    [
        ("sm75", Support.UNSUPPORTED, Support.UNSUPPORTED, Support.PARTIAL),
        ("sm80", Support.FULL, Support.UNSUPPORTED, Support.PARTIAL),
        ("sm89", Support.FULL, Support.FULL, Support.FULL),
        ("sm90", Support.FULL, Support.FULL, Support.FULL),
        ("sm121", Support.FULL, Support.FULL, Support.FULL),
        (None, Support.UNKNOWN, Support.UNKNOWN, Support.UNKNOWN),
    ],
)
def test_narrow_floats_by_compute_capability(
    backend: Backend, arch: str | None, bf16: Support, e4m3: Support, e5m2: Support
) -> None:
    found = backend.capabilities(Device(index=0, name="NVIDIA X", arch=arch))
    assert found.of(DType.BFLOAT16).support is bf16
    assert found.of(DType.FLOAT8_E4M3FN).support is e4m3
    assert found.of(DType.FLOAT8_E5M2).support is e5m2
    assert found.of(DType.FLOAT64).support is Support.FULL
    assert all(found.of(dtype).reason for dtype in DType if found.of(dtype).support is not Support.FULL)


@pytest.mark.parametrize(
    ("memory", "support"), [(2**37, Support.FULL), (2**33, Support.UNSUPPORTED), (None, Support.UNKNOWN)]
)
def test_large_tensors_need_memory(backend: Backend, memory: int | None, support: Support) -> None:
    device = Device(index=0, name="NVIDIA X", memory_bytes=memory)
    assert backend.capabilities(device).of(Feature.LARGE_MEMORY).support is support


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


@pytest.mark.parametrize(
    ("arch", "shared"), [("sm80", 166912), ("sm89", 101376), ("sm90", 232448), ("sm100", 232448)]
)
def test_architectures_have_their_limits(backend: Backend, arch: str, shared: int) -> None:
    found = target(backend, arch)
    assert found.name == f"nvidia:{arch}"
    assert found.limits.shared_memory_bytes == shared
    assert found.limits.threads_per_block == 1024
    assert found.peaks.bytes_per_second is None


def test_products_of_one_architecture_are_told_apart(backend: Backend) -> None:
    h200 = backend.target_of(Device(index=0, name="NVIDIA H200", arch="sm90"))
    h100 = backend.target_of(Device(index=0, name="NVIDIA H100 80GB HBM3", arch="sm90"))
    other = backend.target_of(Device(index=0, name="NVIDIA GH200 480GB", arch="sm90"))
    slice_ = backend.target_of(Device(index=0, name="NVIDIA H200 MIG 1g.18gb", arch="sm90"))
    assert h200 is not None
    assert h100 is not None
    assert h200.peaks.bytes_per_second == 4.8e12
    assert h100.peaks.bytes_per_second == 3.35e12
    assert h200.peaks.flops_per_second["bfloat16"] == pytest.approx(989.4e12)
    assert "H200 datasheet" in h200.peaks.source
    assert other == slice_ == target(backend, "sm90")


def test_target_names_and_device_names_are_unique(backend: Backend) -> None:
    targets = backend.targets()
    names = [name for target in targets for name in target.device_names]
    assert len({target.name for target in targets}) == len(targets)
    assert len(set(names)) == len(names)
    assert all(target.peaks.source for target in targets if target.peaks.bytes_per_second)


def test_notes_tell_the_targets_limits(backend: Backend) -> None:
    old, new = (backend.prompt_notes(target(backend, arch)) for arch in ("sm80", "sm90"))
    assert "166912 bytes of shared memory" in old
    assert "fp8e4nv is not supported" in old
    assert "232448 bytes of shared memory" in new
    assert "fp8e4nv and fp8e5 are native" in new


CARD = Card(0, "NVIDIA H200", "GPU-1", driver="580.159")
ON_BUS = [PciDevice("0000:19:00.0", 0x10DE, 0x2335)]
ABSENT = Reading("NVML", problem="libnvidia-ml.so.1: NVML Shared Library Not Found; nvidia-smi not found")


@pytest.mark.parametrize(
    ("answer", "on_bus", "chosen", "health", "found", "fix"),
    [
        (ABSENT, [], None, Health.NONE, "no PCI device 10de:*; libnvidia-ml.so.1", "install its driver"),
        (ABSENT, ON_BUS, None, Health.BROKEN, "PCI device 10de:2335 at 0000:19:00.0; lib", "--gpus all"),
        (Reading("NVML"), [], None, Health.NONE, "NVML lists no GPU", "install its driver"),
        (
            Reading("NVML", (CARD,), "580.159", "13.0"),
            ON_BUS,
            None,
            Health.OK,
            "1 device: NVIDIA H200; driver 580.159",
            "",
        ),
        (Reading("NVML", (CARD,)), ON_BUS, "", Health.WARN, "CUDA_VISIBLE_DEVICES= hides all of 1", "unset"),
        (
            Reading("NVML", (Card(0, "NVIDIA H200", problem=NO_INSTANCE),)),
            ON_BUS,
            None,
            Health.BROKEN,
            "mig -cgi",
            "leave it out",
        ),
    ],
)
def test_the_doctor_on_the_gpu(
    answer: Reading, on_bus: list[PciDevice], chosen: str | None, health: Health, found: str, fix: str
) -> None:
    finding = devices_check(answer, on_bus, chosen)
    assert finding.health is health
    assert found in finding.found
    assert fix in finding.fix
    assert bool(finding.fix) == (health is not Health.OK)


@pytest.mark.parametrize(
    ("torch", "triton", "health", "found"),
    [
        ("2.11.0+cu130", "3.6.0", Health.OK, "torch 2.11.0+cu130, Triton 3.6.0"),
        ("2.13.0+cpu", "3.9.0", Health.BROKEN, "built without CUDA"),
        (None, None, Health.BROKEN, "torch and triton not installed"),
        ("2.13.0", None, Health.BROKEN, "triton not installed"),
    ],
)
def test_the_doctor_on_the_stack(torch: str | None, triton: str | None, health: Health, found: str) -> None:
    (finding,) = stack_checks(torch, triton)
    assert finding.health is health
    assert found in finding.found
    assert ('"kgb-backend-nvidia[stack]"' in finding.fix) == (health is not Health.OK)


def test_the_doctor_on_ambiguous_indices() -> None:
    cards = (CARD, Card(1, "NVIDIA L4"))
    (finding,) = order_check(cards, "0", None)
    assert finding.health is Health.WARN
    assert "CUDA_DEVICE_ORDER=PCI_BUS_ID" in finding.fix
    assert list(order_check(cards, "0", "PCI_BUS_ID")) == []


def test_the_front_door_imports_nothing_heavy() -> None:
    code = "import sys, kgb_backend_nvidia; print(sorted({'torch', 'triton', 'pynvml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
