"""aten::mm: the product of two matrices, any strides read in place, float32 accumulation for the half types.

A program computes one tile of the product; tiles are numbered so that programs that run at the same time share rows and
columns in the cache. float32 is multiplied as IEEE says (no TF32); float64, which not every compiler can `tl.dot`,
by broadcasting. The tile is the largest that leaves work for every processor and fits in shared memory.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

GROUP = 8  # tiles of rows that are computed together


class Tile(NamedTuple):
    """Sizes of a tile in elements, and how it is computed."""

    m: int
    n: int
    k: int
    warps: int
    stages: int


# From the largest; timed on an H200.
HALF_TILES = (Tile(128, 256, 64, 8, 3), Tile(128, 128, 64, 8, 3), Tile(64, 128, 64, 4, 3), Tile(64, 64, 32, 4, 2))
FLOAT_TILES = (Tile(128, 128, 16, 8, 3), Tile(64, 64, 16, 4, 2))
DOUBLE_TILES = (Tile(16, 16, 16, 4, 1),)
SHARED_MEMORY = 65536  # bytes, where the device doesn't say
PROCESSORS = 64  # where the device doesn't say


@triton.jit
def _mm(
    a, b, c, M, N, K, a_row, a_col, b_row, b_col,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
    ACC: tl.constexpr, DOT: tl.constexpr,
):  # fmt: skip
    """One tile of the contiguous c."""
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile = tl.program_id(0)
    first_m = tile // (GROUP * tiles_n) * GROUP
    height = tl.minimum(tiles_m - first_m, GROUP)
    tile = tile % (GROUP * tiles_n)
    m = (first_m + tile % height) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = (tile // height) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    wide_m = m.to(tl.int64)[:, None]
    wide_n = n.to(tl.int64)[None, :]
    wide_k = k.to(tl.int64)
    left = a + wide_m * a_row + wide_k[None, :] * a_col
    right = b + wide_k[:, None] * b_row + wide_n * b_col
    left_step = tl.full([], BLOCK_K, tl.int64) * a_col
    right_step = tl.full([], BLOCK_K, tl.int64) * b_row
    total = tl.zeros([BLOCK_M, BLOCK_N], ACC)
    for start in range(0, K, BLOCK_K):
        # Both sides are 0 beyond K: Inf on one side of an unmasked 0 would be NaN.
        x = tl.load(left, mask=(m < M)[:, None] & (k < K - start)[None, :], other=0)
        y = tl.load(right, mask=(k < K - start)[:, None] & (n < N)[None, :], other=0)
        if DOT:
            total = tl.dot(x, y, total, input_precision="ieee")
        else:
            total += tl.sum(x[:, :, None] * y[None, :, :], 1)
        left += left_step
        right += right_step
    place = c + wide_m * N + wide_n
    tl.store(place, total.to(c.dtype.element_ty), mask=(m < M)[:, None] & (n < N)[None, :])


def mm(self, mat2):
    """self @ mat2; zeros where the inner dimension is empty."""
    M, K = self.shape
    N = mat2.shape[1]
    out = torch.empty((M, N), dtype=self.dtype, device=self.device)
    if not out.numel():
        return out
    tile = _tile(self, M, N, K)
    grid = (triton.cdiv(M, tile.m) * triton.cdiv(N, tile.n),)
    double = self.dtype == torch.float64
    _mm[grid](
        self, mat2, out, M, N, K, *self.stride(), *mat2.stride(),
        tile.m, tile.n, tile.k, GROUP, tl.float64 if double else tl.float32, not double,
        num_warps=tile.warps, num_stages=tile.stages,
    )  # fmt: skip
    return out


def _tile(a, M, N, K):
    """The largest tile that fits and keeps the processors busy, not larger than the matrices."""
    device = _properties(a.device)
    shared = getattr(device, "shared_memory_per_block_optin", SHARED_MEMORY)
    processors = getattr(device, "multi_processor_count", PROCESSORS)
    fitting = [tile for tile in _tiles(a) if _bytes(tile, a) <= shared]
    busy = [tile for tile in fitting if triton.cdiv(M, tile.m) * triton.cdiv(N, tile.n) >= processors]
    best = (busy or fitting[-1:])[0]
    return best._replace(m=_within(best.m, M), n=_within(best.n, N), k=_within(best.k, K))


def _properties(device):
    module = torch.get_device_module(device)
    return module.get_device_properties(device) if hasattr(module, "get_device_properties") else None


def _tiles(a):
    if a.dtype == torch.float64:
        return DOUBLE_TILES
    return FLOAT_TILES if a.dtype == torch.float32 else HALF_TILES


def _bytes(tile, a):
    """Shared memory for the parts of both matrices that are in flight."""
    return (tile.m + tile.n) * tile.k * a.element_size() * tile.stages


def _within(block, size):
    """`tl.dot` takes no side under 16."""
    return min(block, max(16, triton.next_power_of_2(size)))
