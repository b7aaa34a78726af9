"""aten::smooth_l1_loss_backward: grad_output times the clipped difference of self and target.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
Half precision is computed in float32 and rounded once.
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
    else:
        value = tl.full([1, 1], number, tl.float32)
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


@triton.jit
def _gradient(grad, difference, beta, share):
    """The sign of a difference of at least beta, the beta-th part of a smaller one, times grad and share.

    As in ATen, a beta of 0 makes the gradient of equal elements -1.
    """
    scaled = share * grad
    inner = difference * scaled / beta
    return tl.where(difference <= -beta, -scaled, tl.where(difference >= beta, scaled, inner))


@triton.jit(do_not_specialize=["beta", "share"])
def _smooth_l1_loss_backward(
    out, grad, x, target, beta, share, rows, columns, n1, n2, n3,
    o0, o1, o2, o3, o_step, g0, g1, g2, g3, g_step, x0, x1, x2, x3, x_step, t0, t1, t2, t3, t_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the gradient."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, g0, g1, g2, g3, g_step)
    grad = tl.load(grad + at, mask=inside).to(compute)
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    x = tl.load(x + at, mask=inside).to(compute)
    at = _place(row, column, n1, n2, n3, t0, t1, t2, t3, t_step)
    target = tl.load(target + at, mask=inside).to(compute)
    beta = _number(beta, compute)
    share = _number(share, compute)
    value = _gradient(grad, x - target, beta, share)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def smooth_l1_loss_backward(
    grad_output: torch.Tensor, self: torch.Tensor, target: torch.Tensor, reduction: int, beta: float
) -> torch.Tensor:
    """Gradient of smooth_l1_loss for self; reduction is 0 (none), 1 (mean) or 2 (sum)."""
    tensors = [grad_output, self, target]
    out = _empty(tensors[1:] + tensors[:1], self.dtype)
    if out.numel():
        compute = _compute_type(torch.promote_types(torch.result_type(grad_output, self), target.dtype))
        share = 1 / self.numel() if reduction == 1 else 1
        _launch(out, tensors, _encoded(beta, compute), _encoded(share, compute), compute)
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


def _encoded(number: float, compute: tl.dtype) -> float:
    """A number as `_number` expects it."""
    if compute is tl.float64:
        return struct.unpack("<q", struct.pack("<d", number))[0]
    return float(number)


def _launch(
    out: torch.Tensor, tensors: list[torch.Tensor], beta: float, share: float, compute: tl.dtype
) -> None:
    tensors = [tensor.expand(out.shape) for tensor in tensors]
    *outer, (columns, steps) = _merged(out, *tensors)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], [tensor[i] for tensor in tensors], beta, share, compute)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0,) * len(steps))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    _smooth_l1_loss_backward[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, *tensors, beta, share, rows, columns, *[size for size, _ in outer[1:]], *places,
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
