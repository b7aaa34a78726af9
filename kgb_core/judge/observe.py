"""Describing what a call in this process left behind, as a candidate's worker would."""

from __future__ import annotations

from typing import Any

import torch

from kgb_core.judge.compare import Answer, AnswerTensor
from kgb_core.operators.binding import Bound
from kgb_core.operators.spec import Operator


def observed(operator: Operator, call: Bound, returned: Any) -> Answer:
    """The answer of a trusted call.

    Args:
        operator: what was called.
        call: with which arguments.
        returned: what it returned.
    """
    is_sequence = isinstance(returned, (tuple, list))
    items = list(returned) if is_sequence else [returned]
    outputs = [_as_answer(item, call) for item in items]
    return Answer(outputs, is_sequence, {name: call[name] for name in operator.mutates})


def _as_answer(item: Any, call: Bound) -> Any:
    if not isinstance(item, torch.Tensor):
        return item
    address = item.untyped_storage().data_ptr()
    shared = (path for path, tensor in call.tensors() if tensor.untyped_storage().data_ptr() == address)
    return AnswerTensor(item, tuple(item.stride()), next(shared, None) if address else None)
