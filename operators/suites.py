"""Which operators make a suite: names only, so that membership is read in one place."""

from __future__ import annotations

SMOKE = frozenset(
    """aten::add aten::add_ aten::mul aten::div aten::pow aten::cos aten::rsqrt aten::silu aten::softmax aten::sum
    aten::mean aten::amin aten::argmax aten::cumsum aten::mm aten::bmm aten::embedding aten::gather
    aten::index_select aten::masked_fill_ aten::cat aten::sort aten::eq aten::_to_copy aten::t aten::full aten::item
    aten::bernoulli aten::empty_strided""".split()
)
"""A few of each kind of difficulty: seconds under the interpreter."""


def suites_of(name: str) -> frozenset[str]:
    """The suites that an operator belongs to.

    Args:
        name: with its namespace. All ATen operators are in `mc`, which every chip runs; all are in `ms`.
    """
    suites = {"ms"}
    if name.startswith("aten::"):
        suites.add("mc")
    if name in SMOKE:
        suites.add("smoke")
    return frozenset(suites)
