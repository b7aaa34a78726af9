"""The contract: the plugin loads, says what it was made for, and says who it is at no cost."""

from __future__ import annotations

import re
from typing import Any

from kgb_core.hookspecs import HOOK_API, REQUIRED
from kgb_core.models.plugins import LoadState
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import survey_backends
from kgb_core.testing.alone import Seen

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def test_plugin_loads(vendor: str) -> None:
    """The plugin is installed once, loads, and has the required hooks."""
    entries = survey_backends([vendor]).report.of(vendor)
    assert len(entries) == 1, f"{len(entries)} distributions declare the backend {vendor}"
    (entry,) = entries
    assert entry.state is LoadState.LOADED, f"{entry.state.value}: {entry.reason}; {entry.next_step}"
    assert set(entry.hooks) >= REQUIRED


def test_api_is_stated(plugin: Any) -> None:
    """The plugin states the hook API that it was made for: `api = (1, 0)`."""
    major, minor = HOOK_API
    assert hasattr(plugin, "api"), f"state api = ({major}, {minor}): a later core can then tell what it needs"


def test_every_hook_is_marked(plugin: Any, backend: Backend) -> None:
    """Whatever is named `kgb_…` is a hook: without `@hookimpl` it is never called."""
    named = {name for name in dir(plugin) if name.startswith("kgb_")}
    unmarked = sorted(named - set(backend.hooks))
    assert not unmarked, f"without @hookimpl: {', '.join(unmarked)}"


def test_import_is_light(alone: Seen) -> None:
    """Importing the plugin imports neither torch nor triton."""
    assert not alone.heavy, f"importing the plugin imports {' and '.join(alone.heavy)}"


def test_info_is_free(alone: Seen) -> None:
    """`kgb_backend_info` imports nothing, opens nothing, starts nothing."""
    assert not alone.events, f"kgb_backend_info did: {'; '.join(alone.events)}"


def test_info_is_constant(alone: Seen) -> None:
    """`kgb_backend_info` gives the same answer each time."""
    assert alone.same, "kgb_backend_info gave two different answers"


def test_names_are_given(backend: Backend) -> None:
    """The display name and the torch device type are names."""
    info = backend.info
    assert info.display_name.strip(), "display_name is blank"
    assert re.fullmatch(r"[a-z][a-z0-9_]*", info.torch_device_type), (
        f"torch has no device type {info.torch_device_type!r}"
    )


def test_workers_can_be_pinned(backend: Backend) -> None:
    """A chip has a visibility variable, or a `kgb_worker_environment` of its own."""
    variable = backend.info.visibility_variable
    assert variable is None or _VARIABLE.fullmatch(variable), f"{variable!r} names no variable"
    pinned = variable is not None or "kgb_worker_environment" in backend.hooks
    assert pinned or not backend.info.needs_hardware, "nothing pins a worker to one device"


def test_hardware_can_be_recognised(backend: Backend) -> None:
    """A chip has a PCI vendor id, a tool with a word of its own, or a `kgb_probe` of its own."""
    info = backend.info
    assert info.smi_tool is None or info.smi_word, (
        f"other vendors may ship a {info.smi_tool} too: give smi_word"
    )
    assert info.pci_vendor_id is None or 0 < info.pci_vendor_id < 0xFFFF, (
        f"{info.pci_vendor_id:#x} is no PCI id"
    )
    known = info.pci_vendor_id is not None or info.smi_tool is not None or "kgb_probe" in backend.hooks
    assert known or not info.needs_hardware, "nothing tells that this vendor's chip is here"
