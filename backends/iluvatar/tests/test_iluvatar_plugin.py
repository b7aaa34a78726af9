"""The backend as a whole: its devices, capabilities, targets, versions and advice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_backend_iluvatar.cards import Card
from kgb_backend_iluvatar.doctor import devices_check, match_check, stack_checks
from kgb_backend_iluvatar.reading import Reading
from kgb_backend_iluvatar.stack import Build
from kgb_core.models import Device, DType, Feature, Support, Target
from kgb_core.models.doctor import Health
from kgb_core.plugins import Backend
from kgb_core.plugins.tools import PciDevice

if TYPE_CHECKING:
    from conftest import Site


def test_devices_by_ixsmi(site: Site) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    first, second = site.backend.discover_devices()
    assert (first.index, first.name, first.arch) == (0, "Iluvatar BI-V150", "ivcore11")
    assert (first.memory_bytes, first.driver_version, first.state) == (2**35, "4.1.0", None)
    assert (second.uuid, second.last_level_cache_bytes) == ("GPU-00000000-0000-0000-0000-0000000000d1", None)
    assert site.backend.worker_environment(second) == {"CUDA_VISIBLE_DEVICES": "1"}


@pytest.mark.parametrize(("value", "indices"), [("1", [1]), ("", []), ("1,0", [1, 0])])
def test_only_what_this_process_may_use_is_listed(
    site: Site, monkeypatch: pytest.MonkeyPatch, value: str, indices: list[int]
) -> None:
    site.ixsmi("hand_made_4x.csv")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    assert [device.index for device in site.backend.discover_devices()] == indices


def test_without_hardware_there_is_nothing_and_no_error(site: Site) -> None:
    assert site.backend.discover_devices() == []
    (check,) = site.backend.doctor_checks()
    assert (check.name, check.health) == ("iluvatar", Health.NONE)
    for words in ("no PCI device 1e3e:*", "libixml.so: cannot open", "ixsmi not found"):
        assert words in check.found
    assert "install its driver and CoreX" in check.fix


def test_versions_for_the_manifest(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    site.package("torch", "2.7.1+corex.4.4.0")
    site.package("flagtree", "0.6.1+iluvatar3.6")
    monkeypatch.setattr(sys, "path", [str(site.packages), *sys.path])
    found = site.backend.environment()
    assert (found["driver"], found["ixml"], found["cuda_driver"]) == ("4.1.0", "4.1.0", "10.2")
    assert (found["corex"], found["torch_build"]) == ("4.4.0", "2.7.1+corex.4.4.0")
    assert found["triton_build"] == "flagtree 0.6.1+iluvatar3.6"


@pytest.mark.parametrize(
    ("key", "support"),
    [
        (DType.FLOAT64, Support.UNSUPPORTED),
        (DType.COMPLEX128, Support.UNSUPPORTED),
        (DType.COMPLEX64, Support.UNKNOWN),
        (DType.FLOAT8_E4M3FN, Support.PARTIAL),
        (DType.BFLOAT16, Support.FULL),
        (DType.INT64, Support.FULL),
        (Feature.TIMING, Support.FULL),
        (Feature.ATOMICS, Support.PARTIAL),
    ],
)
def test_capabilities_as_sources_tell_them(backend: Backend, key: DType | Feature, support: Support) -> None:
    found = backend.capabilities(Device(index=0, name="Iluvatar BI-V150")).of(key)
    assert found.support is support
    assert bool(found.reason) is (support in (Support.UNSUPPORTED, Support.PARTIAL))


@pytest.mark.parametrize(
    ("memory", "support"), [(2**36, Support.FULL), (2**34, Support.UNSUPPORTED), (None, Support.UNKNOWN)]
)
def test_large_tensors_need_memory(backend: Backend, memory: int | None, support: Support) -> None:
    device = Device(index=0, name="Iluvatar BI-V150", memory_bytes=memory)
    assert backend.capabilities(device).of(Feature.LARGE_MEMORY).support is support


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


def test_one_architecture_has_limits_that_a_card_told(backend: Backend) -> None:
    found = target(backend, "ivcore11")
    assert (found.name, found.triton_backend, found.triton_arch) == ("iluvatar:ivcore11", "corex", 71)
    assert (found.warp_size, found.limits.shared_memory_bytes, found.limits.threads_per_block) == (
        64,
        131072,
        4096,
    )


@pytest.mark.parametrize("arch", ["ivcore10", "ivcore20", "bi-v100"])
def test_others_have_none(backend: Backend, arch: str) -> None:
    found = target(backend, arch)
    assert set(found.limits.model_dump().values()) == {None}


def test_no_peak_is_invented(backend: Backend) -> None:
    for found in backend.targets():
        assert found.peaks.bytes_per_second is None
        assert found.peaks.flops_per_second == {}


@pytest.mark.parametrize(
    ("name", "arch", "expected"),
    [
        ("Iluvatar BI-V150", "ivcore11", "bi-v150"),
        ("Iluvatar BI-V150 OAM", None, "bi-v150"),
        ("Iluvatar MR-V100", "ivcore11", "mr-v100"),
        ("Iluvatar BI-V100", "ivcore10", "bi-v100"),
        ("Iluvatar XX-V1", "ivcore20", "ivcore20"),
        ("Iluvatar TG-V200 OAM", None, None),
    ],
)
def test_devices_find_their_target(
    backend: Backend, name: str, arch: str | None, expected: str | None
) -> None:
    found = backend.target_of(Device(index=0, name=name, arch=arch))
    assert (found.arch if found else None) == expected


def test_target_names_and_device_names_are_unique(backend: Backend) -> None:
    targets = backend.targets()
    names = [name for target in targets for name in target.device_names]
    assert len({target.name for target in targets}) == len(targets)
    assert len(set(names)) == len(names)


def test_notes_tell_limits_where_there_are_any(backend: Backend) -> None:
    known, unknown = (backend.prompt_notes(target(backend, arch)) for arch in ("bi-v150", "bi-v100"))
    assert "131072 bytes of shared memory" in known
    assert "2147483647 x 65535 x 65535" in known
    assert "shared memory" not in unknown
    for notes in (known, unknown):
        assert "A warp has 64 threads" in notes
        assert "no fp64" in notes
        assert "allow_tf32=False" in notes


def test_tolerances_are_the_cores(backend: Backend) -> None:
    assert backend.tolerance("aten::mm", DType.FLOAT16, Device(index=0, name="Iluvatar BI-V150")) is None


CARD = Card(0, "Iluvatar BI-V150", driver="4.4.0")
ON_BUS = [PciDevice("0000:13:00.0", 0x1E3E, 0x0003)]


@pytest.mark.parametrize(
    ("answer", "on_bus", "chosen", "health", "found", "fix"),
    [
        (
            Reading("ixsmi"),
            [],
            None,
            Health.NONE,
            "no PCI device 1e3e:*; ixsmi lists no GPU",
            "install its driver",
        ),
        (
            Reading("ixsmi", (CARD,), "4.4.0"),
            ON_BUS,
            None,
            Health.OK,
            "1 device: Iluvatar BI-V150; driver 4.4.0, by",
            "",
        ),
        (Reading("ixsmi", (CARD,)), ON_BUS, "", Health.WARN, "CUDA_VISIBLE_DEVICES= hides all of 1", "unset"),
        (
            Reading("ixML", (Card(3, "Iluvatar BI-V150", problem="ixML health 0x20: memory error"),)),
            ON_BUS,
            None,
            Health.BROKEN,
            "Iluvatar BI-V150 3: ixML health 0x20: memory error",
            "leave it out of CUDA_VISIBLE_DEVICES",
        ),
    ],
)
def test_the_doctor_on_the_card(
    site: Site,
    answer: Reading,
    on_bus: list[PciDevice],
    chosen: str | None,
    health: Health,
    found: str,
    fix: str,
) -> None:
    finding = devices_check(answer, on_bus, site.machine, chosen)
    assert finding.health is health
    assert found in finding.found
    assert fix in finding.fix
    assert bool(finding.fix) == (health is not Health.OK)


LOADER = "ixsmi: error while loading shared libraries: libixml.so: cannot open shared object file"


def test_the_doctor_goes_step_by_step_where_a_card_is_not_listed(site: Site) -> None:
    def fix(problem: str) -> str:
        finding = devices_check(Reading("ixsmi", problem=problem), ON_BUS, site.machine, None)
        assert finding.health is Health.BROKEN
        assert finding.found == f"PCI device 1e3e:0003 at 0000:13:00.0; {problem}"
        return finding.fix

    assert "install CoreX" in fix(LOADER)
    site.machine.corex.mkdir()
    assert (
        fix(LOADER)
        == f"export LD_LIBRARY_PATH={site.root}/corex/lib64:{site.root}/corex/lib:$LD_LIBRARY_PATH"
    )
    assert "modprobe iluvatar" in fix("No supported GPUs found")
    site.machine.dev.mkdir()
    (site.machine.dev / "iluvatar0").touch()
    assert "ixsmi must list the card" in fix("No supported GPUs found")


def test_the_doctor_on_a_corex_that_does_not_fit_its_driver(site: Site) -> None:
    site.ixsmi("", "recorded_bi_v150s_box.txt")
    check = site.backend.doctor_checks()[1]
    assert (check.name, check.health) == ("iluvatar driver", Health.BROKEN)
    assert "CoreX and the driver 4.1.0 differ" in check.found
    assert "CoreX 4.1.0" in check.fix
    assert list(match_check(Reading("ixsmi", (CARD,), cuda="10.2"))) == []


@pytest.mark.parametrize(
    ("torch", "triton", "found"),
    [
        ("2.7.1+corex.4.4.0", "3.1.0+corex.4.4.0", ""),
        ("2.7.1+corex.4.4.0", "3.9.0", "Triton 3.9.0 is not built for CoreX"),
        ("2.13.0+cu130", "3.9.0", "torch 2.13.0+cu130 is not built for CoreX; Triton 3.9.0 is not"),
        (None, None, "torch not installed; Triton not installed"),
    ],
)
def test_the_doctor_on_the_stack(tmp_path: Path, torch: str | None, triton: str | None, found: str) -> None:
    builds = [Build(name, text) if text else None for name, text in (("torch", torch), ("triton", triton))]
    (finding,) = stack_checks(builds[0], builds[1], tmp_path)
    assert finding.health is (Health.BROKEN if found else Health.OK)
    assert found in finding.found
    assert ("CoreX SDK" in finding.fix) == bool(found)


def test_the_doctor_knows_where_corex_hides_its_packages(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (finding,) = stack_checks(None, None, tmp_path)
    assert finding.fix.startswith(f"echo {tmp_path} > ")
    assert "corex.pth" in finding.fix


def test_the_front_door_imports_nothing_heavy() -> None:
    code = "import sys, kgb_backend_iluvatar; print(sorted({'torch', 'triton'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"


def test_no_hook_without_a_worker_imports_torch() -> None:
    code = (
        "import sys\nfrom kgb_core.plugins import load_backends\n"
        "b = load_backends(['iluvatar']).get('iluvatar')\n"
        "b.probe(), b.discover_devices(), b.environment(), b.doctor_checks(), b.targets()\n"
        "print(sorted({'torch', 'triton'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
