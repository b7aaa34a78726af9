"""A small registry, so that matching is tested without any installed operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgb_core.operators.registry import Registry, registry_of
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator


def _reference(self: Any) -> Any:
    """The same value."""
    return self


@pytest.fixture
def registry() -> Registry:
    names = ("aten::softmax", "aten::add_", "aten::_to_copy", "aten::silu", "vllm::silu", "vllm::rms_norm")
    declare: Callable[[str], Any] = lambda name: operator(name, numeric=Exact(), tags=("smoke",))(_reference)  # noqa: E731
    return registry_of(declare(name) for name in names)
