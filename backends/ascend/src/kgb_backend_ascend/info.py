"""The names that this vendor goes by; they differ from one another."""

from __future__ import annotations

from kgb_core.models import BackendInfo

INFO = BackendInfo(
    vendor="ascend",
    display_name="Huawei Ascend",
    torch_device_type="npu",
    triton_backend="npu",
    visibility_variable="ASCEND_RT_VISIBLE_DEVICES",
    pci_vendor_id=0x19E5,
    smi_tool="npu-smi",
    smi_word="npu-smi",
)
