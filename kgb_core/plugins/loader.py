"""Loading backends: each ends in one of seven states with its reason, and none can stop the program.

stevedore loads one driver by name; `importlib.metadata` lists what there is, because stevedore's own list
has no distributions and picks silently among duplicates. pluggy checks and carries the hooks, with one
manager for each backend, so that no vendor sees or spoils another's call.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import pluggy
from stevedore.driver import DriverManager

from kgb_core import hookspecs
from kgb_core.errors import BackendError, BackendLoadError
from kgb_core.hookspecs import HOOK_API, PROJECT, REQUIRED
from kgb_core.models.plugins import LoadReport, LoadState, PluginEntry
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.defaults import CoreDefaults
from kgb_core.plugins.installed import GROUP, Installed, installed_backends, unmet_core
from kgb_core.plugins.selection import VARIABLE
from kgb_core.version import __version__


@dataclass(frozen=True)
class LoadedBackends:
    """The backends that can be used, by name, and the report on all that are installed."""

    report: LoadReport
    backends: dict[str, Backend]

    def get(self, name: str) -> Backend:
        """The backend of that name.

        Raises:
            BackendLoadError: it is not installed or not loaded; says why and what to do.
        """
        if name in self.backends:
            return self.backends[name]
        entries = self.report.of(name)
        if not entries:
            raise _absent(name, self.report.names())
        entry = entries[0]
        raise BackendLoadError(
            f"backend {name} is {entry.state.value} ({entry.distribution} {entry.version}).",
            entry.reason,
            entry.next_step,
        )


def load_backends(only: Sequence[str] | None = None) -> LoadedBackends:
    """Load the installed backends, or just the named ones.

    Args:
        only: names to load; `None` means all that are installed. Nothing else is imported.

    Raises:
        BackendLoadError: a named backend is absent or did not load. One that is merely installed is recorded.
    """
    loaded = survey_backends(only)
    for name in only or ():
        loaded.get(name)
    return loaded


def survey_backends(only: Sequence[str] | None = None) -> LoadedBackends:
    """Load as `load_backends` does, and record what a named backend did instead of raising."""
    entries: list[PluginEntry] = []
    backends: dict[str, Backend] = {}
    for name, points in installed_backends().items():
        if only is not None and name not in only:
            entries.extend(_disabled(point, only) for point in points)
        elif len(points) > 1:
            entries.extend(_conflict(point, points) for point in points)
        else:
            entry, backend = _load(points[0])
            entries.append(entry)
            if backend is not None:
                backends[name] = backend
    return LoadedBackends(LoadReport(entries=tuple(entries)), backends)


class _Stopped(Exception):
    """What keeps one backend from being loaded."""

    def __init__(self, state: LoadState, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason
        self.next_step = next_step


def _load(point: Installed) -> tuple[PluginEntry, Backend | None]:
    try:
        backend = _loaded(point)
    except _Stopped as stopped:
        return _entry(point, stopped.state, stopped.reason, stopped.next_step), None
    return _entry(point, LoadState.LOADED, hooks=backend.hooks), backend


def _loaded(point: Installed) -> Backend:
    requirement = unmet_core(point.requirements)
    if requirement:
        raise _Stopped(
            LoadState.INCOMPATIBLE,
            f"needs {requirement}; this is kgb-core {__version__}",
            f'pip install "{requirement}", or another version of {point.distribution}',
        )
    plugin = _driver(point)
    _check_api(point, plugin)
    manager = _manager(point, plugin)
    backend = Backend(point.name, manager, plugin, point.distribution, point.version)
    _check_hooks(point, backend)
    _check_info(point, backend)
    return backend


def _driver(point: Installed) -> object:
    try:
        manager: DriverManager[object] = DriverManager(
            GROUP, point.name, invoke_on_load=True, on_missing_entrypoints_callback=None
        )
        return manager.driver
    except (Exception, SystemExit) as error:  # the border to a plugin: what it raises becomes its entry
        raise _Stopped(LoadState.FAILED, _one_line(error), _mend(point, error)) from error


def _check_api(point: Installed, plugin: object) -> None:
    api = getattr(plugin, "api", HOOK_API)
    if not _is_version(api):
        raise _Stopped(LoadState.INVALID, f"api is {api!r}; it must be (major, minor)", _report_to(point))
    major, minor = HOOK_API
    if api[0] != major or api[1] > minor:
        raise _Stopped(
            LoadState.INCOMPATIBLE,
            f"needs hook API {api[0]}.{api[1]}; this kgb-core {__version__} speaks {major}.{minor}",
            f"pip install --upgrade kgb-core {point.distribution}",
        )


def _is_version(api: object) -> bool:
    return isinstance(api, tuple) and len(api) == 2 and all(isinstance(number, int) for number in api)


def _manager(point: Installed, plugin: object) -> pluggy.PluginManager:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(CoreDefaults(manager.hook.kgb_backend_info), name="core")
    try:
        manager.register(plugin, name=point.name)
        manager.check_pending()
    except (Exception, SystemExit) as error:  # registering reads a plugin's properties too
        raise _Stopped(LoadState.INVALID, _one_line(error), _report_to(point)) from error
    return manager


def _check_hooks(point: Installed, backend: Backend) -> None:
    missing = sorted(REQUIRED.difference(backend.hooks))
    if missing:
        raise _Stopped(
            LoadState.INCOMPLETE,
            f"{', '.join(missing)} missing: a backend must implement {'it' if len(missing) == 1 else 'them'}",
            _report_to(point),
        )


def _check_info(point: Installed, backend: Backend) -> None:
    try:
        vendor = backend.info.vendor
    except BackendError as error:
        raise _Stopped(LoadState.INVALID, f"{error.hook}: {error.why}", _report_to(point)) from error
    if vendor != point.name:
        raise _Stopped(
            LoadState.INVALID,
            f"kgb_backend_info says vendor {vendor}, its entry point says {point.name}",
            _report_to(point),
        )


def _entry(
    point: Installed, state: LoadState, reason: str = "", next_step: str = "", hooks: tuple[str, ...] = ()
) -> PluginEntry:
    return PluginEntry(
        name=point.name,
        distribution=point.distribution,
        version=point.version,
        state=state,
        reason=reason,
        next_step=next_step,
        hooks=hooks,
    )


def _disabled(point: Installed, only: Sequence[str]) -> PluginEntry:
    chosen = ",".join(only) or "none"
    return _entry(
        point,
        LoadState.DISABLED,
        f"not selected: {chosen}",
        f"add {point.name} to {VARIABLE} or --backend",
    )


def _conflict(point: Installed, points: Sequence[Installed]) -> PluginEntry:
    others = " and ".join(p.distribution for p in points if p is not point)
    return _entry(
        point,
        LoadState.CONFLICT,
        f"{others} has the name {point.name} too",
        f"pip uninstall one of {', '.join(p.distribution for p in points)}",
    )


def _absent(name: str, names: Sequence[str]) -> BackendLoadError:
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    installed = f"installed: {', '.join(names)}" if names else "no backend is installed"
    hint = f"did you mean {' or '.join(close)}?" if close else f"pip install kgb-backend-{name}, if it exists"
    return BackendLoadError(f"no backend {name} is installed.", f"{installed}.", hint)


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _mend(point: Installed, error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"install what provides the module {error.name}, or pip uninstall {point.distribution}"
    return _report_to(point)


def _report_to(point: Installed) -> str:
    return (
        f"report it to the maintainer of {point.distribution}; "
        f"leave it out meanwhile: list the backends that you want in {VARIABLE}"
    )
