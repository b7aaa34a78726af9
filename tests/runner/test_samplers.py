"""Random operators in the real pipeline: an honest sampler passes, every planted fault in it is found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_core.judge.check import Outcome
from kgb_core.models.case import Case, GeneratorArgument, Layout, NamedArgument
from kgb_core.models.dtypes import DType
from kgb_core.models.verdict import Verdict

if TYPE_CHECKING:
    from conftest import Court

KERNELS = Path(__file__).parents[2] / "kernels"
OPERATOR = "aten::exponential_"
SEED = "seed = torch.randint(2**63 - 1, (1,), generator=generator, device=self.device)"


@dataclass(frozen=True)
class Fault:
    """A sampler with one fault, and where it shows.

    Attributes:
        name: what is wrong.
        honest: a text that stands in the kernel once.
        faulty: what it is exchanged for.
        given: whether a generator is given.
        says: what the verdict's message must contain.
        verdict: on the case.
    """

    name: str
    honest: str
    faulty: str
    given: bool
    says: str
    verdict: Verdict = Verdict.WRONG_VALUE


def seeded(expression: str) -> str:
    """The seed from somewhere else, on the device."""
    return f"seed = torch.empty(1, dtype=torch.int64).fill_({expression})"


FAULTS = [
    Fault("ignores its seed", SEED, seeded("42"), False, "the next call gives the same numbers"),
    Fault(
        "ignores a given generator's state", SEED, seeded("42"), True, "the next call gives the same numbers"
    ),
    Fault(
        "uses the default generator in place of the given one",
        "generator=generator, device",
        "device",
        True,
        "with the same seed it draws other numbers",
        Verdict.NONDETERMINISTIC,
    ),
    Fault(
        "takes the seed and not the state",
        SEED,
        seeded("generator.initial_seed()"),
        True,
        "the next call gives the same numbers",
    ),
    Fault(
        "counts its calls instead",
        SEED,
        "_CALLS.append(1)\n    " + seeded("len(_CALLS)"),
        False,
        "with the same seed it draws other numbers",
        Verdict.NONDETERMINISTIC,
    ),
    Fault("shifts one stream", "key = tl.load(seed)", "key = tl.load(seed) * 0", False, "the same numbers"),
    Fault(
        "shifts one stream a little",
        "counter = program * RUN + lane",
        "counter = program * RUN + lane + (key % 64).to(tl.int32)\n    key = key * 0",
        False,
        "numbers that depend on the first call's",
    ),
    Fault(
        "returns a constant",
        "drawn = drawn * scale + ",
        "drawn = drawn * 0 + 0.7 if not WIDE else ",
        False,
        "1e-10",
    ),
    Fault("has the wrong rate", "scale = 1 / float(lambd)", "scale = 1.15 / float(lambd)", False, "1e-10"),
    Fault("repeats a block", "counter = program * RUN + lane", "counter = lane", False, "1e-10"),
    Fault(
        "draws pairs", "counter = program * RUN + lane", "counter = program * RUN + lane // 2", False, "1e-10"
    ),
    Fault(
        "has 16 bits", "bits = high.to(tl.uint32)", "bits = (high >> 16 << 16).to(tl.uint32)", False, "1e-10"
    ),
    Fault("leaves out the end", "mask=at < count", "mask=at < count - 1", False, "1e-10"),
]


def of(court: Court, given: bool) -> Case:
    """A case of some thousand draws in float32, with a generator or without one."""
    (found,) = [
        case
        for case in court.cases(OPERATOR)
        if case.dtypes() == {DType.FLOAT32}
        and case.tensors()[0].shape == (89, 92)
        and case.tensors()[0].layout is Layout.CONTIGUOUS
        and _has_generator(case.arguments) is given
        and _rate(case.arguments) in (1.0, 1.5)
    ]
    return found


def _has_generator(arguments: tuple[NamedArgument, ...]) -> bool:
    return any(isinstance(named.argument, GeneratorArgument) for named in arguments)


def _rate(arguments: tuple[NamedArgument, ...]) -> object:
    return next((getattr(n.argument, "value", None) for n in arguments if n.name == "lambd"), None)


def outcome_of(court: Court, source: str, given: bool) -> Outcome:
    (found,) = court.outcomes(OPERATOR, source, [of(court, given)])
    return found


def source() -> str:
    return (KERNELS / "aten__exponential_.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("given", [False, True], ids=["default", "given"])
def test_an_honest_sampler_passes(court: Court, given: bool) -> None:
    found = outcome_of(court, source(), given)
    assert (found.verdict, found.message) == (Verdict.PASSED, "")
    assert found.evidence.calls == 4


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_faulty_one_does_not(court: Court, fault: Fault) -> None:
    honest = source().replace("_RUN = 1024", "_CALLS = []\n_RUN = 1024")
    assert honest.count(fault.honest) == 1, "the kernel has changed: choose another place"
    found = outcome_of(court, honest.replace(fault.honest, fault.faulty), fault.given)
    assert found.verdict is fault.verdict, found.message
    assert fault.says in found.message
