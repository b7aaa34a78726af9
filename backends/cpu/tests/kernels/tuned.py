"""A kernel with all that Triton's launcher offers: autotuning, pruning, heuristics, a hook before it runs."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

SEEN: list[str] = []


def note(arguments: dict[str, object]) -> None:
    SEEN.append(f"pre_hook BLOCK={arguments['BLOCK']}")


def drop_small(
    configs: list[triton.Config], arguments: dict[str, object], **kwargs: object
) -> list[triton.Config]:
    return [config for config in configs if config.kwargs["BLOCK"] >= 32]


def ask_the_gpu(
    configs: list[triton.Config], arguments: dict[str, object], **kwargs: object
) -> list[triton.Config]:
    return configs[: torch.cuda.get_device_capability()[0]]


def never(**arguments: object) -> float:
    raise AssertionError("a performance model was asked")


CONFIGS = [triton.Config({"BLOCK": size}, num_warps=4, pre_hook=note) for size in (16, 32, 64)]


def tuned(prune: dict[str, object] | None):
    """The kernel, autotuned with that pruning."""

    @triton.autotune(configs=CONFIGS, key=["n"], prune_configs_by=prune)
    @triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
    @triton.jit
    def fill(out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, BLOCK + at * 0, mask=(at < n) | EVEN)

    return fill


def run(kernel, n: int) -> list[int]:
    """The block size that each element was written with."""
    out = torch.zeros(n, dtype=torch.int32)
    kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](out, n)
    return sorted(set(out.tolist()))


def answer() -> dict[str, object]:
    """What each pruning chose."""
    return {
        "plain": run(tuned(None), 100),
        "even": run(tuned(None), 64),
        "pruned": run(tuned({"early_config_prune": drop_small}), 100),
        "model": run(tuned({"perf_model": never, "top_k": 1}), 100),
        "gpu": run(tuned({"early_config_prune": ask_the_gpu}), 100),
        "best": tuned(None).configs[0].kwargs,
        "hook": SEEN[0],
    }
