"""What is installed, found in files and metadata; NPUs and device files, found without a tool."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kgb_backend_ascend import bus, environment, stack


@pytest.mark.parametrize(("folders", "name"), [(["nvidia", "amd"], None), (["ascend"], "ascend"), ([], None)])
def test_the_back_end_of_triton_ascend_is_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: list[str], name: str | None
) -> None:
    package = tmp_path / "triton"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('libascendcl.so not found')\n")
    for folder in folders:
        (package / "backends" / folder).mkdir(parents=True)
        (package / "backends" / folder / "driver.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    assert stack.triton_backend() == name


def test_the_toolkit_is_where_the_variable_says(tmp_path: Path) -> None:
    named, root = tmp_path / "named", tmp_path / "Ascend"
    assert stack.toolkit({}, root) is None
    older = root / "ascend-toolkit/latest"
    older.mkdir(parents=True)
    assert stack.toolkit({}, root) == older
    (root / "cann").mkdir()
    assert stack.toolkit({}, root) == root / "cann"
    assert stack.toolkit({"ASCEND_HOME_PATH": str(named)}, root) is None
    named.mkdir()
    assert stack.toolkit({"ASCEND_HOME_PATH": str(named)}, root) == named


def test_its_script_is_in_it_or_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "ascend-toolkit/latest"
    place.mkdir(parents=True)
    assert stack.script({}, tmp_path) is None
    beside = place.parent / "set_env.sh"
    beside.write_text("")
    assert stack.script({}, tmp_path) == beside
    (place / "set_env.sh").write_text("")
    assert stack.script({}, tmp_path) == place / "set_env.sh"


@pytest.mark.parametrize(
    ("content", "version"),
    [
        ("Version=25.3.rc1\nascendhal_version=7.35.23\n", "25.3.rc1"),
        ("Version = 24.1.0\r\n", "24.1.0"),
        ("version\n", None),
        ("", None),
        (None, None),
    ],
)
def test_the_version_of_the_driver(tmp_path: Path, content: str | None, version: str | None) -> None:
    if content is not None:
        (tmp_path / "driver").mkdir()
        (tmp_path / "driver/version.info").write_text(content)
    assert stack.driver_version(tmp_path) == version


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (
            "# version: 1.0\nruntime_running_version=[7.6.0:8.1.RC1]\ntoolkit_running_version=[8.5.0]\n",
            {"cann runtime": "8.1.RC1", "cann toolkit": "8.5.0"},
        ),
        ("nothing\n", {}),
        (None, {}),
    ],
)
def test_versions_of_the_toolkits_parts(tmp_path: Path, content: str | None, found: dict[str, str]) -> None:
    if content is not None:
        (tmp_path / "version.cfg").write_text(content)
    assert stack.toolkit_versions(tmp_path) == found


def test_no_toolkit_has_no_versions() -> None:
    assert stack.toolkit_versions(None) == {}


def test_the_manifest_names_driver_and_toolkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_HOME_PATH", raising=False)
    monkeypatch.setattr(stack, "torch_npu_version", lambda: "2.10.0.post7")
    (tmp_path / "driver").mkdir()
    (tmp_path / "driver/version.info").write_text("Version=25.3.rc1\n")
    notes = tmp_path / "cann/aarch64-linux"
    notes.mkdir(parents=True)
    (notes / "ascend_toolkit_install.info").write_text("package_name=Ascend-cann-toolkit\nversion=8.0.0\n")
    found = environment.versions(tmp_path)
    assert found == {"driver": "25.3.rc1", "torch_npu": "2.10.0.post7", "cann": "8.0.0"}


def on_bus(root: Path, vendor: str, pci_class: str) -> Path:
    """A sysfs with one device on the PCI bus."""
    folder = root / "bus/pci/devices/0000:c1:00.0"
    folder.mkdir(parents=True)
    for name, text in (("class", pci_class), ("vendor", vendor), ("device", "0xd802")):
        (folder / name).write_text(f"{text}\n")
    return root


@pytest.mark.parametrize(
    ("vendor", "pci_class", "count"),
    [
        ("0x19e5", "0x120000", 1),
        ("0x19e5", "0x030000", 0),
        ("0x19e5", "0x020000", 0),
        ("0x10de", "0x120000", 0),
    ],
    ids=["NPU", "display controller of a Huawei server", "network card of Huawei", "another vendor"],
)
def test_npus_on_the_bus(tmp_path: Path, vendor: str, pci_class: str, count: int) -> None:
    assert len(bus.npus(on_bus(tmp_path, vendor, pci_class))) == count


def test_device_files_are_those_with_a_number(tmp_path: Path) -> None:
    for name in ("davinci10", "davinci2", "davinci_manager", "davinci", "devmm_svm", "null"):
        (tmp_path / name).write_text("")
    assert bus.device_files(tmp_path) == ["davinci2", "davinci10"]
    assert bus.device_files(tmp_path / "nowhere") == []
