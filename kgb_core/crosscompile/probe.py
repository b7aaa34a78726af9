"""How far this machine's compilers get for each target, found out with the smallest kernel."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from kgb_core.crosscompile.conduct import Aim, Job, Order, compile_all
from kgb_core.crosscompile.protocol import Call
from kgb_core.crosscompile.records import TargetResult
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Case, NamedArgument, TensorSpec
from kgb_core.models.device import Target
from kgb_core.models.dtypes import DType
from kgb_core.worker.sandbox import Sandbox

_SOURCE = '''"""Twice as much: the least that is a kernel."""

import torch
import triton
import triton.language as tl


@triton.jit
def twice_kernel(out, source, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(source + at, mask=at < count) * 2, mask=at < count)


def twice(self):
    out = torch.empty_like(self)
    twice_kernel[(1,)](out, self, self.numel(), BLOCK=64)
    return out
'''


def probe(aims: Iterable[Aim], seconds: float, level: Sandbox) -> dict[str, TargetResult]:
    """How far each target gets, by its name; targets of one architecture share an answer.

    Args:
        aims: what to try.
        seconds: limit for one target.
        level: the sandbox.
    """
    listed = list(aims)
    alike = {_architecture(aim.target): aim for aim in reversed(listed)}
    order = Order(tuple(alike.values()), seconds, level, workers=1)
    (result,) = compile_all([_job()], order, lambda finished: None)
    found = dict(zip(alike, result.results, strict=True))
    return {aim.target.name: found[_architecture(aim.target)] for aim in listed}


def _architecture(target: Target) -> tuple[object, ...]:
    return (target.vendor, target.triton_backend, target.triton_arch)


def _job() -> Job:
    argument = NamedArgument(name="self", argument=TensorSpec(shape=(64,), dtype=DType.FLOAT32))
    candidate = Candidate(
        operator="probe::twice",
        name="probe__twice",
        source=_SOURCE,
        sha256=hashlib.sha256(_SOURCE.encode()).hexdigest(),
        pack="probe",
        path="",
    )
    call = Call(case=Case(arguments=(argument,)), positional=1)
    return Job(candidate, "twice", (call,), needs_launch=True)
