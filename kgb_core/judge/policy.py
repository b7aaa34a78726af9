"""From what was observed to a verdict: which exception means what, and which operators are a fallback."""

from __future__ import annotations

import re

from kgb_core.models.verdict import Verdict
from kgb_core.operators.spec import Kind, Operator, Work
from kgb_core.worker.handle import WorkerGone
from kgb_core.worker.protocol import Failed, Stage

ALLOCATION = frozenset(
    """empty empty_like empty_strided empty_permuted new_empty new_empty_strided set_ resize_ detach alias
    lift_fresh""".split()
)
"""Making tensors without contents; reading metadata dispatches nothing."""
METADATA = frozenset(
    """result_type promote_types can_cast is_same_size size stride numel dim storage_offset sym_size
    sym_stride
    sym_numel sym_storage_offset is_complex is_floating_point is_contiguous""".split()
)
"""Questions about dtypes and shapes: no element is touched."""
VIEW = frozenset(
    """view _unsafe_view as_strided expand permute transpose t slice select squeeze unsqueeze reshape
    _reshape_alias unfold narrow diagonal movedim view_as_real view_as_complex split split_with_sizes unbind
    chunk
    real imag conj _conj resolve_conj resolve_neg expand_as alias broadcast_to""".split()
)
"""Other ways to look at the same memory."""
MOVING = frozenset("clone copy_ _to_copy contiguous".split())
"""Preparation, unless moving data is the operator's work. Casts on the way in or out are among them."""
FILLING = frozenset(
    """zeros zeros_like new_zeros ones ones_like new_ones full full_like new_full zero_ fill_
    scalar_tensor""".split()
)
"""Initialisation, unless writing a value is the operator's work."""
SEEDING = frozenset("randint random_ item _local_scalar_dense".split())
"""How a sampler takes its seed from a generator."""
READING = frozenset("item _local_scalar_dense".split())
"""How a value gets to Python."""

_DEVICE_FAULT = re.compile(
    r"illegal memory access|device-side assert|misaligned address|unspecified launch failure"
    r"|illegal instruction|an illegal|hardware exception|invalid device function|AcceleratorError",
    re.I,
)
_OUT_OF_MEMORY = re.compile(
    r"out of memory|can't allocate memory|not enough memory|Cannot allocate memory", re.I
)
_OUT_OF_RESOURCES = re.compile(r"out of resources?|OutOfResources", re.I)
_LAUNCH = re.compile(r"invalid (argument|configuration)|invalid grid|launch failed|too many resources", re.I)


def allowed(operator: Operator) -> frozenset[str]:
    """ATen operators that a candidate for `operator` may dispatch: helpers that don't do its work."""
    names = ALLOCATION | METADATA | VIEW
    if operator.kind is Kind.RANDOM:
        names |= SEEDING
    if operator.kind is Kind.HOST_READ:
        names |= READING | MOVING
    if operator.kind is Kind.VIEW:
        names |= MOVING | {operator.entry}
    if operator.work is not Work.MOVEMENT:
        names |= MOVING
    if operator.work is not Work.FILLING:
        names |= FILLING
    return names


def foreign(operator: Operator, dispatched: dict[str, int]) -> tuple[str, ...]:
    """The dispatched operators that do an operator's work, most frequent first."""
    fine = allowed(operator)
    found = [name for name in dispatched if not _is_fine(name, fine)]
    return tuple(sorted(found, key=lambda name: (-dispatched[name], name)))


def _is_fine(name: str, fine: frozenset[str]) -> bool:
    namespace, _, base = name.partition("::")
    return namespace in ("aten", "prim") and base in fine


def verdict_of_failure(failed: Failed) -> Verdict:
    """What an exception out of a candidate means."""
    by_stage = {
        Stage.IMPORT: Verdict.IMPORT_ERROR,
        Stage.ENTRY: Verdict.NO_ENTRY,
        Stage.SIGNATURE: Verdict.BAD_SIGNATURE,
        Stage.OUTPUT: Verdict.WRONG_STRUCTURE,
        Stage.INPUT: Verdict.HARNESS_ERROR,
    }
    return by_stage.get(failed.stage) or _verdict_of_exception(failed)


def _verdict_of_exception(failed: Failed) -> Verdict:
    words = f"{failed.type} {' '.join(failed.bases)} {failed.message}"
    if failed.declined:
        return Verdict.REFUSED
    if _DEVICE_FAULT.search(words):
        return Verdict.DEVICE_FAULT
    if _OUT_OF_RESOURCES.search(words):
        return Verdict.OUT_OF_RESOURCES
    if "MemoryError" in words or _OUT_OF_MEMORY.search(words):
        return Verdict.OUT_OF_MEMORY
    if failed.in_compiler or "CompilationError" in words:
        return Verdict.COMPILE_ERROR
    if _LAUNCH.search(failed.message):
        return Verdict.LAUNCH_ERROR
    return Verdict.RUNTIME_ERROR


def verdict_of_end(gone: WorkerGone) -> Verdict:
    """What the end of a worker means."""
    return {"timeout": Verdict.TIMEOUT, "violation": Verdict.TAMPERING}.get(gone.reason, Verdict.CRASHED)


def message_of_failure(failed: Failed) -> str:
    """One line: the exception's class and its first line."""
    first = failed.message.strip().splitlines()[0] if failed.message.strip() else ""
    name = failed.type.rsplit(".", 1)[-1]
    return ": ".join(part for part in (name, first) if part)
