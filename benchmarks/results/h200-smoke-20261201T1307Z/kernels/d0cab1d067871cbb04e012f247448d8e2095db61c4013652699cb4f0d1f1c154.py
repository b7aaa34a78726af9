"""aten::bernoulli: 1 with the probability that each element of the input states, else 0.

Random numbers come from Philox, counted by the place of an element in the output and keyed with a seed that
the generator gives, so the layout of the input changes no draw. Four numbers come out of one Philox block; a
program spends them on four runs of elements, each read and written in order. The seed stays on the device.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

_RUN = 1024  # elements of one of a program's four runs: eight a thread
_DIMS = 6  # of the probabilities, after merging


class _Dim(NamedTuple):
    size: int
    stride: int


@triton.jit
def _offset(number, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5, DIMS: tl.constexpr):
    """Where element `number` in row-major order lies; dimension 0 is the innermost."""
    rest = number
    at = (rest % n0 if DIMS > 1 else rest).to(tl.int64) * s0
    if DIMS > 1:
        rest = rest // n0
        at += (rest % n1 if DIMS > 2 else rest).to(tl.int64) * s1
    if DIMS > 2:
        rest = rest // n1
        at += (rest % n2 if DIMS > 3 else rest).to(tl.int64) * s2
    if DIMS > 3:
        rest = rest // n2
        at += (rest % n3 if DIMS > 4 else rest).to(tl.int64) * s3
    if DIMS > 4:
        rest = rest // n3
        at += (rest % n4 if DIMS > 5 else rest).to(tl.int64) * s4
    if DIMS > 5:
        at += (rest // n4).to(tl.int64) * s5
    return at


@triton.jit
def _bernoulli_kernel(
    out, probability, seed, count, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5,
    DIMS: tl.constexpr, WIDE: tl.constexpr, RUN: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    lane = tl.arange(0, RUN)
    # The counter has 32 bits, enough for 2**34 elements.
    u0, u1, u2, u3 = tl.rand4x(tl.load(seed), program * RUN + lane)
    if WIDE:
        program = program.to(tl.int64)
    for run in tl.static_range(4):
        at = (program * 4 + run) * RUN + lane
        live = at < count
        place = _offset(at, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5, DIMS)
        uniform = u0 if run == 0 else (u1 if run == 1 else (u2 if run == 2 else u3))
        # It lies in [0, 1): never below 0, always below 1.
        hit = uniform < tl.load(probability + place, mask=live, other=0)
        tl.store(out + at, tl.where(hit, 1.0, 0.0).to(out.dtype.element_ty), mask=live)


def bernoulli(self: torch.Tensor, *, generator: torch.Generator | None = None) -> torch.Tensor:
    """Independent draws of 0 and 1.

    Args:
        self: the probability of a 1 for each element, floating, in [0, 1], any strides.
        generator: where the seed comes from; the device's own by default.

    Returns:
        A contiguous tensor of the shape and dtype of `self`.
    """
    out = torch.empty(self.shape, dtype=self.dtype, device=self.device)
    count = out.numel()
    if not count:
        return out
    seed = torch.randint(2**63 - 1, (1,), generator=generator, device=self.device)
    dims = _merged(self)
    padded = dims + [_Dim(1, 0)] * (_DIMS - len(dims))
    _bernoulli_kernel[(triton.cdiv(count, 4 * _RUN),)](
        out, self, seed, count,
        *(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded),
        DIMS=len(dims), WIDE=count >= 2**31 - 4 * _RUN, RUN=_RUN,
    )  # fmt: skip
    return out


def _merged(tensor: torch.Tensor) -> list[_Dim]:
    """The dimensions of a tensor, innermost first; neighbours that follow one another are merged."""
    dims: list[_Dim] = []
    for dim in map(_Dim, reversed(tensor.shape), reversed(tensor.stride())):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and dim.stride == last.stride * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.stride)
        else:
            dims.append(dim)
    if len(dims) > _DIMS:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_DIMS} at most")
    return dims or [_Dim(1, 0)]
