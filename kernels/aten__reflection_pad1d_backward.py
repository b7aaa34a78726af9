"""aten::reflection_pad1d_backward: gradients folded back from where padding reflected their elements to.

An element of the line was read up to three times: at its own place, in the padding to the left, and in that
to the right. So each gradient is the sum of at most three, gathered: no atomics, and always the same order. A
program makes a tile of ROWS lines by COLUMNS places. Half types are added in float32 and rounded once.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_TILE = 1024  # elements a program


@triton.jit
def _fold_kernel(
    out, grad, rows, channels, width, padded, left, grad_n, grad_c, grad_w,
    ACC: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(width, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    live = (row < rows)[:, None] & (column < width)
    line = grad + ((row // channels).to(tl.int64) * grad_n + (row % channels).to(tl.int64) * grad_c)[:, None]
    straight = column + left
    # The first element reflects places to its left, the last one places to its right, and neither itself.
    before = left - column
    after = left + 2 * (width - 1) - column
    own = live & (straight >= 0) & (straight < padded)
    total = tl.load(line + straight.to(tl.int64) * grad_w, mask=own, other=0).to(ACC)
    mirrored = live & (column > 0) & (before >= 0)
    total += tl.load(line + before.to(tl.int64) * grad_w, mask=mirrored, other=0).to(ACC)
    mirrored = live & (column < width - 1) & (after < padded)
    total += tl.load(line + after.to(tl.int64) * grad_w, mask=mirrored, other=0).to(ACC)
    place = out + row.to(tl.int64)[:, None] * width + column
    tl.store(place, total.to(out.dtype.element_ty), mask=live)


def reflection_pad1d_backward(
    grad_output: torch.Tensor, self: torch.Tensor, padding: list[int]
) -> torch.Tensor:
    """The gradient of a line that was padded by its own reflection.

    Args:
        grad_output: ([n,] channels, left + width + right), of a floating type.
        self: ([n,] channels, width): only its shape counts.
        padding: left and right, each less than the width; negative ones cut off.

    Returns:
        A contiguous tensor of the shape of `self`.
    """
    out = torch.empty(self.shape, dtype=grad_output.dtype, device=grad_output.device)
    if out.numel():
        _launch(out, grad_output, padding[0])
    return out


def _launch(out: torch.Tensor, grad: torch.Tensor, left: int) -> None:
    channels, width = out.shape[-2:]
    rows = out.numel() // width
    columns_at_once = min(triton.next_power_of_2(width), _TILE)
    rows_at_once = _TILE // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(width, columns_at_once)
    grad_n = grad.stride(0) if grad.dim() == 3 else 0
    _fold_kernel[(programs,)](
        out, grad, rows, channels, width, grad.shape[-1], left, grad_n, grad.stride(-2), grad.stride(-1),
        ACC=tl.float64 if out.dtype == torch.float64 else tl.float32, WIDE=programs * _TILE >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip
