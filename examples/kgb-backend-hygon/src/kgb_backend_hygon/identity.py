"""The names that this chip goes by."""

from __future__ import annotations

from kgb_backend_hygon.bus import VENDOR
from kgb_core.models import BackendInfo


def identity() -> BackendInfo:
    """CUDA's name in torch, HIP's in Triton and in the environment; none of them says Hygon."""
    return BackendInfo(
        vendor="hygon",
        display_name="Hygon DCU",
        torch_device_type="cuda",
        triton_backend="hip",
        visibility_variable="HIP_VISIBLE_DEVICES",
        pci_vendor_id=VENDOR,
        smi_tool="hy-smi",
        smi_word="HCU",  # older versions say DCU; kgb_probe knows both
    )
