"""Whatever a candidate does, it gets one status for each target, and nothing of it is left."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import psutil
import pytest

from kgb_core.crosscompile.conduct import Aim, Job, Order, compile_all
from kgb_core.crosscompile.protocol import Call
from kgb_core.crosscompile.records import CandidateResult, Status, TargetResult
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Case, NamedArgument, TensorSpec
from kgb_core.models.device import Target
from kgb_core.models.dtypes import DType
from kgb_core.models.launch import Stage
from kgb_core.plugins.loader import load_backends
from kgb_core.worker.sandbox import Sandbox, choose

CANDIDATES = Path(__file__).with_name("candidates")
CUDA, HIP, TTIR_ONLY = "nvidia:sm90", "amd:gfx942", "metax:c500"
SM90_SHARED = 227 * 1024
Results = dict[str, CandidateResult]


def target(name: str) -> Target:
    """A target of an installed backend."""
    vendor = name.partition(":")[0]
    return next(found for found in load_backends([vendor]).get(vendor).targets() if found.name == name)


def job(name: str, needs_launch: bool = True) -> Job:
    """A candidate, to be called with a square of numbers."""
    source = (CANDIDATES / f"{name}.py").read_text()
    candidate = Candidate(
        operator="aten::twice",
        name=name,
        source=source,
        sha256=hashlib.sha256(source.encode()).hexdigest(),
        pack="candidates",
        path="",
    )
    argument = NamedArgument(name="self", argument=TensorSpec(shape=(256, 256), dtype=DType.FLOAT32))
    return Job(candidate, "twice", (Call(case=Case(arguments=(argument,)), positional=1),), needs_launch)


def order(
    *names: str, seconds: float = 60.0, level: Sandbox | None = None, keep: Path | None = None
) -> Order:
    return Order(tuple(Aim(target(name)) for name in names), seconds, level or choose(), workers=2, keep=keep)


def unheard(result: CandidateResult) -> None:
    """Nobody watches."""


@pytest.fixture(scope="module")
def compiled() -> Results:
    """Every candidate that answers, on two chips."""
    names = sorted(path.stem for path in CANDIDATES.glob("*.py") if path.stem != "loops")
    results = compile_all([job(name) for name in names], order(CUDA, HIP), unheard)
    assert [result.name for result in results] == names
    return {result.name: result for result in results}


def on(compiled: Results, name: str, target: str) -> TargetResult:
    return next(result for result in compiled[name].results if result.target == target)


@pytest.mark.parametrize("target", [CUDA, HIP])
@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("broken", Status.IMPORT_ERROR, "OSError: no such library"),
        ("no_entry", Status.NO_ENTRY, "twice is not defined"),
        ("wrong_signature", Status.BAD_SIGNATURE, "missing a required argument: 'other'"),
        ("raises", Status.HOST_ERROR, "no_such_attribute"),
        ("refuses", Status.REFUSED, "NotImplementedError: not for this dtype"),
        ("nothing", Status.NO_LAUNCH, "no Triton kernel was launched"),
        ("mistyped", Status.COMPILE_ERROR, "at 3:23: Cannot make_shape_compatible"),
        ("greedy", Status.OUT_OF_RESOURCES, "(greedy_kernel: SIDE=256, num_warps=8)"),
    ],
)
def test_what_fails_is_told_with_its_reason(
    compiled: Results, name: str, status: Status, told: str, target: str
) -> None:
    result = on(compiled, name, target)
    assert (result.status, result.ok) == (status, False)
    assert told in result.message
    assert "\n" not in result.message


@pytest.mark.parametrize("target", [CUDA, HIP])
@pytest.mark.parametrize("name", ["plain", "autotuned", "asks"])
def test_what_is_right_becomes_a_binary(compiled: Results, name: str, target: str) -> None:
    result = on(compiled, name, target)
    assert (result.status, result.ok, result.stage) == (Status.COMPILED, True, Stage.BINARY), result.message
    assert result.nanoseconds > 0


def test_both_numbers_of_a_limit_are_told(compiled: Results) -> None:
    (launch,) = on(compiled, "greedy", CUDA).launches
    (excess,) = launch.excesses
    assert (excess.resource, excess.limit, excess.unit) == ("shared memory", SM90_SHARED, "bytes")
    assert excess.needed > SM90_SHARED
    assert launch.stage is Stage.BINARY
    assert f"shared memory {excess.needed} bytes, limit {SM90_SHARED}" in on(compiled, "greedy", CUDA).message


def test_the_same_launch_twice_is_compiled_once(compiled: Results) -> None:
    (launch,) = on(compiled, "plain", CUDA).launches
    assert launch.kernel == "plain_kernel"
    assert launch.signature == {"out": "*fp32", "source": "*fp32", "count": "i32", "BLOCK": "constexpr"}
    assert launch.configuration == {"BLOCK": "64"}
    assert launch.resources.threads_per_block == 4 * 32


def test_an_autotuned_kernel_gets_the_first_configuration_that_its_pruning_leaves(compiled: Results) -> None:
    (launch,) = on(compiled, "autotuned", HIP).launches
    assert launch.configuration.items() >= {"BLOCK": "256", "num_warps": "8", "WHOLE": "True"}.items()


@pytest.mark.parametrize(
    ("target", "seen"),
    [
        (CUDA, {"BACKEND": "'cuda'", "WARP": "32", "SHARED": str(SM90_SHARED)}),
        (HIP, {"BACKEND": "'hip'", "WARP": "64", "SHARED": "65536"}),
    ],
)
def test_host_code_sees_the_chip_that_was_asked_for(
    compiled: Results, target: str, seen: dict[str, str]
) -> None:
    (launch,) = on(compiled, "asks", target).launches
    assert launch.configuration == seen


def test_a_candidate_that_ends_its_worker_for_one_chip_is_compiled_for_the_next(compiled: Results) -> None:
    assert on(compiled, "exits", CUDA).status is Status.CRASHED
    assert on(compiled, "exits", CUDA).message == "exit code 7: the last words"
    assert on(compiled, "exits", HIP).status is Status.COMPILED


def test_a_candidate_that_waits_for_its_own_kernel_runs_into_the_limit() -> None:
    (result,) = compile_all([job("loops")], order(CUDA, HIP, seconds=4.0), unheard)
    assert [one.status for one in result.results] == [Status.TIMEOUT, Status.COMPILED]
    assert result.results[0].message == "no answer in 4 s"


def test_where_no_compiler_of_the_chip_is_here_the_result_says_so() -> None:
    (plain, asks) = compile_all([job("plain"), job("asks")], order(TTIR_ONLY), unheard)
    (result,) = plain.results
    assert (result.status, result.stage, result.ok) == (Status.COMPILED, Stage.TTIR, True)
    assert result.note.startswith("TTIR only, since")
    (launch,) = asks.results[0].launches
    assert launch.configuration["BACKEND"] == "'maca'"


def test_launching_nothing_is_right_for_a_view() -> None:
    (result,) = compile_all([job("nothing", needs_launch=False)], order(CUDA), unheard)
    assert (result.results[0].status, result.results[0].ok) == (Status.NO_LAUNCH, True)


def test_what_was_compiled_is_kept_with_what_the_compiler_said(tmp_path: Path) -> None:
    jobs = [job("plain"), job("mistyped")]
    compile_all(jobs, order(CUDA, HIP, keep=tmp_path), unheard)
    kept = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert kept["nvidia-sm90/aten__twice/plain/plain_kernel-1.cubin"][:4] == b"\x7fELF"
    assert b".target sm_90" in kept["nvidia-sm90/aten__twice/plain/plain_kernel-1.ptx"]
    assert kept["amd-gfx942/aten__twice/plain/plain_kernel-1.hsaco"][:4] == b"\x7fELF"
    assert b"gfx942" in kept["amd-gfx942/aten__twice/plain/plain_kernel-1.amdgcn"]
    assert b"2 * BLOCK" in kept["amd-gfx942/aten__twice/mistyped/mistyped_kernel-1.log"]
    assert not [name for name in kept if "mistyped" in name and not name.endswith(".log")]


def workers() -> list[psutil.Process]:
    """Compiling workers that this process started."""
    running = psutil.Process().children(recursive=True)
    return [process for process in running if any("crosscompile" in part for part in process.cmdline())]


def test_an_interrupt_ends_the_workers() -> None:
    def stop(result: CandidateResult) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        compile_all([job("nothing"), job("loops")], order(CUDA, seconds=120.0), stop)
    assert time.monotonic() - began < 60
    assert workers() == []


def usable() -> list[Sandbox]:
    """The sandboxes that this machine offers."""
    return list(Sandbox)[list(Sandbox).index(choose()) :]


@pytest.mark.parametrize("level", usable())
def test_every_sandbox_that_works_here_lets_the_compilers_work(level: Sandbox) -> None:
    (result,) = compile_all([job("plain")], order(CUDA, HIP, level=level), unheard)
    assert [one.stage for one in result.results] == [Stage.BINARY, Stage.BINARY]
