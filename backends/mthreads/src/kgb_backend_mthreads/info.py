"""The names that this vendor goes by; they differ from one another."""

from __future__ import annotations

from kgb_core.models import BackendInfo

INFO = BackendInfo(
    vendor="mthreads",
    display_name="Moore Threads",
    torch_device_type="musa",
    triton_backend="musa",
    visibility_variable="MUSA_VISIBLE_DEVICES",
    pci_vendor_id=0x1ED5,
    smi_tool="mthreads-gmi",
    smi_word="mthreads-gmi",
)
