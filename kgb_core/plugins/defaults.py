"""What every chip gets for free: the core's own answers to the hooks that a vendor leaves out.

It is registered before the vendor's plugin, so pluggy asks it last and only where the vendor answered `None`.
Everything goes through `BackendInfo` and torch's module of the device type; no chip is known here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kgb_core.compiling.stock import compile_launch
from kgb_core.hookspecs import hookimpl
from kgb_core.models.device import BackendInfo, Device, Probe, Target
from kgb_core.models.launch import CompileOutcome, Launch
from kgb_core.models.timer import Timer
from kgb_core.plugins.evidence import HOST_SCORE, pci_evidence, tool_evidence, total
from kgb_core.plugins.tools import SYSFS


class CoreDefaults:
    """The core's defaults, as a plugin.

    Args:
        info: answers who the backend is.
        sysfs: where sysfs is mounted.
    """

    def __init__(self, info: Callable[[], BackendInfo], sysfs: Path = SYSFS) -> None:
        self._info = info
        self._sysfs = sysfs

    @hookimpl
    def kgb_probe(self) -> Probe:
        """PCI vendor id and the tool's word: each is evidence of its own."""
        info = self._info()
        if not info.needs_hardware:
            return Probe(score=HOST_SCORE, evidence=("needs no hardware",))
        return total(pci_evidence(info, self._sysfs) + tool_evidence(info))

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> dict[str, str]:
        """The visibility variable, set to the device's id or index."""
        variable = self._info().visibility_variable
        if variable is None:
            return {}
        return {variable: str(device.index) if device.visibility_id is None else device.visibility_id}

    @hookimpl
    def kgb_synchronize(self) -> bool:
        """Wait for the worker's device: it sees no other."""
        self._device_module().synchronize()
        return True

    @hookimpl
    def kgb_make_timer(self, device: Device) -> Timer:
        """Device events where torch has them, else the host's clock."""
        from kgb_core.plugins.timers import CacheFlush, EventTimer, HostTimer

        module, info = self._device_module(), self._info()
        if not info.needs_hardware:
            return HostTimer(module.synchronize)
        cache = device.last_level_cache_bytes
        if hasattr(module, "Event"):
            return EventTimer(module, info.torch_device_type, cache)
        return HostTimer(module.synchronize, CacheFlush(info.torch_device_type, cache))

    @hookimpl
    def kgb_check_health(self) -> bool:
        """Add up the first thousand numbers on the device."""
        import torch

        try:
            total = torch.arange(1000, device=self._info().torch_device_type).sum().item()
        except RuntimeError:
            return False
        return bool(total == 499_500)

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome:
        """Compile with the Triton that is installed."""
        return compile_launch(launch, target)

    def _device_module(self) -> Any:
        import torch

        return torch.get_device_module(self._info().torch_device_type)
