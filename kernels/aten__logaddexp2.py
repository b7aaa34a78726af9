"""aten::logaddexp2: log2(2 ** self + 2 ** other), broadcast and promoted as ATen does, for any strides.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
Half precision is computed in float32 and rounded once.
"""

import torch
import triton
import triton.language as tl

_LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def _place(row, column, n1, n2, n3, s0, s1, s2, s3, step):
    """Memory offsets of a tile; rows count through four dimensions of strides s0 to s3, the last fastest."""
    offset = (row % n3).to(tl.int64) * s3
    row = row // n3
    offset += (row % n2).to(tl.int64) * s2
    row = row // n2
    offset += (row % n1).to(tl.int64) * s1
    offset += (row // n1).to(tl.int64) * s0
    return offset[:, None] + (column.to(tl.int64) * step)[None, :]


@triton.jit
def _log1p(power, compute: tl.constexpr):
    """log(1 + power) for a power in [0, 1], exact also where 1 + power rounds to 1.

    In float32 by the series of 2 artanh(s), s = power / (2 + power) <= 1/3, whose ninth term is below
    2 ** -27 of the first; in float64 by Kahan's correction of what the sum lost.
    """
    if compute == tl.float64:
        above = 1.0 + power
        lost = tl.where(above == 1.0, 1.0, above - 1.0)
        value = tl.where(above == 1.0, power, tl.log(above) * (power / lost))
    else:
        s = power / (2.0 + power)
        q = s * s
        series = (((q * (1.0 / 15) + 1.0 / 13) * q + 1.0 / 11) * q + 1.0 / 9) * q + 1.0 / 7
        value = 2 * s * (((series * q + 1.0 / 5) * q + 1.0 / 3) * q + 1.0)
    return value


@triton.jit
def _logaddexp2_of(left, right, compute: tl.constexpr):
    """The greater one, and what the lesser adds; equal infinities have no difference."""
    lesser = tl.exp2(-tl.abs(left - right))
    added = tl.where(left >= right, left, right) + _log1p(lesser, compute) * tl.full([1, 1], _LOG2_E, compute)
    endless = (left == right) & (tl.abs(left) == float("inf"))
    return tl.where(endless, left, added)


@triton.jit
def _logaddexp2(
    out, left, right, rows, columns, n1, n2, n3,
    o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step, y0, y1, y2, y3, y_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write log2(2 ** left + 2 ** right)."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    left = tl.load(left + at, mask=inside).to(compute)
    at = _place(row, column, n1, n2, n3, y0, y1, y2, y3, y_step)
    right = tl.load(right + at, mask=inside).to(compute)
    value = _logaddexp2_of(left, right, compute)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def logaddexp2(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Logarithm to base 2 of the sum of both powers of 2."""
    if not torch.result_type(self, other).is_floating_point:
        raise NotImplementedError("logaddexp2 is defined for floating types")
    tensors = [self, other]
    out = _empty(tensors, torch.result_type(self, other))
    if out.numel():
        _launch(out, tensors, _compute_type(out.dtype))
    return out


def _empty(tensors: list[torch.Tensor], dtype: torch.dtype) -> torch.Tensor:
    """The output, dense, its dimensions in the order in which an input of its shape has them."""
    shape = torch.broadcast_shapes(*[tensor.shape for tensor in tensors])
    for tensor in tensors:
        if tensor.shape == shape:
            return torch.empty_like(tensor, dtype=dtype)
    return torch.empty(shape, dtype=dtype, device=tensors[0].device)


def _compute_type(dtype: torch.dtype) -> tl.dtype:
    """Half precision is computed in float32 and rounded once."""
    return tl.float64 if dtype is torch.float64 else tl.float32


def _launch(out: torch.Tensor, tensors: list[torch.Tensor], compute: tl.dtype) -> None:
    tensors = [tensor.expand(out.shape) for tensor in tensors]
    *outer, (columns, steps) = _merged(out, *tensors)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], [tensor[i] for tensor in tensors], compute)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0,) * len(steps))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    _logaddexp2[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, *tensors, rows, columns, *[size for size, _ in outer[1:]], *places,
        compute=compute, INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


def _merged(*tensors: torch.Tensor) -> list[tuple[int, tuple[int, ...]]]:
    """Sizes and strides, the output's slowest dimension first; two become one where all tensors allow it."""
    out = tensors[0]
    merged = [(1, (0,) * len(tensors))]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        strides = tuple(tensor.stride(d) for tensor in tensors)
        size, coarse = merged[-1]
        if size == 1 or coarse == tuple(out.shape[d] * stride for stride in strides):
            merged[-1] = (size * out.shape[d], strides)
        elif out.shape[d] != 1:
            merged.append((out.shape[d], strides))
    return merged


def _tile(rows: int, columns: int, steps: tuple[int, ...]) -> tuple[int, int]:
    """Height and width of a tile: squarer where the columns of a tensor are not adjacent but rows may be."""
    if rows == 1:
        return 1, min(2048, triton.next_power_of_2(columns))
    width = min(64 if max(steps) > 1 else 256, triton.next_power_of_2(columns))
    return min(2048 // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
