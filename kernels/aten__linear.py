"""aten::linear: input @ weight.T + bias, strides read in place, float32 accumulation, rounded once.

All dimensions of the input but the last are rows; where they don't follow one another in memory, the outer
ones are batches. Three programs share the work by shape: tiles through `tl.dot`, numbered so that programs
that run at one time share rows and columns in the cache; a few rows, as when a language model makes one
token, by products and a sum over a weight that is only read once; float64, which not every compiler can
`tl.dot`, by broadcasting. float32 is multiplied as IEEE says (no TF32).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import triton
import triton.language as tl

GROUP = 8  # tiles of rows that are computed together
FEW = 4  # rows that are not worth a tile
BATCHES = 3  # dimensions of batches that one launch steps through


class Tile(NamedTuple):
    """Sizes of a tile in elements, and how it is computed."""

    m: int
    n: int
    k: int
    warps: int
    stages: int


class Batch(NamedTuple):
    """A dimension of rows, with the steps that input and output take through it."""

    size: int
    left: int
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
    a, b, c, bias, M, N, K, a_row, a_col, b_row, b_col, c_row, bias_step, n1, n2, a0, a1, a2, c0, c1, c2,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
    ACC: tl.constexpr, DOT: tl.constexpr, WHOLE: tl.constexpr, BIAS: tl.constexpr,
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
    right = b + wide_k[:, None] * b_row + wide_n * b_col
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
    if BIAS:
        total += tl.load(bias + wide_n * bias_step, mask=(n < N)[None, :]).to(ACC)
    place = c + _step(batch, n1, n2, c0, c1, c2) + wide_m * c_row + wide_n
    tl.store(place, total.to(c.dtype.element_ty), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def _rows(
    a, b, c, bias, M, N, K, a_row, a_col, b_row, b_col, c_row, bias_step, n1, n2, a0, a1, a2, c0, c1, c2,
    BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ACC: tl.constexpr, BIAS: tl.constexpr,
):  # fmt: skip
    """Some columns of one row of c: a row of a, times b."""
    blocks = tl.cdiv(N, BLOCK_N)
    number = tl.program_id(0)
    batch = number // (blocks * M)
    m = (number // blocks % M).to(tl.int64)
    n = (number % blocks * BLOCK_N + tl.arange(0, BLOCK_N)).to(tl.int64)
    k = tl.arange(0, BLOCK_K)
    left = a + _step(batch, n1, n2, a0, a1, a2) + m * a_row
    right = b + (n * b_col)[:, None]
    total = tl.zeros([BLOCK_N, BLOCK_K], ACC)
    for start in range(0, K, BLOCK_K):
        at = (start + k).to(tl.int64)
        x = tl.load(left + at * a_col, mask=at < K, other=0)
        y = tl.load(right + (at * b_row)[None, :], mask=(n < N)[:, None] & (at < K)[None, :], other=0)
        total += x.to(ACC)[None, :] * y.to(ACC)
    row = tl.sum(total, 1)
    if BIAS:
        row += tl.load(bias + n * bias_step, mask=n < N).to(ACC)
    place = c + _step(batch, n1, n2, c0, c1, c2) + m * c_row + n
    tl.store(place, row.to(c.dtype.element_ty), mask=n < N)


def linear(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Input @ weight.T + bias.

    Args:
        input: (..., k), of a floating type.
        weight: (n, k), or (k) for one output without a dimension of its own; of the same type.
        bias: what broadcasts to (n); of the same type.

    Returns:
        A contiguous tensor (..., n); the bias alone, or zeros, where k is 0.
    """
    columns = weight.shape[:-1]
    out = torch.empty((*input.shape[:-1], *columns), dtype=input.dtype, device=input.device)
    if not out.numel():
        return out
    table = weight if columns else weight.unsqueeze(0)
    full = out.view(*input.shape[:-1], table.shape[0])
    addend = None if bias is None else bias.expand(table.shape[0])
    if input.dim() == 1:
        _apply(input.unsqueeze(0), table, addend, full.unsqueeze(0))
    else:
        _apply(input, table, addend, full)
    return out


def _apply(left: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, out: torch.Tensor) -> None:
    """Out = left @ weight.T + bias, from rank 2 on."""
    dims = _merged(out.shape[:-1], left.stride()[:-1], out.stride()[:-1])
    if len(dims) > BATCHES + 1:
        largest = max(range(out.dim() - 1), key=lambda d: out.stride(d) if out.shape[d] > 1 else 0)
        for part, place in zip(left.unbind(largest), out.unbind(largest), strict=True):
            _apply(part, weight, bias, place)
    else:
        _launch(left, weight, bias, out, dims)


def _merged(sizes, left, out) -> list[Batch]:
    """Dimensions outermost first; neighbours that follow one another in both tensors are merged."""
    dims: list[Batch] = []
    for dim in map(Batch, sizes, left, out):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and last[1:] == tuple(step * dim.size for step in dim[1:]):
            dims[-1] = Batch(last.size * dim.size, *dim[1:])
        else:
            dims.append(dim)
    return dims or [Batch(1, 0, 0)]


def _launch(
    left: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, out: torch.Tensor, dims: list[Batch]
) -> None:
    *batches, rows = dims
    M, (N, K) = rows.size, weight.shape
    padded = [Batch(1, 0, 0)] * (BATCHES - len(batches)) + batches
    addend = out if bias is None else bias
    sizes = (M, N, K, rows.left, left.stride(-1), weight.stride(1), weight.stride(0), rows.out)
    steps = [dim[side] for side in (1, 2) for dim in padded]
    places = (*sizes, addend.stride(-1), padded[1].size, padded[2].size, *steps)
    count = math.prod(dim.size for dim in batches)
    double = left.dtype == torch.float64
    ACC = tl.float64 if double else tl.float32
    if M <= FEW:
        block_n, block_k = _row_block(weight, N, K)
        grid = (count * M * triton.cdiv(N, block_n),)
        _rows[grid](left, weight, out, addend, *places, block_n, block_k, ACC, bias is not None)
        return
    tile = _tile(left, M, N, K, count)
    whole = M % tile.m == 0 and N % tile.n == 0 and K % tile.k == 0
    _tiles[(count * triton.cdiv(M, tile.m) * triton.cdiv(N, tile.n),)](
        left, weight, out, addend, *places, tile.m, tile.n, tile.k, GROUP, ACC, not double, whole,
        bias is not None, num_warps=tile.warps, num_stages=tile.stages,
    )  # fmt: skip


def _row_block(weight: torch.Tensor, N: int, K: int) -> tuple[int, int]:
    """Rows and columns of the weight at once: long in the direction in which its elements are neighbours."""
    width = min(8 if weight.stride(1) == 1 else 32, triton.next_power_of_2(N))
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
