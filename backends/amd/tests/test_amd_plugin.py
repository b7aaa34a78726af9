"""The backend as a whole: its devices, capabilities, targets, versions and advice."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kgb_backend_amd.cards import Card
from kgb_backend_amd.doctor import devices_check, order_check, permission_check, stack_checks
from kgb_backend_amd.reading import Reading
from kgb_backend_amd.torch_build import TorchBuild
from kgb_core.models import Device, DType, Feature, Support, Target
from kgb_core.models.doctor import Health
from kgb_core.plugins import Backend
from kgb_core.plugins.tools import PciDevice

if TYPE_CHECKING:
    from conftest import Site


def test_devices_in_the_order_of_the_runtime(site: Site) -> None:
    site.two_mi300x()
    first, second = site.backend.discover_devices()
    assert (first.index, first.name, first.arch) == (1, "AMD Instinct MI300X", "gfx942")
    assert (first.memory_bytes, first.last_level_cache_bytes) == (196592 * 2**20, 256 * 2**20)
    assert (second.index, second.uuid, second.driver_version) == (0, "GPU-00000000000000a0", "6.19.14")
    assert site.backend.worker_environment(second) == {
        "ROCR_VISIBLE_DEVICES": "GPU-00000000000000a0",
        "HIP_VISIBLE_DEVICES": "0",
        "CUDA_VISIBLE_DEVICES": "0",
        "GPU_DEVICE_ORDINAL": "0",
    }


@pytest.mark.parametrize(
    ("variable", "value", "indices"),
    [
        ("ROCR_VISIBLE_DEVICES", "1", [0]),
        ("ROCR_VISIBLE_DEVICES", "GPU-00000000000000a1", [1]),
        ("HIP_VISIBLE_DEVICES", "1,0", [0, 1]),
        ("CUDA_VISIBLE_DEVICES", "", []),
    ],
)
def test_only_what_this_process_may_use_is_listed(
    site: Site, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, indices: list[int]
) -> None:
    site.two_mi300x()
    monkeypatch.setenv(variable, value)
    assert [device.index for device in site.backend.discover_devices()] == indices


def test_a_chip_without_an_id_is_pinned_by_its_rank(site: Site) -> None:
    site.tool(
        "amd-smi",
        {"static --json": "recorded_strix_halo_static.json", "list": "recorded_strix_halo_list.json"},
    )
    site.node(1, simd_count=80, vendor_id=0x1002, location_id=0xC400)
    (device,) = site.backend.discover_devices()
    assert (device.uuid, device.visibility_id) == (None, "0")
    assert device.last_level_cache_bytes == 32 * 2**20


def test_without_the_kernels_topology_the_index_is_all_there_is(site: Site) -> None:
    site.tool("amd-smi", {"--json": "recorded_strix_halo_static.json"})
    (device,) = site.backend.discover_devices()
    assert device.visibility_id is None
    assert site.backend.worker_environment(device)["ROCR_VISIBLE_DEVICES"] == "0"


def test_rocm_smi_is_asked_where_amd_smi_is_missing(site: Site) -> None:
    site.tool("rocm-smi", {"--json": "hand_made_mi200_old_keys.json"})
    assert [device.name for device in site.backend.discover_devices()] == ["AMD Instinct MI250X"] * 2


def test_the_kernel_is_asked_where_no_tool_is(site: Site) -> None:
    site.mi300x(1, location=0x0300, unique_id=0xA1)
    (device,) = site.backend.discover_devices()
    assert (device.name, device.visibility_id) == ("AMD Instinct MI300X", "GPU-00000000000000a1")


def test_without_hardware_there_is_nothing_and_no_error(site: Site) -> None:
    assert site.backend.discover_devices() == []
    (check,) = site.backend.doctor_checks()
    assert (check.health, check.name) == (Health.NONE, "amd")
    for words in (
        "no PCI device 1002:*",
        "amd-smi not found",
        "rocm-smi not found",
        "no GPU in /sys/class/kfd",
    ):
        assert words in check.found
    assert "install the amdgpu driver and ROCm" in check.fix


def test_versions_for_the_manifest(site: Site) -> None:
    site.two_mi300x()
    info = site.machine.rocm / ".info"
    info.mkdir(parents=True)
    (info / "version").write_text("6.4.1-83\n")
    assert site.backend.environment()["driver"] == "6.19.14"
    assert site.backend.environment()["rocm"] == "6.4.1"


@pytest.mark.parametrize(
    ("arch", "bf16", "fp8", "words"),
    [
        ("gfx90a", Support.FULL, Support.PARTIAL, "no fp8 unit"),
        ("gfx942", Support.FULL, Support.PARTIAL, "fnuz"),
        ("gfx950", Support.FULL, Support.FULL, ""),
        ("gfx1100", Support.FULL, Support.PARTIAL, "no fp8 unit"),
        ("gfx1201", Support.FULL, Support.FULL, ""),
        ("gfx1030", Support.UNKNOWN, Support.UNKNOWN, "gfx1030"),
        (None, Support.UNKNOWN, Support.UNKNOWN, "unknown"),
    ],
)
def test_narrow_floats_by_architecture(
    backend: Backend, arch: str | None, bf16: Support, fp8: Support, words: str
) -> None:
    found = backend.capabilities(Device(index=0, name="AMD X", arch=arch))
    assert found.of(DType.BFLOAT16).support is bf16
    for dtype in (DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2):
        assert found.of(dtype).support is fp8
        assert words in found.of(dtype).reason
    assert found.of(DType.FLOAT64).support is Support.FULL
    assert all(
        found.of(key).reason for key in [*DType, *Feature] if found.of(key).support is not Support.FULL
    )


def test_times_are_usable_with_a_warning(backend: Backend) -> None:
    timing = backend.capabilities(Device(index=0, name="AMD X")).of(Feature.TIMING)
    assert (timing.support, timing.support.usable) == (Support.PARTIAL, True)
    assert "short kernels" in timing.reason


@pytest.mark.parametrize(
    ("memory", "support"), [(2**37, Support.FULL), (2**33, Support.UNSUPPORTED), (None, Support.UNKNOWN)]
)
def test_large_tensors_need_memory(backend: Backend, memory: int | None, support: Support) -> None:
    device = Device(index=0, name="AMD X", memory_bytes=memory)
    assert backend.capabilities(device).of(Feature.LARGE_MEMORY).support is support


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


@pytest.mark.parametrize(
    ("arch", "wave", "lds"),
    [("gfx90a", 64, 65536), ("gfx942", 64, 65536), ("gfx950", 64, 163840), ("gfx1201", 32, 65536)],
)
def test_architectures_have_their_limits(backend: Backend, arch: str, wave: int, lds: int) -> None:
    found = target(backend, arch)
    assert (found.name, found.triton_backend, found.triton_arch) == (f"amd:{arch}", "hip", arch)
    assert (found.warp_size, found.limits.shared_memory_bytes, found.limits.threads_per_block) == (
        wave,
        lds,
        1024,
    )
    assert (found.limits.grid, found.peaks.bytes_per_second) == (None, None)


def test_products_have_peaks_with_a_source(backend: Backend) -> None:
    chip = backend.target_of(Device(index=0, name="AMD Instinct MI300X", arch="gfx942"))
    assert chip is not None
    assert (chip.arch, chip.peaks.bytes_per_second) == ("mi300x", 5.3e12)
    assert chip.peaks.flops_per_second["bfloat16"] == pytest.approx(1307.4e12)
    assert chip.peaks.flops_per_second["float8_e4m3fn"] == pytest.approx(2614.9e12)
    assert "data sheet" in chip.peaks.source


def test_a_die_of_two_has_half_the_rate(backend: Backend) -> None:
    peaks = target(backend, "mi250x").peaks
    assert peaks.flops_per_second["float16"] == pytest.approx(383e12 / 2)
    assert "float8_e4m3fn" not in peaks.flops_per_second


def test_fp32_out_of_bf16_is_not_too_fast(backend: Backend) -> None:
    for chip in backend.targets():
        rates = chip.peaks.flops_per_second
        assert not rates or rates["float32"] >= rates["bfloat16"] / 3


def test_an_unknown_product_has_the_limits_of_its_architecture(backend: Backend) -> None:
    device = Device(index=0, name="AMD Instinct MI308X", arch="gfx942")
    assert backend.target_of(device) == target(backend, "gfx942")
    assert backend.target_of(Device(index=0, name="AMD X", arch="gfx1030")) is None


def test_target_names_and_device_names_are_unique(backend: Backend) -> None:
    targets = backend.targets()
    names = [name for target in targets for name in target.device_names]
    assert len({target.name for target in targets}) == len(targets)
    assert len(set(names)) == len(names)
    assert all(target.peaks.source for target in targets if target.peaks.bytes_per_second)


def test_notes_tell_the_targets_limits(backend: Backend) -> None:
    old, new, desktop = (
        backend.prompt_notes(target(backend, arch)) for arch in ("gfx90a", "gfx950", "gfx1100")
    )
    assert "65536 bytes of LDS" in old
    assert "flush subnormal" in old
    assert "163840 bytes of LDS" in new
    assert "fp8e4nv and fp8e5 are native" in new
    assert "power of two up to 16." in new
    assert "power of two up to 32." in desktop


def test_tolerances_are_the_cores(backend: Backend) -> None:
    device = Device(index=0, name="AMD Instinct MI300X", arch="gfx942")
    assert backend.tolerance("aten::mm", DType.FLOAT16, device) is None


CARD = Card(0, "AMD Instinct MI300X", driver="6.19.14", arch="gfx942")
ON_BUS = [PciDevice("0000:83:00.0", 0x1002, 0x74A1)]
ABSENT = Reading("all", problem="amd-smi not found")


@pytest.mark.parametrize(
    ("answer", "on_bus", "environment", "health", "found", "fix"),
    [
        (ABSENT, [], {}, Health.NONE, "no PCI device 1002:*; amd-smi not found", "install the amdgpu driver"),
        (ABSENT, ON_BUS, {}, Health.BROKEN, "PCI device 1002:74a1 at 0000:83:00.0; amd", "--device=/dev/kfd"),
        (
            Reading("amd-smi", (CARD,)),
            ON_BUS,
            {},
            Health.OK,
            "1 device: AMD Instinct MI300X; driver 6.19.14",
            "",
        ),
        (
            Reading("amd-smi", (CARD,)),
            ON_BUS,
            {"ROCR_VISIBLE_DEVICES": "0", "HIP_VISIBLE_DEVICES": "1"},
            Health.WARN,
            "ROCR_VISIBLE_DEVICES=0 and HIP_VISIBLE_DEVICES=1 hides all of 1 GPUs",
            "unset ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES",
        ),
        (
            Reading("amd-smi", (CARD,)),
            ON_BUS,
            {"CUDA_VISIBLE_DEVICES": ""},
            Health.WARN,
            "CUDA_VISIBLE_DEVICES= hides all",
            "unset CUDA_VISIBLE_DEVICES",
        ),
    ],
)
def test_the_doctor_on_the_gpu(
    answer: Reading,
    on_bus: list[PciDevice],
    environment: dict[str, str],
    health: Health,
    found: str,
    fix: str,
) -> None:
    finding = devices_check(answer, on_bus, environment)
    assert finding.health is health
    assert found in finding.found
    assert fix in finding.fix
    assert bool(finding.fix) == (health is not Health.OK)


def test_the_doctor_on_permissions(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (missing,) = permission_check(site.machine)
    assert "does not exist" in missing.found
    assert "--device=/dev/kfd" in missing.fix
    site.machine.dev.mkdir()
    (site.machine.dev / "kfd").touch()
    assert list(permission_check(site.machine)) == []
    monkeypatch.setattr("os.access", lambda *_: False)
    (closed,) = permission_check(site.machine)
    assert "usermod -aG render,video" in closed.fix


def test_the_doctor_on_ambiguous_indices() -> None:
    cards = (CARD, Card(1, "Radeon RX 7900 XT", arch="gfx1100"))
    (finding,) = order_check(cards, {"HIP_VISIBLE_DEVICES": "0"})
    assert finding.health is Health.WARN
    assert "ROCR_VISIBLE_DEVICES" in finding.fix
    assert list(order_check(cards, {"ROCR_VISIBLE_DEVICES": "0"})) == []


@pytest.mark.parametrize(
    ("torch", "triton", "health", "found"),
    [
        (TorchBuild("2.9.0+rocm6.4", "6.4.1", False), "3.5.1 (pytorch-triton-rocm)", Health.OK, "HIP 6.4.1"),
        (TorchBuild("2.13.0+cpu", None, False), "3.9.0", Health.BROKEN, "built without ROCm"),
        (TorchBuild("2.9.0+das", "6.3", True), "3.3.0", Health.BROKEN, "Hygon's build"),
        (None, None, Health.BROKEN, "torch and triton not installed"),
        (TorchBuild("2.9.0+rocm6.4", "6.4.1", False), None, Health.BROKEN, "triton not installed"),
    ],
)
def test_the_doctor_on_the_stack(
    torch: TorchBuild | None, triton: str | None, health: Health, found: str
) -> None:
    (finding,) = stack_checks(torch, triton)
    assert finding.health is health
    assert found in finding.found
    assert ("PyTorch's ROCm build" in finding.fix) == (health is not Health.OK)


def test_the_doctor_asks_everything_where_a_gpu_is(site: Site) -> None:
    site.two_mi300x()
    site.pci("0000:83:00.0")
    assert [check.name for check in site.backend.doctor_checks()] == ["amd", "amd access", "amd stack"]


def test_the_front_door_imports_nothing_heavy() -> None:
    code = "import sys, kgb_backend_amd; print(sorted({'torch', 'triton', 'amdsmi'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"


def test_no_hook_without_a_worker_imports_torch() -> None:
    code = (
        "import sys\nfrom kgb_core.plugins import load_backends\nb = load_backends(['amd']).get('amd')\n"
        "b.probe(), b.discover_devices(), b.environment(), b.doctor_checks(), b.targets()\n"
        "print(sorted({'torch', 'triton'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
