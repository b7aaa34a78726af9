"""aten::im2col: the patches of an image under a sliding window, as columns; zeros beyond its edges.

The output is written in its own order. A row is one element of the window in one channel of one image, a
column one place of the window: so neighbouring columns read neighbouring elements of an image row, a stride
apart. Elements move as they are. The image may lie in memory in any way.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_TILE_BYTES = 4096  # a program: 32 bytes a thread


@triton.jit
def _im2col_kernel(
    out, image, rows, places, across, channels, height, width, kernel_h, kernel_w,
    dilation_h, dilation_w, padding_h, padding_w, stride_h, stride_w, image_n, image_c, image_h, image_w,
    WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(places, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = (program % blocks) * COLUMNS + tl.arange(0, COLUMNS)
    plane = row // kernel_w // kernel_h
    start = (plane // channels).to(tl.int64) * image_n + (plane % channels).to(tl.int64) * image_c
    down = (
        (row // kernel_w % kernel_h * dilation_h)[:, None]
        + (column // across * stride_h)[None, :]
        - padding_h
    )
    right = (row % kernel_w * dilation_w)[:, None] + (column % across * stride_w)[None, :] - padding_w
    live = (row < rows)[:, None] & (column < places)[None, :]
    inside = live & (down >= 0) & (down < height) & (right >= 0) & (right < width)
    place = start[:, None] + down.to(tl.int64) * image_h + right.to(tl.int64) * image_w
    value = tl.load(image + place, mask=inside, other=0)
    tl.store(out + row.to(tl.int64)[:, None] * places + column.to(tl.int64)[None, :], value, mask=live)


def im2col(
    self: torch.Tensor, kernel_size: list[int], dilation: list[int], padding: list[int], stride: list[int]
) -> torch.Tensor:
    """Every patch under a window of `kernel_size` as a column.

    Args:
        self: (channels, height, width) or (n, channels, height, width), any dtype of 1 to 8 bytes.
        kernel_size: of the window, down and right, as the three others are.
        dilation: from one element of the window to the next.
        padding: zeros before and after the image.
        stride: from one place of the window to the next.

    Returns:
        A contiguous tensor ([n,] channels * window elements, places).
    """
    *batch, channels, height, width = self.shape
    downs, across = map(_places, (height, width), kernel_size, dilation, padding, stride)
    rows = channels * kernel_size[0] * kernel_size[1]
    out = torch.empty((*batch, rows, downs * across), dtype=self.dtype, device=self.device)
    if not out.numel():
        return out
    places = downs * across
    columns_at_once = min(triton.next_power_of_2(places), _TILE_BYTES // out.element_size())
    rows_at_once = _TILE_BYTES // out.element_size() // columns_at_once
    rows *= batch[0] if batch else 1
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(places, columns_at_once)
    bits = _BITS[out.element_size()]
    image_strides = self.stride() if batch else (0, *self.stride())
    _im2col_kernel[(programs,)](
        out.view(bits), self.view(bits), rows, places, across, channels, height, width,
        *kernel_size, *dilation, *padding, *stride, *image_strides,
        WIDE=programs * rows_at_once * columns_at_once >= 2**31, ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip
    return out


def _places(size: int, kernel: int, dilation: int, padding: int, stride: int) -> int:
    """How many places a window has along one side."""
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
