"""The backend as a whole: its names, devices, evidence, capabilities, targets, bounds and advice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_metax import probe, stack
from kgb_backend_metax.chips import family_of, model_of
from kgb_core.models import Device, DType, Feature, Support, Target
from kgb_core.plugins import Backend

C500 = Device(index=0, name="MetaX C500", arch="xcore1000", memory_bytes=64 * 2**30)


def test_the_names_differ_and_are_kept_apart(backend: Backend) -> None:
    info = backend.info
    names = (info.vendor, info.torch_device_type, info.triton_backend, info.visibility_variable)
    assert names == ("metax", "cuda", "maca", "CUDA_VISIBLE_DEVICES")
    assert (info.pci_vendor_id, info.smi_tool, info.smi_word) == (0x9999, "mx-smi", "MetaX")


def test_devices_come_from_the_tool_where_mxsml_is_missing(
    backend: Backend, smi_tool: Callable[..., None]
) -> None:
    smi_tool("recorded_c500_2.2.9.txt", "recorded_list_2.2.9.txt")
    devices = backend.discover_devices()
    assert [device.index for device in devices] == [0, 1, 2]
    assert {(device.name, device.arch, device.state) for device in devices} == {
        ("MetaX C500", "xcore1000", None)
    }
    assert devices[1].uuid == "GPU-00000000-0000-0000-0000-000000000001"
    assert devices[1].visibility_id is None
    versions = backend.environment()
    assert (versions["driver"], versions["maca_driver"]) == ("3.4.4", "3.3.0.15")


def test_what_can_not_be_used_is_listed_with_its_state(
    backend: Backend, smi_tool: Callable[..., None]
) -> None:
    smi_tool("hand_made_mixed.txt", "hand_made_mixed_list.txt")
    assert [device.state for device in backend.discover_devices()] == [
        None,
        None,
        None,
        "Not Available(MetaX Sysfs File Unaccessible)",
    ]


def test_only_what_this_process_may_use_is_listed(
    backend: Backend, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool("recorded_c550_2.1.6.txt")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,2")
    assert [device.index for device in backend.discover_devices()] == [5, 2]


@pytest.mark.parametrize(
    "name", ["hand_made_error.txt", "hand_made_localised.txt", "hand_made_other_company.txt", ""]
)
@pytest.mark.parametrize("rc", [0, 1])
def test_without_hardware_there_is_nothing_and_no_error(
    backend: Backend, smi_tool: Callable[..., None], name: str, rc: int
) -> None:
    smi_tool(name, name, rc)
    assert backend.discover_devices() == []


@pytest.mark.parametrize(
    ("name", "model", "arch"),
    [
        ("MetaX C500", "C500", "xcore1000"),
        ("MXC500", "C500", "xcore1000"),
        ("MetaX  C550-PL", "C550-PL", "xcore1000"),
        ("MXC600-A", "C600-A", "xcore1600"),
        ("MetaX N260", "N260", "xcore1000"),
        ("MetaX N300", "N300", None),
        ("NVIDIA C500", None, None),
        ("Moffett S30", None, None),
        ("MX", None, None),
    ],
)
def test_both_spellings_of_a_card_are_one_product(name: str, model: str | None, arch: str | None) -> None:
    family = family_of(name)
    assert model_of(name) == model
    assert (family.arch if family else None) == arch


def bus(root: Path, vendor: str, pci_class: str = "0x030200") -> Path:
    """A sysfs with one device on the PCI bus."""
    folder = root / "bus/pci/devices/0000:0e:00.0"
    folder.mkdir(parents=True)
    for name, text in (("class", pci_class), ("vendor", vendor), ("device", "0x4040")):
        (folder / name).write_text(f"{text}\n")
    return root


def test_each_piece_of_evidence_counts_and_is_told(
    tmp_path: Path, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool("recorded_c500_2.3.1.txt")
    monkeypatch.setattr(stack, "torch_version", lambda: "2.8.0+metax3.7.2.0")
    found = probe.evidence(bus(tmp_path / "sys", "0x9999"))
    assert found.score == 95
    assert found.evidence == (
        "PCI vendor 0x9999 at 0000:0e:00.0",
        "mx-smi lists MetaX C500",
        "torch 2.8.0+metax3.7.2.0 is MetaX's build",
    )


@pytest.mark.parametrize(
    ("vendor", "version"),
    [
        ("0x10de", "2.11.0+cu130"),
        ("0x1002", "2.9.0+rocm6.4"),
        ("0x1d94", "2.9.0+das.opt1.dtk2604"),
        ("0x1e3e", "2.7.1+corex.4.4.0"),
        ("0x1ed5", "2.9.0+musa.4.3.6"),
    ],
    ids=["nvidia", "amd", "hygon", "iluvatar", "mthreads"],
)
@pytest.mark.parametrize("table", ["", "hand_made_other_company.txt"])
def test_the_stack_of_another_vendor_is_no_evidence(
    tmp_path: Path,
    smi_tool: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    vendor: str,
    version: str,
    table: str,
) -> None:
    smi_tool(table, table)
    monkeypatch.setattr(stack, "torch_version", lambda: version)
    found = probe.evidence(bus(tmp_path / "sys", vendor))
    assert (found.score, found.evidence) == (0, ())


def test_metaxs_torch_alone_is_told_and_counts_nothing(
    tmp_path: Path, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool()
    monkeypatch.setattr(stack, "torch_version", lambda: "2.10.0+metax3.8.1.0")
    found = probe.evidence(tmp_path)
    assert (found.score, found.evidence) == (0, ("torch 2.10.0+metax3.8.1.0 is MetaX's build",))


@pytest.mark.parametrize(
    ("arch", "fp8"),
    [("xcore1000", Support.UNSUPPORTED), ("xcore1600", Support.UNKNOWN), (None, Support.UNKNOWN)],
)
def test_capabilities_by_family(backend: Backend, arch: str | None, fp8: Support) -> None:
    found = backend.capabilities(Device(index=0, name="MetaX X", arch=arch))
    assert found.of(DType.FLOAT8_E4M3FN).support is fp8
    assert found.of(DType.FLOAT8_E5M2).support is fp8
    assert found.of(DType.FLOAT64).support is Support.FULL
    assert found.of(DType.BFLOAT16).support is Support.PARTIAL
    assert found.of(Feature.ATOMICS).support is Support.PARTIAL
    assert found.of(DType.COMPLEX64).support is Support.UNKNOWN
    assert all(item.reason for item in found.table.values() if item.support is not Support.FULL)


@pytest.mark.parametrize(
    ("memory", "support"), [(2**36, Support.FULL), (2**34, Support.UNSUPPORTED), (None, Support.UNKNOWN)]
)
def test_large_tensors_need_memory(backend: Backend, memory: int | None, support: Support) -> None:
    device = Device(index=0, name="MetaX X", memory_bytes=memory)
    assert backend.capabilities(device).of(Feature.LARGE_MEMORY).support is support


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


@pytest.mark.parametrize(
    ("arch", "number", "shared", "threads"),
    [
        ("xcore1000", 80, 65536, None),
        ("xcore1500", 86, None, None),
        ("xcore1600", 89, None, None),
        ("c500", 80, 65536, None),
        ("c550", 80, 65536, 512),
    ],
)
def test_targets_have_the_limits_that_are_known(
    backend: Backend, arch: str, number: int, shared: int | None, threads: int | None
) -> None:
    found = target(backend, arch)
    assert (found.name, found.triton_backend, found.warp_size) == (f"metax:{arch}", "maca", 64)
    assert found.triton_arch == number
    assert (found.limits.shared_memory_bytes, found.limits.threads_per_block) == (shared, threads)
    assert found.limits.grid is None


def test_peaks_stand_beside_their_source_and_unknown_ones_are_absent(backend: Backend) -> None:
    c500, c550 = (target(backend, arch).peaks for arch in ("c500", "c550"))
    assert c500.flops_per_second == {"float16": 280e12, "bfloat16": 280e12, "float32": 140e12, "int8": 560e12}
    assert (c500.bytes_per_second, c550.bytes_per_second, c550.flops_per_second) == (None, None, {})
    assert all(t.peaks.source for t in backend.targets() if t.peaks.flops_per_second)


@pytest.mark.parametrize(
    ("name", "arch"),
    [
        ("MetaX C500", "c500"),
        ("MXC500", "c500"),
        ("MXC550", "c550"),
        ("MetaX N260", "xcore1000"),
        ("MetaX N300", None),
    ],
)
def test_a_device_finds_its_target(backend: Backend, name: str, arch: str | None) -> None:
    family = family_of(name)
    found = backend.target_of(Device(index=0, name=name, arch=family.arch if family else None))
    assert (found.arch if found else None) == arch


def test_target_names_and_device_names_are_unique(backend: Backend) -> None:
    targets = backend.targets()
    names = [name for target in targets for name in target.device_names]
    assert len({target.name for target in targets}) == len(targets)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("dtype", [DType.FLOAT16, DType.BFLOAT16])
def test_products_of_narrow_floats_have_a_wider_bound_and_a_reason(backend: Backend, dtype: DType) -> None:
    found = backend.tolerance("aten::mm", dtype, C500)
    assert found is not None
    assert (found.accumulation, found.ulps, found.source) == (6.0, 1.0, "metax")
    assert "FlagGems" in found.reason


@pytest.mark.parametrize(("operator", "dtype"), [("aten::mm", DType.FLOAT32), ("aten::add", DType.FLOAT16)])
def test_other_bounds_are_the_operators_own(backend: Backend, operator: str, dtype: DType) -> None:
    assert backend.tolerance(operator, dtype, C500) is None


def test_notes_tell_what_differs_from_other_chips(backend: Backend) -> None:
    c500, c550, c600 = (backend.prompt_notes(target(backend, arch)) for arch in ("c500", "c550", "xcore1600"))
    assert "may use 512 threads: num_warps at most 8" in c550
    assert "should not use more than 512 threads" in c500
    assert "65536 bytes of shared memory" in c500
    assert "shared memory" not in c600
    assert all("64 threads" in text and "16 or more in M, N and K" in text for text in (c500, c550, c600))


HEAVY = "{'torch', 'triton', 'pymxsml'}"
ASK_ALL = """
from kgb_core.models import Device, DType
from kgb_core.plugins import load_backends
backend = load_backends(["metax"]).get("metax")
device = Device(index=0, name="MetaX C500")
backend.probe(), backend.discover_devices(), backend.environment(), backend.doctor_checks()
backend.capabilities(device), backend.worker_environment(device)
backend.tolerance("aten::mm", DType.FLOAT16, device)
[backend.prompt_notes(target) for target in backend.targets()]
"""
"""Every hook that the conductor asks."""


@pytest.mark.parametrize("code", ["import kgb_backend_metax", ASK_ALL], ids=["import", "hooks"])
def test_the_conductor_imports_nothing_heavy(code: str) -> None:
    code = f"{code}\nimport sys\nprint(sorted({HEAVY} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
