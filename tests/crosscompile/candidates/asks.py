"""Host code that asks which chip it is on, in every way that published kernels use."""

import torch
import triton
import triton.language as tl

TARGET = triton.runtime.driver.active.get_current_target()


@triton.jit
def asking_kernel(out, source, BACKEND: tl.constexpr, WARP: tl.constexpr, SHARED: tl.constexpr):
    tl.store(out, tl.load(source))


def twice(self):
    assert self.is_cuda
    assert self.device.type == "cuda"
    assert self.to("cuda") is self
    assert self.cuda() is self
    assert torch.zeros(3, device=self.device, pin_memory=True).sum().item() == 0
    out = torch.empty_like(self, device=triton.runtime.driver.active.get_active_torch_device())
    with torch.cuda.device(self.device):
        shared = torch.cuda.get_device_properties(self.device).shared_memory_per_block_optin
        asking_kernel[(1,)](out, self, TARGET.backend, TARGET.warp_size, shared)
    torch.cuda.synchronize()
    return out
