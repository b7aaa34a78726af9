"""aten::bernoulli."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import GeneratorArgument, TensorSpec, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Sprinkle, Uniform
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    bf16,
    case,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    literally,
    tensor,
    uniform,
)
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Kind, operator
from kgb_operators.randomness import binary_p_value


def p_value(call: Bound, output: torch.Tensor) -> float:
    """How probable draws at least this odd are for a right sampler."""
    return binary_p_value(call["self"].double().numpy(), output.double().numpy())


@operator("aten::bernoulli", numeric=Random(p_value), kind=Kind.RANDOM)
def bernoulli(self: torch.Tensor, *, generator: torch.Generator | None = None) -> torch.Tensor:
    """Independent draws: 1 with the probability that the element of `self` states, else 0, in its dtype."""
    return torch.bernoulli(self, generator=generator)


def with_certainties(shape: tuple[int, ...], dtype: DType) -> TensorSpec:
    """Probabilities uniform in [0, 1), a third of them 0, 1, next to 0 or next to 1."""
    specials = (0.0, 1.0, 1e-40, 1 - 2**-11)
    return tensor(shape, Sprinkle(base=Uniform(), specials=specials, share=0.3), dtype)


GENERATOR = GeneratorArgument()

# Few draws prove little: cases are as large as it takes to tell a probability that is off by 0.05.
bernoulli.check(
    grid(self=uniform((89, 92)), dtypes=(fp16, fp32), layouts=ANY_LAYOUT),
    grid(self=uniform((89, 92)), dtypes=(bf16, fp64)),
    grid("with a generator", self=uniform((91, 90)), generator=GENERATOR, dtypes=(fp32,), layouts=ANY_LAYOUT),
    grid("with a generator", self=uniform((64, 128)), generator=GENERATOR, dtypes=HALF),
    grid("one probability", self=[fill((64, 128), p) for p in (0.5, 0.1, 0.875)], dtypes=(fp16, fp32)),
    grid("odd sizes", self=[uniform((8191,)), uniform((3, 2729)), uniform((11, 19, 37))], dtypes=(fp32,)),
    grid("rank 6", self=uniform((2, 3, 5, 7, 11, 3)), dtypes=(fp32,), layouts=ANY_LAYOUT[1:3]),
    grid("sizes of 1", self=uniform((1, 8101, 1)), dtypes=(fp16,)),
    *[case("some certain", self=with_certainties((90, 91), dtype)) for dtype in (*FLOATING, fp64)],
    grid("certain by turns", self=literally((64, 128), 0.0, 0.5, 1.0), dtypes=(fp16, fp32)),
    grid(
        "rare, then nearly always",
        self=[uniform((128, 129), *p) for p in ((0.0, 0.02), (0.98, 1.0))],
        dtypes=(fp32,),
    ),
    # One draw: only certainty can be judged.
    grid("0-d", self=[fill((), 1.0), fill((), 0.0)], dtypes=(fp16, fp32), telling=False),
    grid("empty", self=[fill((0,), 0.5), fill((0, 5), 0.5), fill((5, 0), 0.5)], dtypes=(fp32,)),
    grid(
        "1 M elements",
        self=[uniform((1023, 1025)), fill((1024, 1024), 0.5)],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:2],
        tier=Tier.STANDARD,
    ),
)
bernoulli.perf(
    case("BERT-large masking, batch 8192, 512 tokens at 15 %", self=fill((8192, 512), 0.15, dtype=fp32)),
    grid(
        "GPT-2 attention dropout, 12 heads, 1024 tokens, batch 2, kept at 90 %",
        self=fill((2, 12, 1024, 1024), 0.9),
        dtypes=(fp16, fp32),
    ),
    case("MNIST binarised anew for a VAE, 10000 images", self=uniform((10_000, 784), dtype=fp32)),
    case("QLoRA dropout on Llama-3-8B, 4096 tokens, kept at 95 %", self=fill((4096, 4096), 0.95, dtype=bf16)),
)
