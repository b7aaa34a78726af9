"""aten::matmul: matrix products of any ranks, batches broadcast, any strides read in place.

Operands become batches of matrices: a vector is a matrix of one row or column, a batch that only the left one
has is more rows. Three programs share the work by shape: tiles through `tl.dot`, numbered so that programs
that run at one time share rows and columns in the cache; a few rows against a matrix, which is only read
once, by products and a sum; float64, which not every compiler can `tl.dot`, by broadcasting. The half types
are accumulated in float32, which itself is multiplied as IEEE says (no TF32).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import triton
import triton.language as tl

GROUP = 8  # tiles of rows that are computed together
FEW = 4  # rows or columns that are not worth a tile
BATCHES = 3  # dimensions of batches that one launch steps through


class Tile(NamedTuple):
    """Sizes of a tile in elements, and how it is computed."""

    m: int
    n: int
    k: int
    warps: int
    stages: int


class Batch(NamedTuple):
    """A dimension of batches, with the steps that both operands and the output take through it."""

    size: int
    left: int
    right: int
    out: int


# From the largest; timed on an H200 for aten::mm.
HALF_TILES = (
    Tile(128, 256, 64, 8, 4),
    Tile(128, 128, 64, 8, 3),
    Tile(64, 128, 64, 4, 3),
    Tile(64, 64, 32, 4, 2),
)
FLOAT_TILES = (Tile(128, 128, 16, 8, 3), Tile(64, 64, 16, 4, 2))
DOUBLE_TILES = (Tile(16, 16, 16, 4, 1),)
SHARED_MEMORY = 65536  # bytes, where the device doesn't say
PROCESSORS = 64  # where the device doesn't say


@triton.jit
def _step(batch, n1, n2, s0, s1, s2):
    """Memory offset of a batch in three dimensions whose last two sizes are n1 and n2."""
    batch = batch.to(tl.int64)
    return batch // n2 // n1 * s0 + batch // n2 % n1 * s1 + batch % n2 * s2


@triton.jit
def _tiles(
    a, b, c, M, N, K, a_row, a_col, b_row, b_col, c_row, c_col, n1, n2, a0, a1, a2, b0, b1, b2, c0, c1, c2,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
    ACC: tl.constexpr, DOT: tl.constexpr, WHOLE: tl.constexpr,
):  # fmt: skip
    """One tile of one batch of c."""
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile = tl.program_id(0)
    batch = tile // (tiles_m * tiles_n)
    tile = tile % (tiles_m * tiles_n)
    first_m = tile // (GROUP * tiles_n) * GROUP
    height = tl.minimum(tiles_m - first_m, GROUP)
    tile = tile % (GROUP * tiles_n)
    m = (first_m + tile % height) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = (tile // height) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    wide_m = m.to(tl.int64)[:, None]
    wide_n = n.to(tl.int64)[None, :]
    wide_k = k.to(tl.int64)
    left = a + _step(batch, n1, n2, a0, a1, a2) + wide_m * a_row + wide_k[None, :] * a_col
    right = b + _step(batch, n1, n2, b0, b1, b2) + wide_k[:, None] * b_row + wide_n * b_col
    left_step = tl.full([], BLOCK_K, tl.int64) * a_col
    right_step = tl.full([], BLOCK_K, tl.int64) * b_row
    total = tl.zeros([BLOCK_M, BLOCK_N], ACC)
    for start in range(0, K, BLOCK_K):
        if WHOLE:
            x = tl.load(left)
            y = tl.load(right)
        else:
            # Both sides are 0 beyond K: Inf on one side of an unmasked 0 would be NaN.
            x = tl.load(left, mask=(m < M)[:, None] & (k < K - start)[None, :], other=0)
            y = tl.load(right, mask=(k < K - start)[:, None] & (n < N)[None, :], other=0)
        if DOT:
            total = tl.dot(x, y, total, input_precision="ieee")
        else:
            total += tl.sum(x[:, :, None] * y[None, :, :], 1)
        left += left_step
        right += right_step
    place = c + _step(batch, n1, n2, c0, c1, c2) + wide_m * c_row + wide_n * c_col
    tl.store(place, total.to(c.dtype.element_ty), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def _rows(
    a, b, c, M, N, K, a_row, a_col, b_row, b_col, c_row, c_col, n1, n2, a0, a1, a2, b0, b1, b2, c0, c1, c2,
    BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """Some columns of one row of c: a row of a, times b."""
    blocks = tl.cdiv(N, BLOCK_N)
    number = tl.program_id(0)
    batch = number // (blocks * M)
    m = (number // blocks % M).to(tl.int64)
    n = (number % blocks * BLOCK_N + tl.arange(0, BLOCK_N)).to(tl.int64)
    k = tl.arange(0, BLOCK_K)
    left = a + _step(batch, n1, n2, a0, a1, a2) + m * a_row
    right = b + _step(batch, n1, n2, b0, b1, b2) + (n * b_col)[:, None]
    total = tl.zeros([BLOCK_N, BLOCK_K], ACC)
    for start in range(0, K, BLOCK_K):
        at = (start + k).to(tl.int64)
        x = tl.load(left + at * a_col, mask=at < K, other=0)
        y = tl.load(right + (at * b_row)[None, :], mask=(n < N)[:, None] & (at < K)[None, :], other=0)
        total += x.to(ACC)[None, :] * y.to(ACC)
    place = c + _step(batch, n1, n2, c0, c1, c2) + m * c_row + n * c_col
    tl.store(place, tl.sum(total, 1).to(c.dtype.element_ty), mask=n < N)


def matmul(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Self @ other for every pair of ranks from 1 on.

    Args:
        self: (k) or (..., m, k), of a floating type.
        other: (k) or (..., k, n), of the same type; batches broadcast.

    Returns:
        A contiguous tensor (..., m, n) without the dimensions that a vector lacks; zeros where k is 0.
    """
    left = self if self.dim() > 1 else self.unsqueeze(0)
    right = other if other.dim() > 1 else other.unsqueeze(1)
    batch = torch.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    rows, columns = [left.shape[-2]] * (self.dim() > 1), [right.shape[-1]] * (other.dim() > 1)
    out = torch.empty((*batch, *rows, *columns), dtype=self.dtype, device=self.device)
    if out.numel():
        full = out.view(*batch, left.shape[-2], right.shape[-1])
        _multiply(left.expand(*batch, -1, -1), right.expand(*batch, -1, -1), full)
    return out


def _multiply(left: torch.Tensor, right: torch.Tensor, out: torch.Tensor) -> None:
    """out[i] = left[i] @ right[i] for every batch i, all three of one rank."""
    left, right, out = _folded(left, right, out)
    batches = _merged(out.shape[:-2], left.stride()[:-2], right.stride()[:-2], out.stride()[:-2])
    if len(batches) > BATCHES:
        largest = max(range(out.dim() - 2), key=lambda d: out.stride(d) if out.shape[d] > 1 else 0)
        for parts in zip(*(t.unbind(largest) for t in (left, right, out)), strict=True):
            _multiply(*parts)
    elif out.shape[-1] <= FEW < out.shape[-2]:
        _launch(right.mT, left.mT, out.mT, [Batch(n, b, a, c) for n, a, b, c in batches])
    else:
        _launch(left, right, out, batches)


def _folded(
    left: torch.Tensor, right: torch.Tensor, out: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Batches of the left operand alone as more rows, where they follow one another in memory."""
    sizes, steps = out.shape[:-2], left.stride()
    shared = all(size == 1 or step == 0 for size, step in zip(sizes, right.stride()[:-2], strict=True))
    rows = _merged(out.shape[:-1], steps[:-1], [0] * (out.dim() - 1), out.stride()[:-1])
    if not sizes or not shared or len(rows) > 1:
        return left, right, out
    count, step = rows[0].size, rows[0].left
    left = left.as_strided((count, left.shape[-1]), (step, steps[-1]))
    return left, right[(0,) * len(sizes)], out.view(count, out.shape[-1])


def _merged(sizes, left, right, out) -> list[Batch]:
    """Dimensions outermost first; neighbours that follow one another in all three tensors are merged."""
    dims: list[Batch] = []
    for dim in map(Batch, sizes, left, right, out):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and last[1:] == tuple(step * dim.size for step in dim[1:]):
            dims[-1] = Batch(last.size * dim.size, *dim[1:])
        else:
            dims.append(dim)
    return dims or [Batch(1, 0, 0, 0)]


def _launch(left: torch.Tensor, right: torch.Tensor, out: torch.Tensor, batches: list[Batch]) -> None:
    (M, K), N = left.shape[-2:], right.shape[-1]
    padded = [Batch(1, 0, 0, 0)] * (BATCHES - len(batches)) + batches
    steps = [dim[side] for side in (1, 2, 3) for dim in padded]
    sizes = (M, N, K, *left.stride()[-2:], *right.stride()[-2:], *out.stride()[-2:])
    places = (*sizes, padded[1].size, padded[2].size, *steps)
    count = math.prod(dim.size for dim in batches)
    double = left.dtype == torch.float64
    ACC = tl.float64 if double else tl.float32
    if M <= FEW:
        block_n, block_k = _row_block(right, N, K)
        grid = (count * M * triton.cdiv(N, block_n),)
        _rows[grid](left, right, out, *places, block_n, block_k, ACC)
        return
    tile = _tile(left, M, N, K, count)
    whole = M % tile.m == 0 and N % tile.n == 0 and K % tile.k == 0
    _tiles[(count * triton.cdiv(M, tile.m) * triton.cdiv(N, tile.n),)](
        left, right, out, *places, tile.m, tile.n, tile.k, GROUP, ACC, not double, whole,
        num_warps=tile.warps, num_stages=tile.stages,
    )  # fmt: skip


def _row_block(right: torch.Tensor, N: int, K: int) -> tuple[int, int]:
    """Columns and rows of the matrix at once: long in the direction in which its elements are neighbours."""
    width = min(32 if right.stride(-1) == 1 else 8, triton.next_power_of_2(N))
    return width, min(4096 // width, max(16, triton.next_power_of_2(K)))


def _tile(a: torch.Tensor, M: int, N: int, K: int, count: int) -> Tile:
    """The largest tile that fits and keeps the processors busy, not larger than the matrices.

    With a short inner dimension writing dominates: then not the largest, of which a processor holds only one.
    """
    device = _properties(a.device)
    shared = getattr(device, "shared_memory_per_block_optin", SHARED_MEMORY)
    processors = getattr(device, "multi_processor_count", PROCESSORS)
    fitting = [tile for tile in _choices(a) if _bytes(tile, a) <= shared and (K >= 512 or tile.n <= 128)]
    busy = [t for t in fitting if count * triton.cdiv(M, t.m) * triton.cdiv(N, t.n) >= processors]
    best = (busy or fitting[-1:])[0]
    return best._replace(m=_within(best.m, M), n=_within(best.n, N), k=_within(best.k, K))


def _properties(device: torch.device) -> object:
    module = torch.get_device_module(device)
    return module.get_device_properties(device) if hasattr(module, "get_device_properties") else None


def _choices(a: torch.Tensor) -> tuple[Tile, ...]:
    if a.dtype == torch.float64:
        return DOUBLE_TILES
    return FLOAT_TILES if a.dtype == torch.float32 else HALF_TILES


def _bytes(tile: Tile, a: torch.Tensor) -> int:
    """Shared memory for the parts of both matrices that are in flight."""
    return (tile.m + tile.n) * tile.k * a.element_size() * tile.stages


def _within(block: int, size: int) -> int:
    """`tl.dot` takes no side under 16."""
    return min(block, max(16, triton.next_power_of_2(size)))
