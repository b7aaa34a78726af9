"""aten::sgn: the sign of every element, of a complex one the number over its magnitude, for any strides.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
"""

import torch
import triton
import triton.language as tl


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
def _sign(x):
    """-1, 0 or 1. As ATen has it, NaN has sign 0."""
    return (x > 0).to(x.dtype) - (x < 0).to(x.dtype)


@triton.jit
def _complex_sign(real, imaginary):
    """The number over its magnitude. It is first divided by its larger part, whose square might overflow."""
    larger = tl.maximum(tl.abs(real), tl.abs(imaginary))
    larger = tl.where(real + imaginary != real + imaginary, float("nan"), larger)
    zero = larger == 0
    larger = tl.where(zero, 1.0, larger)
    real, imaginary = _over(real, larger), _over(imaginary, larger)
    magnitude = tl.where(zero, 1.0, _root(real * real + imaginary * imaginary))
    return _over(real, magnitude), _over(imaginary, magnitude)


@triton.jit
def _over(a, b):
    """The quotient, rounded correctly: on float32 a bare `/` may be an approximation."""
    return tl.div_rn(a, b) if a.dtype == tl.float32 else a / b


@triton.jit
def _root(x):
    return tl.sqrt_rn(x) if x.dtype == tl.float32 else tl.sqrt(x)


@triton.jit
def _sgn(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, COMPLEX: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the sign of x, or of the pair that starts at x where COMPLEX."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    to = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    value = tl.load(x + at, mask=inside).to(compute)
    if COMPLEX:
        imaginary = tl.load(x + at + 1, mask=inside).to(compute)
        value, imaginary = _complex_sign(value, imaginary)
        tl.store(out + to + 1, imaginary, mask=inside)
    else:
        value = _sign(value)
    tl.store(out + to, value.to(out.dtype.element_ty), mask=inside)


def sgn(self: torch.Tensor) -> torch.Tensor:
    """Sign of every element, in its own type."""
    if self.is_conj():  # memory then holds the conjugates, and so does that of the answer
        return sgn(self.conj()).conj()
    out = torch.empty_like(self)
    if out.numel():
        views = (_real(out), _real(self)) if self.is_complex() else (out, self)
        _launch(*views, self.is_complex())
    return out


def _launch(out: torch.Tensor, x: torch.Tensor, is_complex: bool) -> None:
    *outer, (columns, o_step, x_step) = _merged(out, x)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], x[i], is_complex)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, (o_step, x_step))
    sizes, o_strides, x_strides = zip(*outer, *[(1, 0, 0)] * (4 - len(outer)), strict=True)
    _sgn[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, x, rows, columns, *sizes[1:], *o_strides, o_step, *x_strides, x_step,
        compute=_compute_type(x.dtype), COMPLEX=is_complex,
        INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


def _real(x: torch.Tensor) -> torch.Tensor:
    """The real parts, a view; an imaginary part lies right behind each."""
    return torch.view_as_real(x).select(-1, 0)


def _compute_type(dtype: torch.dtype) -> tl.dtype:
    """Half precision is computed in float32 and rounded once; bools are counted."""
    if dtype in (torch.float16, torch.bfloat16):
        return tl.float32
    return tl.int32 if dtype is torch.bool else getattr(tl, str(dtype).removeprefix("torch."))


def _merged(out: torch.Tensor, x: torch.Tensor) -> list[tuple[int, int, int]]:
    """Sizes and both strides, the output's slowest dimension first; two become one where both allow it."""
    merged = [(1, 0, 0)]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        size, out_stride, x_stride = merged[-1]
        n, fine = out.shape[d], (out.stride(d), x.stride(d))
        if size == 1 or (out_stride, x_stride) == (n * fine[0], n * fine[1]):
            merged[-1] = (size * n, *fine)
        elif n != 1:
            merged.append((n, *fine))
    return merged


def _tile(rows: int, columns: int, steps: tuple[int, ...]) -> tuple[int, int]:
    """Height and width of a tile: squarer where the columns of a tensor are not adjacent but rows may be."""
    if rows == 1:
        return 1, min(2048, triton.next_power_of_2(columns))
    width = min(64 if max(steps) > 1 else 256, triton.next_power_of_2(columns))
    return min(2048 // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
