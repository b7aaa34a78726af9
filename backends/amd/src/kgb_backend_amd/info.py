"""The names that this vendor goes by; torch says `cuda`, Triton says `hip`, and neither says AMD."""

from __future__ import annotations

from kgb_core.models import BackendInfo

INFO = BackendInfo(
    vendor="amd",
    display_name="AMD",
    torch_device_type="cuda",
    triton_backend="hip",
    visibility_variable="ROCR_VISIBLE_DEVICES",
    pci_vendor_id=0x1002,
    smi_tool="amd-smi",
    smi_word="AMD",
)
