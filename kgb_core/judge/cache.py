"""Right answers already known: one for each (operator, case, seed), kept while memory allows."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch

from kgb_core.judge.bounds import Bounds
from kgb_core.judge.compare import Answer, AnswerTensor, Finding, judge_answer
from kgb_core.judge.golden import Expected, ExpectedTensor, expect
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.far import held_bytes
from kgb_core.operators.spec import Operator

_BUDGET_BYTES = 256 << 20
_NATIVE_SHARE = 0.05
"""A native implementation whose error is more than this share of the values says that the case is wrong."""


@dataclass(frozen=True)
class Known:
    """The right answer of one call, and how the native implementation did on it."""

    bound: Bound
    expected: Expected
    bounds: Bounds
    allowed: float = 1.0
    native: Finding | None = None
    native_error: str = ""
    invalid: str = ""

    @classmethod
    def of(cls, operator: Operator, bound: Bound, tolerance: Tolerance) -> Known:
        """Compute the right answer."""
        expected = expect(operator, bound)
        return cls(bound, expected, Bounds(operator, bound, expected, tolerance))

    def with_native(self, operator: Operator, answer: Answer | str, tolerance: Tolerance) -> Known:
        """The same, with the native answer weighed: it may widen the bound, or void the case."""
        if isinstance(answer, str):
            return replace(self, native_error=answer)
        on_golden_side = _moved(answer, self.device)
        finding = judge_answer(operator, self.bound, self.expected, self.bounds, on_golden_side)
        if finding.verdict is not Verdict.PASSED and not _is_coarse(finding):
            return replace(self, native=finding, invalid=f"the native implementation: {finding.message}")
        scale = finding.errors.scale if finding.errors else 0.0
        return replace(self, native=finding, allowed=max(1.0, tolerance.native_factor * scale))

    @property
    def device(self) -> torch.device:
        """Where golden values lie."""
        return next((t.value.device for t in self._expected_tensors()), torch.device("cpu"))

    @property
    def numel(self) -> int:
        """Elements of all outputs and mutated arguments."""
        return sum(t.value.numel() for t in self._expected_tensors())

    def bytes_read(self, sparse: frozenset[str]) -> int:
        """Inputs read once, in bytes; expanded ones count what is stored, sparse ones nothing."""
        return sum(_stored(t) for path, t in self.bound.tensors() if path.split("[")[0] not in sparse)

    def bytes_written(self, sparse: frozenset[str]) -> int:
        """Outputs written once, in bytes; views are not written, and of sparse arguments perhaps nothing."""
        outputs = [o for o in self.expected.outputs if isinstance(o, ExpectedTensor) and o.alias is None]
        mutated = [t for name, t in self.expected.mutated.items() if name not in sparse]
        return sum(int(t.value.numel() * t.dtype.itemsize) for t in [*outputs, *mutated])

    @property
    def size(self) -> int:
        """Bytes that keeping it costs."""
        inputs = sum(held_bytes(tensor) for _, tensor in self.bound.tensors())
        return inputs + sum(held_bytes(expected.value) for expected in self._expected_tensors())

    def _expected_tensors(self) -> Iterator[ExpectedTensor]:
        for output in self.expected.outputs:
            if isinstance(output, ExpectedTensor):
                yield output
        yield from self.expected.mutated.values()


def _is_coarse(finding: Finding) -> bool:
    """True where an answer misses the bound and is right all the same: it rounds more than it should."""
    errors = finding.errors
    if finding.verdict is not Verdict.WRONG_VALUE or errors is None or not math.isfinite(errors.scale):
        return False
    return errors.rms <= _NATIVE_SHARE * errors.golden_rms


class KnownAnswers:
    """A bounded cache, oldest out first."""

    def __init__(self, budget_bytes: int = _BUDGET_BYTES) -> None:
        self._budget = budget_bytes
        self._entries: OrderedDict[str, Known] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._total = 0

    def get(self, key: str, compute: Callable[[], Known]) -> Known:
        """The answer under `key`, computed if it is not there."""
        if key not in self._entries:
            self._entries[key] = compute()
        self._entries.move_to_end(key)
        self._weigh(key, self._entries[key].size)
        while len(self._entries) > 1 and self._total > self._budget:
            oldest, _ = self._entries.popitem(last=False)
            self._weigh(oldest, 0)
        return self._entries[key]

    def _weigh(self, key: str, size: int) -> None:
        """Keep the sum up to date: adding all up at each answer would grow with their square."""
        self._total += size - self._sizes.pop(key, 0)
        if size:
            self._sizes[key] = size


def _moved(answer: Answer, device: torch.device) -> Answer:
    outputs = [
        replace(o, elements=o.elements.to(device)) if isinstance(o, AnswerTensor) else o
        for o in answer.outputs
    ]
    return replace(
        answer, outputs=outputs, mutated={name: t.to(device) for name, t in answer.mutated.items()}
    )


def _stored(tensor: torch.Tensor) -> int:
    if not tensor.numel():
        return 0
    distinct = 1
    for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
        distinct *= size if stride else 1
    return distinct * tensor.element_size()
