"""Loading backends: each ends in one of seven states with its reason, and none can stop the program.

stevedore loads one driver by name; `importlib.metadata` lists what there is, because stevedore's own list
has no distributions and picks silently among duplicates. pluggy checks and carries the hooks, with one
manager for each backend, so that no vendor sees or spoils another's call.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from stevedore.driver import DriverManager

from kgb_core.errors import BackendLoadError
from kgb_core.models.plugins import LoadReport, LoadState, PluginEntry
from kgb_core.plugins.assembly import Rejected, assemble, one_line
from kgb_core.plugins.backend import Backend
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


def _load(point: Installed) -> tuple[PluginEntry, Backend | None]:
    try:
        backend = _loaded(point)
    except Rejected as rejected:
        next_step = rejected.next_step or _report_to(point)
        return _entry(point, rejected.state, rejected.reason, next_step), None
    return _entry(point, LoadState.LOADED, hooks=backend.hooks), backend


def _loaded(point: Installed) -> Backend:
    requirement = unmet_core(point.requirements)
    if requirement:
        raise Rejected(
            LoadState.INCOMPATIBLE,
            f"needs {requirement}; this is kgb-core {__version__}",
            f'pip install "{requirement}", or another version of {point.distribution}',
        )
    return assemble(_driver(point), point.name, point.distribution, point.version)


def _driver(point: Installed) -> object:
    try:
        manager: DriverManager[object] = DriverManager(
            GROUP, point.name, invoke_on_load=True, on_missing_entrypoints_callback=None
        )
        return manager.driver
    except (Exception, SystemExit) as error:  # the border to a plugin: what it raises becomes its entry
        raise Rejected(LoadState.FAILED, one_line(error), _mend(point, error)) from error


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


def _mend(point: Installed, error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"install what provides the module {error.name}, or pip uninstall {point.distribution}"
    return _report_to(point)


def _report_to(point: Installed) -> str:
    return (
        f"report it to the maintainer of {point.distribution}; "
        f"leave it out meanwhile: list the backends that you want in {VARIABLE}"
    )
