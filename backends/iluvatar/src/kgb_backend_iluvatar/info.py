"""The names that this vendor goes by; to torch it is `cuda`, and to its own Triton `corex`."""

from __future__ import annotations

from kgb_core.models import BackendInfo

INFO = BackendInfo(
    vendor="iluvatar",
    display_name="Iluvatar CoreX",
    torch_device_type="cuda",
    triton_backend="corex",
    visibility_variable="CUDA_VISIBLE_DEVICES",
    pci_vendor_id=0x1E3E,
    smi_tool="ixsmi",
    smi_word="Iluvatar",
)
