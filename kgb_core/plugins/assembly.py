"""A vendor's object, checked and joined to the core's defaults: the part of loading after the import."""

from __future__ import annotations

import pluggy

from kgb_core import hookspecs
from kgb_core.errors import BackendError
from kgb_core.hookspecs import HOOK_API, PROJECT, REQUIRED
from kgb_core.models.plugins import LoadState
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.defaults import CoreDefaults
from kgb_core.version import __version__


class Rejected(Exception):
    """What keeps one backend from being loaded.

    Attributes:
        state: the state that it ends in.
        reason: why, in one line.
        next_step: what to do; empty for what only its author can mend.
    """

    def __init__(self, state: LoadState, reason: str, next_step: str = "") -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason
        self.next_step = next_step


def assemble(plugin: object, vendor: str, distribution: str = "", version: str = "") -> Backend:
    """The backend of a vendor's object.

    Args:
        plugin: the object whose methods are the hooks.
        vendor: the vendor id that it must have.
        distribution: where it comes from.
        version: the version of that.

    Raises:
        Rejected: it doesn't fit the hooks of this core.
    """
    _check_api(plugin, distribution)
    backend = Backend(vendor, _manager(plugin, vendor), plugin, distribution, version)
    _check_hooks(backend)
    _check_info(backend)
    return backend


def one_line(error: BaseException) -> str:
    """An exception's type and message, without line breaks."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _check_api(plugin: object, distribution: str) -> None:
    api = getattr(plugin, "api", HOOK_API)
    if not (isinstance(api, tuple) and len(api) == 2 and all(isinstance(number, int) for number in api)):
        raise Rejected(LoadState.INVALID, f"api is {api!r}; it must be (major, minor)")
    major, minor = HOOK_API
    if api[0] != major or api[1] > minor:
        raise Rejected(
            LoadState.INCOMPATIBLE,
            f"needs hook API {api[0]}.{api[1]}; this kgb-core {__version__} speaks {major}.{minor}",
            f"pip install --upgrade kgb-core {distribution}".rstrip(),
        )


def _manager(plugin: object, vendor: str) -> pluggy.PluginManager:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    # First registered is last asked: the vendor's answer goes before the core's.
    manager.register(CoreDefaults(manager.hook.kgb_backend_info), name="core")
    try:
        manager.register(plugin, name=vendor)
        manager.check_pending()
    except (Exception, SystemExit) as error:  # the border to a plugin: registering reads its properties too
        raise Rejected(LoadState.INVALID, one_line(error)) from error
    return manager


def _check_hooks(backend: Backend) -> None:
    missing = sorted(REQUIRED.difference(backend.hooks))
    if missing:
        raise Rejected(LoadState.INCOMPLETE, f"required and missing: {', '.join(missing)}")


def _check_info(backend: Backend) -> None:
    try:
        vendor = backend.info.vendor
    except BackendError as error:
        raise Rejected(LoadState.INVALID, f"{error.hook}: {error.why}") from error
    if vendor != backend.vendor:
        raise Rejected(
            LoadState.INVALID, f"kgb_backend_info says vendor {vendor}, its entry point says {backend.vendor}"
        )
