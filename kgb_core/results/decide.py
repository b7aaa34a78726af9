"""What another tolerance makes of a stored record, as far as what was stored can tell.

A record keeps the smallest factor on its bound under which the worst call still passes, and the same factor
for the native implementation. When every part of a tolerance changes by the same factor, both change by its
inverse and the verdict follows. When only some parts change, the bound of each element grows by a factor
between the least and the greatest of them: where both ends agree the verdict follows too, else it is open.

Two details can't be replayed: near the largest number of the dtype the allowance also decides whether an
overflow is right, and the bound has a constant of the size of the dtype's smallest normal number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from kgb_core.models.record import Errors, Record
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Family, Verdict
from kgb_core.operators.spec import Kind

_ROUNDING = 1e-9
_RIGHT = frozenset({Verdict.PASSED, Verdict.FALLBACK})
"""Verdicts on values within the bound."""
_WRONG = frozenset({Verdict.WRONG_VALUE, Verdict.NONDETERMINISTIC})
"""Verdicts on values outside the bound."""
_PARTS = ("ulps", "input_ulps", "accumulation")


class Fate(str, Enum):
    """What another tolerance makes of a record."""

    KEPT = "kept"
    """The same verdict, for certain."""
    MOVED = "moved"
    UNDECIDED = "undecided"
    """What was stored can't tell: a chip would have to judge it again. The verdict stays."""
    IMPOSSIBLE = "impossible"
    """Another tolerance matters and nothing to apply it to was stored. The verdict stays."""
    UNAFFECTED = "unaffected"
    """No tolerance has anything to do with the verdict."""


@dataclass(frozen=True)
class Decision:
    """What becomes of one record."""

    fate: Fate
    record: Record
    """As it is under the other tolerance."""
    why: str = ""


@dataclass(frozen=True)
class Growth:
    """The least and the greatest factor by which a bound can have grown."""

    low: float
    high: float


def decide(record: Record, tolerance: Tolerance | None) -> Decision:
    """Judge a stored record by another tolerance.

    Args:
        record: as stored.
        tolerance: the other one; `None` where the record has none.
    """
    if record.verdict is Verdict.INVALID_CASE:
        return Decision(
            Fate.IMPOSSIBLE, record, "the candidate was not called: the case was found unfit before"
        )
    if record.verdict not in _RIGHT | _WRONG:
        return Decision(Fate.UNAFFECTED, record)
    if record.errors is None or tolerance is None or record.tolerance is None:
        return Decision(Fate.UNAFFECTED, record, "not judged by a bound")
    if tolerance == record.tolerance:
        return Decision(Fate.KEPT, record)
    decided = _right if record.verdict in _RIGHT else _wrong
    return decided(record, record.errors, record.tolerance, tolerance)


def growth(old: Tolerance, new: Tolerance) -> Growth:
    """By how much bounds grow from one tolerance to another.

    A part that was 0 and no longer is may make a bound any number of times larger.
    """
    pairs = [(getattr(old, part), getattr(new, part)) for part in _PARTS]
    ratios = [after / before for before, after in pairs if before > 0]
    appeared = any(before == 0 and after > 0 for before, after in pairs)
    if not ratios:
        return Growth(1.0, math.inf if appeared else 1.0)
    return Growth(min(ratios), math.inf if appeared else max(ratios))


def _right(record: Record, errors: Errors, old: Tolerance, new: Tolerance) -> Decision:
    grown = growth(old, new)
    if _looser(grown, old, new) or _needed(errors, grown.low) <= 1:
        return Decision(Fate.KEPT, _with(record, errors, new, grown.low))
    if _surely_outside(errors, grown, new):
        moved = _with(record, errors, new, grown.high)
        changes = {"verdict": Verdict.WRONG_VALUE, "message": _said(errors), "timing": None}
        return Decision(Fate.MOVED, moved.model_copy(update=changes), _why(errors, grown, new))
    return Decision(Fate.UNDECIDED, record, _open(grown, "only the worst of its calls was stored"))


def _wrong(record: Record, errors: Errors, old: Tolerance, new: Tolerance) -> Decision:
    grown = growth(old, new)
    if _surely_outside(errors, grown, new):
        return Decision(Fate.KEPT, _with(record, errors, new, grown.high))
    inside = _needed(errors, grown.low) <= _allowed(errors, grown.high, new) * (1 + _ROUNDING)
    if not (inside and _looser(grown, old, new)):
        return Decision(Fate.UNDECIDED, record, _open(grown, "earlier calls might fail now"))
    right = _with(record, errors, new, grown.low).model_copy(update=_right_now(record))
    return Decision(Fate.MOVED, right, _why(errors, grown, new))


def _right_now(record: Record) -> dict[str, object]:
    """The verdict on right values, as the judge concludes it from what was observed."""
    evidence = record.evidence
    calls = f"as far as it was called: {evidence.calls} " + ("call" if evidence.calls == 1 else "calls")
    if evidence.foreign:
        message = f"right, but {', '.join(evidence.foreign[:3])} did the work"
        return {"verdict": Verdict.FALLBACK, "message": message}
    if Kind(record.kind).needs_launch and not evidence.launches:
        return {"verdict": Verdict.FALLBACK, "message": "right, but no Triton kernel was launched"}
    return {"verdict": Verdict.PASSED, "message": f"right under another tolerance, {calls}"}


def _looser(grown: Growth, old: Tolerance, new: Tolerance) -> bool:
    """True where whatever passed before passes still."""
    return grown.low >= 1 and new.native_factor >= old.native_factor


def _surely_outside(errors: Errors, grown: Growth, new: Tolerance) -> bool:
    return _needed(errors, grown.high) > _allowed(errors, grown.low, new) * (1 + _ROUNDING)


def _needed(errors: Errors, factor: float) -> float:
    """The smallest factor on the new bound that passes, if every bound grew by `factor`."""
    return _divided(errors.scale, factor)


def _allowed(errors: Errors, factor: float, new: Tolerance) -> float:
    """The factor on the new bound that the native implementation's own error allows."""
    return max(1.0, new.native_factor * _divided(errors.native_scale or 0.0, factor))


def _divided(scale: float, factor: float) -> float:
    if scale == 0 or math.isinf(factor):
        return 0.0
    return scale / factor if factor else math.inf


def _with(record: Record, errors: Errors, new: Tolerance, factor: float) -> Record:
    """The record with the new tolerance, and its factors in terms of it."""
    native = None if errors.native_scale is None else _divided(errors.native_scale, factor)
    changed = errors.model_copy(update={"scale": _needed(errors, factor), "native_scale": native})
    return record.model_copy(update={"errors": changed, "tolerance": new})


def _said(errors: Errors) -> str:
    place = f" at {errors.worst_index}" if errors.worst_index else ""
    return f"got {errors.got}, want {errors.want}{place}"


def _why(errors: Errors, grown: Growth, new: Tolerance) -> str:
    allowed = max(grown.high, new.native_factor * (errors.native_scale or 0.0))
    return (
        f"needs {errors.scale:.4g} times the bound that it was judged by; now {allowed:.4g} times is allowed"
    )


def _open(grown: Growth, reason: str) -> str:
    if grown.low == grown.high:
        return reason
    return f"its parts grew by factors from {grown.low:.4g} to {grown.high:.4g}; only their sum was stored"


def is_wrong(record: Record) -> bool:
    """True for a verdict that speaks against the candidate."""
    return record.verdict.counts and record.verdict.family is not Family.PASSED
