"""What an operator is: one declared function that is reference, native baseline and documentation at once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from kgb_core.errors import OperatorError
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.operators.rules import NumericRule

Reference = Callable[..., Any]


class Kind(str, Enum):
    """What sort of work an operator is."""

    COMPUTE = "compute"
    """A Triton kernel must do the work."""
    VIEW = "view"
    """Metadata or a copy: both accepted, told apart, never in a speedup."""
    FACTORY = "factory"
    """Makes a tensor from nothing; a Triton kernel must fill it."""
    HOST_READ = "host_read"
    """Brings a value to Python."""
    RANDOM = "random"
    """Judged by distribution tests."""
    UNINITIALISED = "uninitialised"
    """Only metadata is defined."""

    @property
    def timed(self) -> bool:
        """True where a speedup means something."""
        return self in (Kind.COMPUTE, Kind.FACTORY, Kind.RANDOM)

    @property
    def needs_launch(self) -> bool:
        """True where a non-empty answer without any Triton launch is a fallback."""
        return self.timed


class Work(str, Enum):
    """What the operator's work consists of: the ATen helpers a candidate may then not lean on."""

    ARITHMETIC = "arithmetic"
    """Copies and fills are allowed as preparation."""
    MOVEMENT = "movement"
    """The work is moving data: `clone`, `copy_`, `_to_copy` would do it."""
    FILLING = "filling"
    """The work is writing a value: `fill_`, `zeros`, `full` would do it."""


class Strides(str, Enum):
    """Which strides an output may have."""

    DENSE = "dense"
    """Any order of dimensions without holes or overlap."""
    EXACT = "exact"
    """Those of the reference."""


@dataclass(frozen=True)
class Samples:
    """Cases that were made from samples of torch's own.

    Attributes:
        cases: of the tier `opinfo`.
        skipped: how many samples no case can say, by reason.
    """

    cases: tuple[Case, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(eq=False)
class Operator:
    """A declared operator with its cases; made by `operator`, filled by `check` and `perf`."""

    name: str
    reference: Reference
    numeric: NumericRule
    kind: Kind = Kind.COMPUTE
    work: Work = Work.ARITHMETIC
    strides: Strides = Strides.DENSE
    mutates: frozenset[str] = frozenset()
    """Parameters that the operator changes in place; the first of them is also what it returns."""
    sparse: frozenset[str] = frozenset()
    """Parameters of which a call may touch only a part, as a table of which rows are looked up: they add
    nothing
    to the roofline floor."""
    unread: frozenset[str] = frozenset()
    """Parameters whose elements a call need not read: what is only overwritten, or only lends its size."""
    tags: frozenset[str] = frozenset()
    flops: Callable[..., float] | None = None
    """Floating-point operations of one call, from the same arguments as the reference."""
    golden: Reference | None = None
    """Where the reference evaluated in float64 is not the truth, the function that is."""
    constant: float | None = None
    """The value of every element of every answer, where the operator is defined by it, as zeros and ones."""
    cases: list[Case] = field(default_factory=list)
    sampler: Callable[[], Samples] | None = None
    """Makes the cases of the tier `opinfo`, which are not declared."""

    @property
    def source(self) -> str:
        """`aten`, `vllm`, `cublas`, or a third party's name."""
        return self.name.split("::", 1)[0]

    @property
    def entry(self) -> str:
        """The name of the function that a candidate must define."""
        return self.name.split("::", 1)[1]

    @cached_property
    def signature(self) -> inspect.Signature:
        """The signature of the entry function, annotations as strings."""
        return inspect.signature(self.reference)

    @property
    def semantics(self) -> str:
        """The first paragraph of the docstring."""
        return (inspect.getdoc(self.reference) or "").split("\n\n")[0]

    def check(self, *groups: Case | Iterable[Case]) -> None:
        """Add cases whose values are compared."""
        self.cases.extend(self._added(case, {"purpose": Purpose.CHECK}) for case in _flat(groups))

    def perf(self, *groups: Case | Iterable[Case], weight: float = 1.0) -> None:
        """Add cases that are timed (and checked): real shapes, each with its origin as title.

        Args:
            groups: cases and grids of them.
            weight: share of each of these cases in the operator's speedup.

        Raises:
            OperatorError: a case has no title.
        """
        for case in _flat(groups):
            if not case.title:
                raise OperatorError(f"{self.name}: a perf case needs its origin as title", case.label)
            self.cases.append(self._added(case, {"purpose": Purpose.PERF, "weight": weight}))

    def _added(self, case: Case, update: dict[str, Any]) -> Case:
        """The case as it is kept: arguments in the order of the signature, whatever its author's order.

        The first of them are passed by position, and equal cases have equal ids.
        """
        order = {name: place for place, name in enumerate(self.signature.parameters)}
        arguments = sorted(case.arguments, key=lambda named: order.get(named.name, len(order)))
        return case.model_copy(update={**update, "arguments": tuple(arguments)})

    @cached_property
    def samples(self) -> Samples:
        """The samples of the tier `opinfo`; none where nobody makes any. Making them imports torch."""
        return self.sampler() if self.sampler else Samples()

    def selected(self, purpose: Purpose, tier: Tier) -> list[Case]:
        """The cases for a purpose that a run of `tier` contains, in declared order."""
        if tier is Tier.OPINFO:
            return list(self.samples.cases) if purpose is Purpose.CHECK else []
        return [case for case in self.cases if case.purpose is purpose and tier.includes(case.tier)]


def operator(
    name: str,
    *,
    numeric: NumericRule,
    kind: Kind = Kind.COMPUTE,
    work: Work = Work.ARITHMETIC,
    strides: Strides = Strides.DENSE,
    mutates: Iterable[str] = (),
    sparse: Iterable[str] = (),
    unread: Iterable[str] = (),
    tags: Iterable[str] = (),
    flops: Callable[..., float] | None = None,
    golden: Reference | None = None,
    constant: float | None = None,
) -> Callable[[Reference], Operator]:
    """Declare an operator; the decorated function becomes an `Operator`.

    Args:
        name: `namespace::entry`.
        numeric: how answers are compared.
        kind: what sort of work it is.
        work: what a fallback would consist of.
        strides: which strides an output may have.
        mutates: parameters changed in place.
        sparse: parameters of which a call may touch only a part.
        unread: parameters whose elements a call need not read.
        tags: suites that the operator belongs to beyond its namespace's.
        flops: floating-point operations of one call.
        golden: the truth, where the reference in float64 isn't.
        constant: the value of every element, where the operator is defined by it.

    Raises:
        OperatorError: the name has no namespace, or the function has no docstring.
    """
    if "::" not in name:
        raise OperatorError(f"operator {name!r} has no namespace", hint='write "aten::softmax"')

    def declare(reference: Reference) -> Operator:
        if not inspect.getdoc(reference):
            raise OperatorError(f"operator {name} states no semantics", hint="give its function a docstring")
        return Operator(
            name=name,
            reference=reference,
            numeric=numeric,
            kind=kind,
            work=work,
            strides=strides,
            mutates=frozenset(mutates),
            sparse=frozenset(sparse),
            unread=frozenset(unread),
            tags=frozenset(tags),
            flops=flops,
            golden=golden,
            constant=constant,
        )

    return declare


def _flat(groups: Iterable[Case | Iterable[Case]]) -> Iterable[Case]:
    for group in groups:
        if isinstance(group, Case):
            yield group
        else:
            yield from group
