"""Driver, CANN and torch_npu versions for the manifest."""

from __future__ import annotations

from pathlib import Path

from kgb_backend_ascend import stack
from kgb_backend_ascend.discovery import read


def versions(root: Path = stack.ROOT) -> dict[str, str]:
    """What is known of them.

    Args:
        root: where Huawei's software is.
    """
    driver = stack.driver_version(root) or read().driver
    found = {"driver": driver, "torch_npu": stack.torch_npu_version()}
    known = {name: text for name, text in found.items() if text}
    return known | stack.toolkit_versions(stack.toolkit(root=root))
