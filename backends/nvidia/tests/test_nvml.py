"""NVML's answers, from a library that is written down here: every optional fact may be refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from kgb_backend_nvidia import nvml
from kgb_backend_nvidia.cards import NO_INSTANCE, PROHIBITED, devices_of


class NVMLError(Exception):
    """NVML's error, as the binding has it."""


@dataclass
class Gpu:
    """A GPU or an instance, as NVML knows it; a function that is absent is not supported."""

    answers: dict[str, Any]
    instances: list[Gpu] = field(default_factory=list)


H200 = {
    "nvmlDeviceGetName": "NVIDIA H200",
    "nvmlDeviceGetUUID": "GPU-1",
    "nvmlDeviceGetPciInfo": SimpleNamespace(busId="00000000:19:00.0", pciDeviceId=0x233510DE),
    "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=150754820096),
    "nvmlDeviceGetCudaComputeCapability": (9, 0),
    "nvmlDeviceGetNumGpuCores": 16896,
    "nvmlDeviceGetComputeMode": 0,
    "nvmlDeviceGetMigMode": (0, 0),
}


class Library:
    """A pynvml that answers from a list of GPUs."""

    NVMLError = NVMLError

    def __init__(self, gpus: list[Gpu | NVMLError], system: dict[str, Any] | None = None) -> None:
        self.gpus = gpus
        self.system = {"nvmlSystemGetDriverVersion": "580.159", "nvmlSystemGetCudaDriverVersion": 13000}
        self.system.update(system or {})
        self.open = False

    def nvmlInit(self) -> None:
        self.open = True

    def nvmlShutdown(self) -> None:
        self.open = False

    def nvmlDeviceGetCount(self) -> int:
        return len(self.gpus)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> Gpu:
        gpu = self.gpus[index]
        if isinstance(gpu, NVMLError):
            raise gpu
        return gpu

    def nvmlDeviceGetMaxMigDeviceCount(self, gpu: Gpu) -> int:
        return 7

    def nvmlDeviceGetMigDeviceHandleByIndex(self, gpu: Gpu, index: int) -> Gpu:
        if index >= len(gpu.instances):
            raise NVMLError("Not Found")
        return gpu.instances[index]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("nvmlSystem"):
            return lambda: _answer(self.system.get(name))
        if name.startswith("nvmlDevice"):
            return lambda gpu: _answer(gpu.answers.get(name))
        raise AttributeError(name)


def _answer(answer: Any) -> Any:
    if answer is None:
        raise NVMLError("Not Supported")
    return answer


def test_everything_that_nvml_tells() -> None:
    library = Library([Gpu(H200)])
    answer = nvml.read(library)
    (card,) = answer.cards
    assert (answer.source, answer.driver, answer.cuda, answer.problem) == ("NVML", "580.159", "13.0", "")
    assert (card.name, card.uuid, card.pci_bus_id) == ("NVIDIA H200", "GPU-1", "00000000:19:00.0")
    assert (card.pci_vendor, card.arch, card.multiprocessors) == (0x10DE, "sm90", 132)
    assert (card.memory_bytes, card.problem, card.driver) == (150754820096, None, "580.159")
    assert library.open is False


def test_older_bindings_answer_in_bytes() -> None:
    old = {**H200, "nvmlDeviceGetName": b"Tesla K80", "nvmlDeviceGetUUID": b"GPU-2"}
    (card,) = nvml.read(Library([Gpu(old)], {"nvmlSystemGetDriverVersion": b"470.1"})).cards
    assert (card.name, card.uuid, card.driver) == ("Tesla K80", "GPU-2", "470.1")


@pytest.mark.parametrize("missing", H200)
def test_any_one_fact_may_be_missing(missing: str) -> None:
    known = {name: answer for name, answer in H200.items() if name != missing}
    (device,) = devices_of(nvml.read(Library([Gpu(known)])).cards)
    assert device.index == 0
    assert device.name


def test_all_facts_may_be_missing() -> None:
    library = Library([Gpu({})], {"nvmlSystemGetDriverVersion": None, "nvmlSystemGetCudaDriverVersion": None})
    (device,) = devices_of(nvml.read(library).cards)
    assert device.model_dump(exclude={"index", "name"}, exclude_none=True) == {}


def test_a_lost_gpu_is_listed_with_nvmls_words() -> None:
    answer = nvml.read(Library([Gpu(H200), NVMLError("GPU is lost")]))
    devices = devices_of(answer.cards)
    assert [device.state for device in devices] == [None, "GPU is lost"]
    assert [device.index for device in devices] == [0, 1]


def test_a_gpu_that_refuses_contexts_has_a_state() -> None:
    (card,) = nvml.read(Library([Gpu({**H200, "nvmlDeviceGetComputeMode": 2})])).cards
    assert card.problem == PROHIBITED


def test_instances_stand_for_their_gpu() -> None:
    small = {"nvmlDeviceGetName": "NVIDIA H200 MIG 1g.18gb", "nvmlDeviceGetUUID": "MIG-7"}
    small["nvmlDeviceGetMemoryInfo"] = SimpleNamespace(total=2**34)  # type: ignore[assignment]
    split = Gpu({**H200, "nvmlDeviceGetMigMode": (1, 1)}, [Gpu(small)])
    card, whole = nvml.read(Library([split, Gpu(H200)])).cards
    assert (card.name, card.uuid, card.memory_bytes) == ("NVIDIA H200 MIG 1g.18gb", "MIG-7", 2**34)
    assert (card.arch, card.multiprocessors, card.is_instance) == ("sm90", None, True)
    assert [device.index for device in devices_of([card, whole])] == [0, 1]


def test_mig_without_instances_can_not_be_used() -> None:
    (card,) = nvml.read(Library([Gpu({**H200, "nvmlDeviceGetMigMode": (1, 1)})])).cards
    assert card.problem == NO_INSTANCE


def test_a_library_that_does_not_start_is_quoted() -> None:
    class Broken(Library):
        def nvmlInit(self) -> None:
            raise NVMLError("Driver Not Loaded")

    answer = nvml.read(Broken([]))
    assert (answer.cards, answer.problem) == ((), "libnvidia-ml.so.1: Driver Not Loaded")
