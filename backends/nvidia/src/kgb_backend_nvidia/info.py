"""The names that this vendor goes by; they differ from one another."""

from __future__ import annotations

from kgb_core.models import BackendInfo

INFO = BackendInfo(
    vendor="nvidia",
    display_name="NVIDIA",
    torch_device_type="cuda",
    triton_backend="cuda",
    visibility_variable="CUDA_VISIBLE_DEVICES",
    pci_vendor_id=0x10DE,
    smi_tool="nvidia-smi",
    smi_word="NVIDIA",
)
