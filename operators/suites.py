"""Which operators make a suite: names only, so that membership is read in one place."""

from __future__ import annotations

SMOKE = frozenset(
    f"aten::{entry}"
    for entry in """
    _to_copy add add_ amin argmax bernoulli bmm cat cos cumsum div embedding empty_strided eq full gather
    index_select item masked_fill_ mean mm mul pow rsqrt silu softmax sort sum t
    """.split()
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
