"""What host code asks torch's GPU module, answered for a chip that is not here."""

from __future__ import annotations

from typing import Any

from kgb_core.compiling.driver import PROCESSORS, capability
from kgb_core.models.device import Target


class StubStream:
    """The only stream: nothing is ever on it."""

    cuda_stream = 0
    stream_id = 0

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def query(self) -> bool:
        """Always idle."""
        return True

    def wait_stream(self, stream: object) -> None:
        """Nothing to wait for."""

    def __enter__(self) -> StubStream:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class StubGuard:
    """Stands for a block in which a device is current: nothing changes."""

    idx = 0

    def __init__(self, device: object = None) -> None:
        del device

    def __enter__(self) -> StubGuard:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class StubProperties:
    """What `get_device_properties` can say of a target; what no source gives is no attribute."""

    def __init__(self, target: Target) -> None:
        limits = target.limits
        known: dict[str, Any] = {
            "name": target.device_names[0] if target.device_names else target.name,
            "multi_processor_count": PROCESSORS,
            "shared_memory_per_block_optin": limits.shared_memory_bytes,
            "shared_memory_per_block": limits.shared_memory_bytes,
            "max_threads_per_block": limits.threads_per_block,
            "warp_size": target.warp_size or None,
        }
        if isinstance(target.triton_arch, int):
            known["major"], known["minor"] = capability(target)
        else:
            known["gcnArchName"] = target.triton_arch
        self.__dict__.update({name: value for name, value in known.items() if value is not None})
        self._target = target.name

    def __getattr__(self, name: str) -> object:
        raise AttributeError(f"{name} of {self.__dict__.get('_target', 'the target')} is not known")


def install(target: Target) -> None:
    """Replace those calls of `torch.cuda`, by which most stacks are asked, for this process."""
    import torch

    module: Any = torch.cuda
    module.is_available = lambda: True
    module.device_count = lambda: 1
    module.current_device = lambda: 0
    module.synchronize = module.set_device = lambda device=None: None
    module.current_stream = module.default_stream = module.stream = lambda device=None: StubStream()
    module.device = module.device_of = StubGuard
    module.get_device_properties = lambda device=None: StubProperties(target)
    module.get_device_capability = lambda device=None: capability(target)
    module.get_device_name = lambda device=None: StubProperties(target).name
