"""The names that this vendor goes by; they differ from one another."""

from __future__ import annotations

from kgb_core.models import BackendInfo

INFO = BackendInfo(
    vendor="metax",
    display_name="MetaX",
    torch_device_type="cuda",
    triton_backend="maca",
    visibility_variable="CUDA_VISIBLE_DEVICES",
    pci_vendor_id=0x9999,
    smi_tool="mx-smi",
    smi_word="MetaX",
)
