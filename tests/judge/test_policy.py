"""From what was observed to a verdict: failures, the ends of workers, and who did an operator's work."""

from __future__ import annotations

from typing import Any

import pytest

from kgb_core.judge.policy import (
    foreign,
    message_of_failure,
    verdict_of_end,
    verdict_of_failure,
)
from kgb_core.models.verdict import Verdict
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Operator, Work
from kgb_core.worker.handle import WorkerGone
from kgb_core.worker.protocol import Failed, Stage


def failed(type_name: str = "RuntimeError", message: str = "", **fields: Any) -> Failed:
    values: dict[str, Any] = {
        "stage": Stage.CALL,
        "type": type_name,
        "bases": ("Exception",),
        "message": message,
        "traceback": "",
        "declined": False,
        "in_compiler": False,
        **fields,
    }
    return Failed(**values)


TRITON_OOR = "triton.runtime.errors.OutOfResources"
TABLE = {
    "import": (failed("ImportError", stage=Stage.IMPORT), Verdict.IMPORT_ERROR),
    "own raise at import": (failed("ValueError", stage=Stage.IMPORT, declined=True), Verdict.IMPORT_ERROR),
    "no entry": (failed("", stage=Stage.ENTRY), Verdict.NO_ENTRY),
    "signature": (failed("", stage=Stage.SIGNATURE), Verdict.BAD_SIGNATURE),
    "unreadable output": (failed("RuntimeError", stage=Stage.OUTPUT), Verdict.WRONG_STRUCTURE),
    "inputs": (failed("RuntimeError", stage=Stage.INPUT), Verdict.HARNESS_ERROR),
    "declined": (failed("NotImplementedError", "no float64", declined=True), Verdict.REFUSED),
    "declined, in words of the device": (
        failed("RuntimeError", "out of memory", declined=True),
        Verdict.REFUSED,
    ),
    "plain": (failed("IndexError", "list index out of range"), Verdict.RUNTIME_ERROR),
    "illegal access": (
        failed("RuntimeError", "CUDA error: an illegal memory access was encountered"),
        Verdict.DEVICE_FAULT,
    ),
    "device assert": (failed("RuntimeError", "device-side assert triggered"), Verdict.DEVICE_FAULT),
    "hip": (failed("RuntimeError", "HIP error: unspecified launch failure"), Verdict.DEVICE_FAULT),
    "accelerator error": (failed("torch.AcceleratorError", "unknown"), Verdict.DEVICE_FAULT),
    "shared memory": (
        failed(TRITON_OOR, "out of resource: shared memory, Required: 262144, Hardware limit: 101376"),
        Verdict.OUT_OF_RESOURCES,
    ),
    "device memory": (failed("torch.OutOfMemoryError", "CUDA out of memory."), Verdict.OUT_OF_MEMORY),
    "host memory": (failed("MemoryError", ""), Verdict.OUT_OF_MEMORY),
    "a kind of host memory": (
        failed("numpy._ArrayMemoryError", "", bases=("MemoryError", "Exception")),
        Verdict.OUT_OF_MEMORY,
    ),
    "torch on the host": (
        failed("RuntimeError", "DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"),
        Verdict.OUT_OF_MEMORY,
    ),
    "triton's own error": (
        failed("triton.compiler.errors.CompilationError", "at 3:4"),
        Verdict.COMPILE_ERROR,
    ),
    "a kind of it": (
        failed("X.UnsupportedLanguageConstruct", "at 3", bases=("triton.compiler.errors.CompilationError",)),
        Verdict.COMPILE_ERROR,
    ),
    "inside the compiler": (failed("AssertionError", "", in_compiler=True), Verdict.COMPILE_ERROR),
    "launch": (failed("RuntimeError", "Triton Error [CUDA]: invalid argument"), Verdict.LAUNCH_ERROR),
    "grid": (failed("RuntimeError", "invalid configuration argument"), Verdict.LAUNCH_ERROR),
}


@pytest.mark.parametrize(("failure", "verdict"), TABLE.values(), ids=TABLE)
def test_what_an_exception_means(failure: Failed, verdict: Verdict) -> None:
    assert verdict_of_failure(failure) is verdict


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [("timeout", Verdict.TIMEOUT), ("violation", Verdict.TAMPERING), ("exit", Verdict.CRASHED)],
)
def test_what_the_end_of_a_worker_means(reason: str, verdict: Verdict) -> None:
    assert verdict_of_end(WorkerGone(reason, "signal SIGKILL")) is verdict


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (
            failed("triton.compiler.errors.CompilationError", "\nat 3:4:\n  x = y"),
            "CompilationError: at 3:4:",
        ),
        (failed("ValueError", ""), "ValueError"),
        (failed("", "softmax is not defined"), "softmax is not defined"),
    ],
    ids=["two lines", "no words", "no type"],
)
def test_one_line_for_a_failure(failure: Failed, text: str) -> None:
    assert message_of_failure(failure) == text


def kind_of(kind: Kind = Kind.COMPUTE, work: Work = Work.ARITHMETIC) -> Operator:
    return Operator("aten::t", lambda self: self, Exact(), kind=kind, work=work)


COMPUTE = kind_of()
MOVEMENT = kind_of(work=Work.MOVEMENT)
FILLING = kind_of(Kind.FACTORY, Work.FILLING)
RANDOM = kind_of(Kind.RANDOM)
VIEW = kind_of(Kind.VIEW, Work.MOVEMENT)
HOST_READ = kind_of(Kind.HOST_READ, Work.MOVEMENT)

HELPERS = "empty_like empty_strided view as_strided expand permute reshape detach result_type is_contiguous"


@pytest.mark.parametrize(
    "operator", [COMPUTE, MOVEMENT, FILLING, RANDOM, VIEW, HOST_READ], ids=lambda o: o.kind
)
@pytest.mark.parametrize("helper", HELPERS.split())
def test_memory_views_and_metadata_do_nobodys_work(operator: Operator, helper: str) -> None:
    assert foreign(operator, {f"aten::{helper}": 1}) == ()


@pytest.mark.parametrize(
    "operator", [COMPUTE, MOVEMENT, FILLING, RANDOM, VIEW, HOST_READ], ids=lambda o: o.kind
)
@pytest.mark.parametrize(
    "native",
    ["aten::_softmax", "aten::add", "aten::sum", "aten::index_select", "mine::softmax", "prims::cos"],
)
def test_arithmetic_is_always_somebodys_work(operator: Operator, native: str) -> None:
    assert foreign(operator, {native: 1}) == (native,)


RULES: dict[str, list[tuple[Operator, bool]]] = {
    "aten::clone": [(COMPUTE, True), (MOVEMENT, False), (FILLING, True), (VIEW, True), (HOST_READ, True)],
    "aten::_to_copy": [(COMPUTE, True), (MOVEMENT, False), (RANDOM, True)],
    "aten::copy_": [(COMPUTE, True), (MOVEMENT, False), (VIEW, True)],
    "aten::zeros": [(COMPUTE, True), (MOVEMENT, True), (FILLING, False)],
    "aten::fill_": [(COMPUTE, True), (FILLING, False)],
    "aten::full_like": [(MOVEMENT, True), (FILLING, False)],
    "aten::scalar_tensor": [(COMPUTE, True), (FILLING, False)],
    "aten::randint": [(RANDOM, True), (COMPUTE, False), (FILLING, False)],
    "aten::bernoulli": [(RANDOM, False)],
    "aten::_local_scalar_dense": [(RANDOM, True), (HOST_READ, True), (COMPUTE, False), (MOVEMENT, False)],
    "aten::t": [(VIEW, True), (COMPUTE, True)],
}


@pytest.mark.parametrize("name", RULES)
def test_a_helper_is_allowed_where_it_is_not_the_work_itself(name: str) -> None:
    for operator, fine in RULES[name]:
        assert (foreign(operator, {name: 1}) == ()) == fine, (operator.kind, operator.work)


def test_foreign_operators_are_listed_most_frequent_first() -> None:
    seen = {"aten::add": 1, "aten::sum": 5, "aten::empty": 9, "aten::abs": 1}
    assert foreign(COMPUTE, seen) == ("aten::sum", "aten::abs", "aten::add")
