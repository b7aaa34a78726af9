"""Host code as it is written for CUDA: guards, streams, the number of multiprocessors, Triton's driver."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, at < n) * 2, at < n)


def answer() -> dict[str, object]:
    """What that host code finds here."""
    x = torch.arange(5, device=DEVICE)
    with torch.cuda.device(x.device), torch.cuda.device_of(x), torch.cuda.stream(torch.cuda.current_stream()):
        programs = torch.cuda.get_device_properties(x.device).multi_processor_count
        double[(programs,)](x, 5, BLOCK=8)
    torch.cuda.synchronize()
    torch.cuda.synchronize(x.device)
    torch.cuda.current_stream(x.device).synchronize()
    torch.cuda.current_stream().wait_stream(torch.cuda.default_stream())
    driver = triton.runtime.driver.active
    return {
        "x": x.tolist(),
        "programs": programs,
        "target": driver.get_current_target().backend,
        "multiprocessors": driver.utils.get_device_properties(driver.get_current_device())[
            "multiprocessor_count"
        ],
        "capability": capability(),
    }


def capability() -> str:
    """What a question that only a chip can answer gets."""
    try:
        return str(torch.cuda.get_device_capability())
    except AttributeError as error:
        return str(error)
