"""aten::rsub: other - alpha * self, with ATen's broadcasting and type promotion, for any strides.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
"""

import struct

import torch
import triton
import triton.language as tl


@triton.jit
def _number(number, compute: tl.constexpr):
    """A number of the host. A kernel takes no float64: one comes as the bits of an int64."""
    if compute == tl.float64:
        value = tl.full([1, 1], number, tl.int64).to(tl.float64, bitcast=True)
    elif compute == tl.float32:
        value = tl.full([1, 1], number, tl.float32)
    else:
        value = tl.full([1, 1], number, tl.int64).to(compute)
    return value


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


@triton.jit(do_not_specialize=["number", "alpha"])
def _rsub(
    out, x, y, number, alpha, rows, columns, n1, n2, n3,
    o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step, y0, y1, y2, y3, y_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write y - alpha * x, where y may be None and is then the number."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    left = tl.load(x + _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step), mask=inside).to(compute)
    if y is None:
        right = _number(number, compute)
    else:
        right = tl.load(y + _place(row, column, n1, n2, n3, y0, y1, y2, y3, y_step), mask=inside).to(compute)
    value = right - _number(alpha, compute) * left
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def rsub(self: torch.Tensor, other: torch.Tensor | float, *, alpha: float = 1) -> torch.Tensor:
    """Other less alpha times self; other may be a number."""
    if _is_bool(self) or _is_bool(other):
        raise RuntimeError("Subtraction is not supported with a bool: try logical_xor or logical_not.")
    dtype = torch.result_type(self, other)
    if isinstance(alpha, float) and not dtype.is_floating_point:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    tensors, number = ([self, other], 0) if isinstance(other, torch.Tensor) else ([self, None], other)
    out = _empty(tensors, dtype)
    if out.numel():
        _launch(out, tensors, _encoded(number, dtype), _encoded(alpha, dtype), _compute_type(dtype))
    return out


def _is_bool(operand: torch.Tensor | float) -> bool:
    return operand.dtype is torch.bool if isinstance(operand, torch.Tensor) else isinstance(operand, bool)


def _empty(tensors: list[torch.Tensor | None], dtype: torch.dtype) -> torch.Tensor:
    """The output, dense, its dimensions in the order in which an input of its shape has them."""
    given = [tensor for tensor in tensors if tensor is not None]
    shape = torch.broadcast_shapes(*[tensor.shape for tensor in given])
    for tensor in given:
        if tensor.shape == shape:
            return torch.empty_like(tensor, dtype=dtype)
    return torch.empty(shape, dtype=dtype, device=given[0].device)


def _compute_type(dtype: torch.dtype) -> tl.dtype:
    """Half precision is computed in float32 and rounded once."""
    if dtype in (torch.float16, torch.bfloat16):
        return tl.float32
    return getattr(tl, str(dtype).removeprefix("torch."))


def _encoded(number: float, dtype: torch.dtype) -> float:
    """A number as `_number` expects it; integers wrap as they do in memory."""
    if dtype is torch.float64:
        return struct.unpack("<q", struct.pack("<d", number))[0]
    if dtype.is_floating_point:
        return float(number)
    return (int(number) + 2**63) % 2**64 - 2**63


def _launch(
    out: torch.Tensor, tensors: list[torch.Tensor | None], number: float, alpha: float, compute: tl.dtype
) -> None:
    tensors = [x if x is None else x.expand(out.shape) for x in tensors]
    *outer, (columns, steps) = _merged(out, *tensors)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], [x if x is None else x[i] for x in tensors], number, alpha, compute)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0, 0, 0))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    _rsub[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, *tensors, number, alpha, rows, columns, *[size for size, _ in outer[1:]], *places,
        compute=compute, INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


def _merged(out: torch.Tensor, *tensors: torch.Tensor | None) -> list[tuple[int, tuple[int, ...]]]:
    """Sizes and strides, the output's slowest dimension first; two become one where all tensors allow it."""
    merged = [(1, (0,) * (1 + len(tensors)))]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        strides = (out.stride(d), *[0 if x is None else x.stride(d) for x in tensors])
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
