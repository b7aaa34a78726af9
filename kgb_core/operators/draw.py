"""Drawing inputs: a pure function of (case, seed), the same on every machine when drawn on the CPU.

The judge draws check inputs with a CPU generator. Large perf inputs are drawn on the device, by the same
code with the device's own generator, which candidate and reference worker share.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from kgb_core.models.case import (
    Argument,
    Case,
    DeviceArgument,
    DTypeArgument,
    GeneratorArgument,
    Layout,
    MemoryFormatArgument,
    TensorListSpec,
    TensorSpec,
)
from kgb_core.models.dtypes import DType
from kgb_core.models.values import (
    Fill,
    Integers,
    Literally,
    Normal,
    Permutation,
    Sprinkle,
    Uniform,
    Values,
)
from kgb_core.operators.far import far_from
from kgb_core.operators.seeds import seed_of


def draw_case(case: Case, seed: int, device: str = "cpu") -> dict[str, Any]:
    """The arguments of a case by name.

    Args:
        case: what to draw.
        seed: equal seeds give equal contents on the same kind of device.
        device: where tensors are made; its generator draws them.
    """
    return {
        named.name: _draw_argument(named.argument, seed_of(seed, named.name), device)
        for named in case.arguments
    }


def torch_dtype(dtype: DType) -> torch.dtype:
    """The torch dtype of that name."""
    found: torch.dtype = getattr(torch, dtype.value)
    return found


def _draw_argument(argument: Argument, seed: int, device: str) -> Any:
    if isinstance(argument, TensorSpec):
        return draw_tensor(argument, seed, device)
    if isinstance(argument, TensorListSpec):
        return [item and draw_tensor(item, seed_of(seed, i), device) for i, item in enumerate(argument.items)]
    if isinstance(argument, DTypeArgument):
        return torch_dtype(argument.dtype)
    if isinstance(argument, MemoryFormatArgument):
        return getattr(torch, argument.format.value)
    if isinstance(argument, DeviceArgument):
        return torch.device(device)
    if isinstance(argument, GeneratorArgument):
        return torch.Generator(device).manual_seed(seed)
    return argument.plain


def draw_tensor(spec: TensorSpec, seed: int, device: str = "cpu") -> torch.Tensor:
    """A tensor as its specification says, layout included.

    Raises:
        ValueError: the specification has no dtype, or a layout that its rank can't have.
    """
    if spec.dtype is None:
        raise ValueError(f"{spec.label} has no dtype")
    if spec.layout is Layout.CHANNELS_LAST and len(spec.shape) != 4:
        raise ValueError(f"{spec.label}: only a tensor of rank 4 has channels last")
    generator = torch.Generator(device).manual_seed(seed)
    return _laid_out(spec, generator, torch_dtype(spec.dtype))


def _laid_out(spec: TensorSpec, generator: torch.Generator, dtype: torch.dtype) -> torch.Tensor:
    shape = list(spec.shape)
    if spec.layout is Layout.EXPANDED and shape:
        return _elements(spec.values, [1, *shape[1:]], dtype, generator).expand(spec.shape)
    drawn = _elements(spec.values, shape, dtype, generator)
    if spec.layout is Layout.TRANSPOSED and len(shape) >= 2:
        swapped = drawn.transpose(-1, -2).clone(memory_format=torch.contiguous_format)
        return swapped.transpose(-1, -2)
    if spec.layout is Layout.STRIDED and shape:
        gaps = _elements(spec.values, [*shape[:-1], shape[-1] + 1], dtype, generator)
        return _interleaved(gaps, drawn)[..., 1::2]
    if spec.layout is Layout.CHANNELS_LAST:
        return drawn.contiguous(memory_format=torch.channels_last)
    if spec.layout is Layout.GAPS:
        around = _elements(spec.values, [2 * size + 1 for size in shape], dtype, generator)
        return around[(slice(1, None, 2),) * len(shape)].copy_(drawn)
    if spec.layout is Layout.FAR:
        return far_from(drawn)
    return drawn


def _interleaved(even: torch.Tensor, odd: torch.Tensor) -> torch.Tensor:
    """Columns of both in turn; what lies between the elements of a view is as ordinary as they are."""
    both = torch.empty([*odd.shape[:-1], 2 * odd.shape[-1] + 1], dtype=odd.dtype, device=odd.device)
    both[..., ::2] = even
    both[..., 1::2] = odd
    return both


def _elements(
    values: Values, shape: list[int], dtype: torch.dtype, generator: torch.Generator
) -> torch.Tensor:
    device = generator.device
    if isinstance(values, Fill):
        return torch.full(shape, values.value, dtype=dtype, device=device)
    if isinstance(values, Literally):
        return _repeated(values, shape).to(device=device, dtype=dtype)
    if isinstance(values, Permutation):
        count = math.prod(shape)
        return torch.randperm(count, generator=generator, device=device).reshape(shape).to(dtype)
    if isinstance(values, Sprinkle):
        return _sprinkled(values, shape, dtype, generator)
    return _drawn(values, shape, dtype, generator)


def _drawn(
    values: Normal | Uniform | Integers, shape: list[int], dtype: torch.dtype, generator: torch.Generator
) -> torch.Tensor:
    device = generator.device
    if isinstance(values, Integers):
        low, high = (0, 2) if dtype is torch.bool else (values.low, values.high)
        return torch.randint(low, high, shape, generator=generator, device=device).to(dtype)
    if dtype.is_complex:
        real, imaginary = (_real(values, shape, torch.float64, generator) for _ in range(2))
        return torch.complex(real, imaginary).to(dtype)
    wide = torch.float64 if dtype is torch.float64 else torch.float32
    drawn = _real(values, shape, wide, generator)
    if dtype is torch.bool:
        return drawn > values_centre(values)
    return drawn.round().to(dtype) if not dtype.is_floating_point else drawn.to(dtype)


def values_centre(values: Normal | Uniform) -> float:
    """The median of the distribution: what splits a bool tensor in halves."""
    return values.mean if isinstance(values, Normal) else (values.low + values.high) / 2


def _real(
    values: Normal | Uniform, shape: list[int], dtype: torch.dtype, generator: torch.Generator
) -> torch.Tensor:
    device = generator.device
    if isinstance(values, Normal):
        drawn = torch.randn(shape, generator=generator, dtype=dtype, device=device)
        return drawn.mul_(values.std).add_(values.mean)
    drawn = torch.rand(shape, generator=generator, dtype=dtype, device=device)
    return drawn.mul_(values.high - values.low).add_(values.low)


def _repeated(values: Literally, shape: list[int]) -> torch.Tensor:
    count = math.prod(shape)
    picked = [values.values[i % len(values.values)] for i in range(count)]
    whole = all(isinstance(v, (int, bool)) or float(v).is_integer() for v in values.values)
    wide = torch.int64 if whole and all(abs(v) < 2**53 for v in values.values) else torch.float64
    return torch.tensor(picked, dtype=wide).reshape(shape)


def _sprinkled(
    values: Sprinkle, shape: list[int], dtype: torch.dtype, generator: torch.Generator
) -> torch.Tensor:
    base = _drawn(values.base, shape, dtype, generator)
    count = base.numel()
    if not count:
        return base
    hits = max(min(len(values.specials), count), int(values.share * count))
    places = torch.randperm(count, generator=generator, device=base.device)[:hits]
    specials = torch.tensor(values.specials, dtype=torch.float64, device=base.device)
    picked = specials[torch.arange(hits, device=base.device) % len(specials)]
    return base.reshape(-1).index_put_((places,), picked.to(dtype)).reshape(shape)
