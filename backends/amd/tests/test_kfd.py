"""The kernel's compute topology: who is there without any tool, and in which order ROCm counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_backend_amd import kfd

if TYPE_CHECKING:
    from conftest import Site


def test_gpus_are_ranked_and_processors_are_not(site: Site) -> None:
    site.node(0, cpu_cores_count=64, simd_count=0)
    site.mi300x(2, location=0x0300, unique_id=0xA1)
    site.mi300x(10, location=0x8300, unique_id=0xA0)
    first, second = kfd.nodes(site.machine.sysfs)
    assert (first.number, first.rank, second.number, second.rank) == (2, 0, 10, 1)
    assert (first.card.title, first.card.arch, first.card.compute_units) == (
        "AMD Instinct MI300X",
        "gfx942",
        304,
    )
    assert (second.card.pci_bus_id, second.card.uuid) == ("0000:83:00.0", "GPU-00000000000000a0")


def test_memory_and_cache_lie_below_the_node(site: Site) -> None:
    place = site.mi300x(1, location=0x0300, unique_id=1)
    for bank, (heap, size) in enumerate([(2, 2**37), (1, 2**30), (0, 2**40)]):
        _write(place / f"mem_banks/{bank}/properties", f"heap_type {heap}\nsize_in_bytes {size}\n")
    for cache, (level, size) in enumerate([(1, 32), (3, 262144), (2, 4096)]):
        _write(place / f"caches/{cache}/properties", f"level {level}\nsize {size}\n")
    (node,) = kfd.nodes(site.machine.sysfs)
    assert node.card.memory_bytes == 2**37 + 2**30
    assert node.card.cache_bytes == 256 * 2**20


def test_a_gpu_that_may_not_be_read_is_absent(site: Site) -> None:
    site.mi300x(1, location=0x0300, unique_id=1)
    closed = site.node(2) / "properties"
    closed.unlink()
    closed.mkdir()
    assert [node.number for node in kfd.nodes(site.machine.sysfs)] == [1]


@pytest.mark.parametrize(
    "text", ["", "simd_count\n", "simd_count x\n", "\x00\xff simd_count 4 4\n", "simd_count -4"]
)
def test_damaged_properties_are_no_gpu(site: Site, text: str) -> None:
    _write(site.node(1) / "properties", text)
    assert kfd.nodes(site.machine.sysfs) == []


@pytest.mark.parametrize(
    ("version", "arch"),
    [
        (90402, "gfx942"),
        (90010, "gfx90a"),
        (110001, "gfx1101"),
        (120001, "gfx1201"),
        (0, None),
        (99999, None),
    ],
)
def test_the_kernels_number_for_an_architecture(site: Site, version: int, arch: str | None) -> None:
    site.node(1, simd_count=4, gfx_target_version=version)
    (node,) = kfd.nodes(site.machine.sysfs)
    assert (node.card.arch, node.card.pci_bus_id, node.card.compute_units) == (arch, None, None)


def test_without_the_driver_there_is_nothing(site: Site) -> None:
    assert kfd.read(kfd.nodes(site.machine.sysfs)).problem == "no GPU in /sys/class/kfd"


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="latin-1")
