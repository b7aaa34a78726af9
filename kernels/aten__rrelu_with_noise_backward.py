"""aten::rrelu_with_noise_backward: grad_output * noise in training, else the gradient of a leaky rectifier.

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
def _slanted(grad, other, slope, TRAINING: tl.constexpr):
    """The gradient; `other` is the noise where that counts, else the input."""
    return grad * other if TRAINING else tl.where(other > 0, grad, grad * slope)


@triton.jit(do_not_specialize=["slope"])
def _rrelu_with_noise_backward(
    out, grad, other, slope, rows, columns, n1, n2, n3,
    o0, o1, o2, o3, o_step, g0, g1, g2, g3, g_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, TRAINING: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the gradient."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, g0, g1, g2, g3, g_step)
    grad = tl.load(grad + at, mask=inside).to(compute)
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    other = tl.load(other + at, mask=inside).to(compute)
    slope = _number(slope, compute)
    value = _slanted(grad, other, slope, TRAINING)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def rrelu_with_noise_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    noise: torch.Tensor,
    lower: float,
    upper: float,
    training: bool,
    self_is_result: bool,
) -> torch.Tensor:
    """Gradient of rrelu_with_noise; in training `noise` holds the slope that each element met."""
    slope = (lower + upper) / 2
    if self_is_result and not training and slope < 0:
        raise RuntimeError("the sign of an input can't be told from a result with a negative slope")
    tensors = [grad_output, noise if training else self]
    out = _empty(tensors, torch.result_type(*tensors))
    if out.numel():
        compute = _compute_type(out.dtype)
        _launch(out, tensors, _encoded(slope, compute), training, compute)
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
    out: torch.Tensor, tensors: list[torch.Tensor], slope: float, training: bool, compute: tl.dtype
) -> None:
    tensors = [tensor.expand(out.shape) for tensor in tensors]
    *outer, (columns, steps) = _merged(out, *tensors)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], [tensor[i] for tensor in tensors], slope, training, compute)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0,) * len(steps))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    _rrelu_with_noise_backward[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, *tensors, slope, rows, columns, *[size for size, _ in outer[1:]], *places,
        compute=compute, TRAINING=training, INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
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
