"""PyTorch's own samples as cases: the `opinfo` tier.

torch tests its operators with samples that it calls OpInfo. They ship with torch and change with its version,
so they are made when they are asked for, by the torch that is installed, and the tier's suite hash has its
version in it. A sample becomes a case with literal values, or is left out for a reason that is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgb_core.errors import KgbError
from kgb_core.lazy import lazy_module, torch
from kgb_core.models.case import Case
from kgb_core.models.dtypes import DType
from kgb_core.operators.spec import Kind, Operator, Samples

if TYPE_CHECKING:
    import numpy as np

    from kgb_core.operators import samples
else:
    np = lazy_module("numpy")
    samples = lazy_module("kgb_core.operators.samples")

ALIKE = frozenset(
    """
    acosh add amin arange argmax as_strided asin bernoulli bitwise_not bmm cat clone contiguous cos cosh
    cumsum diff div empty_strided eq erfc expand expand_as floor floor_divide fmax full gather gt heaviside i0
    index_select item le log10 logaddexp2 logit matmul mean mm mul narrow neg new_empty_strided new_ones
    ones_like polygamma pow renorm reshape resolve_conj resolve_neg rot90 rsqrt rsub scalar_tensor scatter
    select sgn sin softmax sort square stack sub sum t to unsafe_split unsqueeze zero_ zeros zeros_like
    """.split()
)
"""Operators whose samples bear their name; an in-place one takes those of the name without its underscore."""
NEURAL = frozenset(
    """
    binary_cross_entropy_with_logits embedding hardsigmoid huber_loss linear margin_ranking_loss mish
    pairwise_distance prelu silu soft_margin_loss
    """.split()
)
"""Operators whose samples are those of `torch.nn.functional`."""
RENAMED = {
    "_index_put_impl_": "index_put",
    "_local_scalar_dense": "item",
    "_softmax": "softmax",
    "_to_copy": "to",
    "exponential_": "exponential",
    "fill_": "fill",
    "im2col": "nn.functional.unfold",
    "index_put_": "index_put",
    "masked_fill_": "masked_fill",
    "special_entr": "special.entr",
}
TYPES = (DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.INT64, DType.BOOL)
"""Element types that samples are made of, where both torch and the operator's own cases have them."""
REVERSED = frozenset({"polygamma"})
"""Entries that take the order first and the tensor after; samples have the tensor first."""
REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
"""ATen's numbers for what `torch.nn.functional` calls by name."""
DECLINED = "arguments that the operator declines"
ELSEWISE = "arguments that mean something else to the entry"


def name_of(operator: str) -> str | None:
    """What torch calls the samples of an operator; `None` if it has none."""
    entry = operator.removeprefix("aten::")
    if entry in RENAMED:
        return RENAMED[entry]
    if entry in NEURAL:
        return f"nn.functional.{entry}"
    plain = entry if entry in ALIKE else entry.removesuffix("_")
    return plain if plain in ALIKE else None


@dataclass(frozen=True)
class Sampler:
    """Makes the samples of one operator.

    Attributes:
        operator: whose entry they are for.
        name: what torch calls them.
    """

    operator: Operator
    name: str

    def __call__(self) -> Samples:
        """Make them.

        Raises:
            KgbError: torch's testing module can't be imported here.
        """
        found: dict[str, Case] = {}
        skipped: Counter[str] = Counter()
        with _settled():
            for title, sample, wanted in self._samples():
                try:
                    case = self._case(title, sample, wanted)
                    found.setdefault(case.id, case)
                except samples.Inexpressible as reason:
                    skipped[str(reason)] += 1
        return Samples(tuple(found.values()), dict(skipped))

    def _samples(self) -> Iterator[tuple[str, Any, Any]]:
        """Title, sample, and the function of torch that it is a sample for."""
        own = {tensor.dtype for case in self.operator.cases for tensor in case.tensors()}
        for info in _database():
            if info.name != self.name:
                continue
            for dtype in (t for t in TYPES if t in own or not own):
                kind = getattr(torch, dtype.value)
                if kind in info.supported_dtypes("cpu"):
                    for number, sample in enumerate(_made(info, kind)):
                        yield f"OpInfo {info.full_name} {dtype.short} {number}", sample, info.op

    def _case(self, title: str, sample: Any, wanted: Any) -> Case:
        if self.operator.mutates and sample.broadcasts_input:
            raise samples.Inexpressible("an input that is broadcast to something larger")
        args, kwargs = (sample.input, *sample.args), sample.kwargs
        mine = args[::-1] if self.operator.entry in REVERSED else args
        own = {
            name: REDUCTIONS.get(value, value) if name == "reduction" else value
            for name, value in kwargs.items()
        }
        case = samples.case_of(self.operator, title, mine, own)
        try:
            expected = wanted(*_copied(args), **kwargs)
            got = self.operator.reference(*_copied(mine), **own)
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            raise samples.Inexpressible(DECLINED) from error
        if self.operator.kind is not Kind.UNINITIALISED and not _agree(self.operator, got, expected):
            raise samples.Inexpressible(ELSEWISE)
        return case


def _made(info: Any, dtype: torch.dtype) -> list[Any]:
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    return list(info.sample_inputs("cpu", dtype, requires_grad=False))


def _database() -> list[Any]:
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except ImportError as error:
        raise KgbError(
            "torch's own samples can't be had here.",
            f"{type(error).__name__}: {error}",
            "pip install kgb-operators[opinfo]",
        ) from error
    found: list[Any] = op_db
    return found


@contextmanager
def _settled() -> Iterator[None]:
    """Samples use the generators of torch, numpy and Python: they are seeded and put back after."""
    python, array = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            yield
    finally:
        random.setstate(python)
        np.random.set_state(array)


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in args)


def _agree(operator: Operator, got: Any, expected: Any) -> bool:
    """Whether the entry means by a sample what torch means by it; draws need only be of the same kind."""
    mine, theirs = _flat(got), _flat(expected)
    if len(mine) != len(theirs):
        return False
    return all(
        _equal(one, other, operator.kind is Kind.RANDOM) for one, other in zip(mine, theirs, strict=True)
    )


def _flat(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def _equal(one: Any, other: Any, drawn: bool) -> bool:
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return type(one) is type(other) and (one == other or one != one)
    if one.shape != other.shape or one.dtype is not other.dtype:
        return False
    return drawn or bool(torch.isclose(one, other, equal_nan=True).all())
