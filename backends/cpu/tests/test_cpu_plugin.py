"""The interpreter as a device: always one, without a chip's abilities, and honest about it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from kgb_backend_cpu.doctor import check
from kgb_core.models import DType, Feature, Support
from kgb_core.models.doctor import Health
from kgb_core.models.timer import TimingMethod
from kgb_core.plugins import Backend


def test_there_is_one_device_and_it_needs_no_hardware(backend: Backend) -> None:
    (device,) = backend.discover_devices()
    assert (device.index, device.state) == (0, None)
    assert device.name.startswith("Triton interpreter on ")
    assert device.memory_bytes is not None
    assert device.memory_bytes > 2**28
    assert backend.info.needs_hardware is False
    assert backend.probe().score == 1


def test_workers_interpret_on_one_thread(backend: Backend) -> None:
    environment = backend.worker_environment(backend.discover_devices()[0])
    assert environment["TRITON_INTERPRET"] == "1"
    assert environment["OMP_NUM_THREADS"] == "1"


def test_times_are_the_hosts(backend: Backend) -> None:
    (device,) = backend.discover_devices()
    timer = backend.make_timer(device)
    timer.prepare()
    timer.start()
    timer.stop()
    assert timer.method is TimingMethod.HOST
    assert timer.elapsed_ns() > 0
    assert not backend.capabilities(device).of(Feature.TIMING).support.usable


def test_what_it_can_not_judge_has_a_reason(backend: Backend) -> None:
    table = backend.capabilities(backend.discover_devices()[0]).table
    refused = {name for name, capability in table.items() if capability.support is Support.UNSUPPORTED}
    assert refused == {"bfloat16", "float8_e4m3fn", "float8_e5m2", "timing", "launch_limits", "large_memory"}
    assert all(table[name].reason for name in refused)
    assert {dtype.value for dtype in DType} <= set(table)


@pytest.fixture(scope="module")
def shares(answer_of: Callable[..., Any]) -> dict[str, dict[str, float]]:
    """How much the interpreter gets right, by dtype and operation."""
    found: dict[str, dict[str, float]] = answer_of("arithmetic")
    return found


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_dtypes_declared_full_are_computed_rightly(
    backend: Backend, shares: dict[str, dict[str, float]], dtype: str
) -> None:
    assert backend.capabilities(backend.discover_devices()[0]).of(dtype).support is Support.FULL
    assert set(shares[dtype].values()) == {1.0}


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_dtypes_declared_unsupported_are_moved_rightly_and_computed_wrongly(
    shares: dict[str, dict[str, float]], dtype: str
) -> None:
    assert shares[dtype]["copy"] == 1.0
    assert shares[dtype]["add"] < 0.5
    assert shares[dtype]["larger"] < 0.9
    assert shares[dtype]["add in fp32"] < 0.99


def test_bf16_products_are_wrong_too(shares: dict[str, dict[str, float]]) -> None:
    assert shares["bfloat16"]["product"] < 0.1


def test_autotuned_kernels_run_their_first_valid_configuration(answer_of: Callable[..., Any]) -> None:
    assert answer_of("tuned") == {
        "plain": [16],
        "even": [16],
        "pruned": [32],
        "model": [16],
        "gpu": [16],
        "best": {"BLOCK": 16},
        "hook": "pre_hook BLOCK=16",
    }


def test_without_the_set_up_an_autotuned_kernel_finds_no_gpu(answer_of: Callable[..., Any]) -> None:
    assert "0 active drivers" in answer_of("tuned", prepared=False)


def test_host_code_written_for_cuda_runs(answer_of: Callable[..., Any]) -> None:
    assert answer_of("for_cuda") == {
        "x": [0, 2, 4, 6, 8],
        "programs": 1,
        "target": "cpu",
        "multiprocessors": 1,
        "capability": "the interpreter is no GPU: it has no major",
    }


def test_without_the_set_up_it_fails(answer_of: Callable[..., Any]) -> None:
    assert "0 active drivers" in answer_of("for_cuda", prepared=False)


@pytest.mark.parametrize(
    ("torch", "triton", "health", "found"),
    [
        ("2.13.0+cpu", "3.9.0", Health.OK, "1 device: torch 2.13.0+cpu, Triton 3.9.0 interpreter"),
        (None, "3.9.0", Health.WARN, "torch not installed"),
        ("2.13.0", None, Health.WARN, "triton not installed"),
        (None, None, Health.WARN, "torch and triton not installed"),
    ],
)
def test_the_doctor_says_what_is_missing_and_how_to_get_it(
    torch: str | None, triton: str | None, health: Health, found: str
) -> None:
    finding = check(torch, triton)
    assert (finding.health, finding.found) == (health, found)
    assert finding.fix == ("" if health is Health.OK else 'pip install "kgb-backend-cpu[stack]"')


def test_this_machine_passes_its_own_check(backend: Backend) -> None:
    assert [finding.health for finding in backend.doctor_checks()] == [Health.OK]


def test_the_front_door_imports_nothing_heavy() -> None:
    code = "import sys, kgb_backend_cpu; print(sorted({'torch', 'triton', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
