"""Autotuned, with a heuristic and a pruning of its own that leaves the last configuration."""

import torch
import triton
import triton.language as tl


def last(configs, arguments, **meta):
    return configs[1:]


@triton.autotune(
    configs=[triton.Config({"BLOCK": 64}, num_warps=1), triton.Config({"BLOCK": 256}, num_warps=8)],
    key=["count"],
    prune_configs_by={"early_config_prune": last},
)
@triton.heuristics({"WHOLE": lambda arguments: arguments["count"] % arguments["BLOCK"] == 0})
@triton.jit
def tuned_kernel(out, source, count, BLOCK: tl.constexpr, WHOLE: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(source + at, mask=at < count) * 2, mask=at < count)


def twice(self):
    out = torch.empty_like(self)
    tuned_kernel[lambda meta: (triton.cdiv(self.numel(), meta["BLOCK"]),)](out, self, self.numel())
    return out
