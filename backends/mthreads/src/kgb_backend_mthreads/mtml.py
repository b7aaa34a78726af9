"""Discovery through MTML, the driver's library: creates no context, and does without any optional fact.

The binding is the distribution `mthreads-ml-py`, whose module is called `pymtml`. The package index has
another distribution called `pymtml`, which is no binding; so the distribution is looked for, not the module.
Checked with the real binding where no driver is, and with an imitation of one.
"""

from __future__ import annotations

import contextlib
import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from kgb_backend_mthreads.cards import Card, first_of_each
from kgb_backend_mthreads.reading import Reading

SOURCE = "MTML"
DISTRIBUTION = "mthreads-ml-py"


def read(library: Any = None) -> Reading:
    """Ask MTML for every card.

    Args:
        library: the module `pymtml`; imported when not given.
    """
    try:
        found = load() if library is None else library
    except ImportError as error:
        return Reading(SOURCE, problem=str(error))
    try:
        found.mtmlLibraryInit()
    except (found.MTMLError, OSError) as error:  # OSError: the library itself is not there
        return Reading(SOURCE, problem=f"libmtml.so: {_first_line(error)}")
    try:
        return _Mtml(found).reading()
    finally:
        with contextlib.suppress(found.MTMLError):
            found.mtmlLibraryShutDown()


def load() -> Any:
    """The binding.

    Raises:
        ImportError: it isn't installed, or what is called `pymtml` is something else.
    """
    try:
        version(DISTRIBUTION)
    except PackageNotFoundError:
        raise ImportError(f"{DISTRIBUTION} is not installed") from None
    library = importlib.import_module("pymtml")
    if not (hasattr(library, "mtmlLibraryInit") and hasattr(library, "MTMLError")):
        raise ImportError(f"the module pymtml is not {DISTRIBUTION}'s")
    return library


class _Mtml:
    """An initialised MTML.

    Args:
        library: the module `pymtml`.
    """

    def __init__(self, library: Any) -> None:
        self._library = library
        self._driver = self._driver_version()

    def reading(self) -> Reading:
        """Every card and the driver's version."""
        try:
            count = self._library.mtmlLibraryCountDevice()
        except self._library.MTMLError as error:
            return Reading(SOURCE, driver=self._driver, problem=f"{SOURCE}: {_first_line(error)}")
        return Reading(SOURCE, first_of_each(map(self._card, range(count))), self._driver)

    def _ask(self, function: str, *arguments: Any) -> Any:
        """An optional fact: `None` where this driver, this card or this library doesn't have it."""
        with contextlib.suppress(self._library.MTMLError, AttributeError, UnicodeDecodeError):
            return getattr(self._library, function)(*arguments)
        return None

    def _driver_version(self) -> str | None:
        system = self._ask("mtmlLibraryInitSystem")
        if system is None:
            return None
        found = self._ask("mtmlSystemGetDriverVersion", system)
        self._ask("mtmlLibraryFreeSystem", system)
        return _text(found)

    def _card(self, gpu: int) -> Card:
        try:
            handle = self._library.mtmlLibraryInitDeviceByIndex(gpu)
        except self._library.MTMLError as error:
            return Card(gpu, f"Moore Threads GPU {gpu}", driver=self._driver, problem=_first_line(error))
        card = self._described(gpu, handle)
        self._ask("mtmlLibraryFreeDevice", handle)
        return card

    def _described(self, gpu: int, handle: Any) -> Card:
        pci = self._ask("mtmlDeviceGetPciInfo", handle)
        return Card(
            gpu,
            name=_text(self._ask("mtmlDeviceGetName", handle)) or f"Moore Threads GPU {gpu}",
            uuid=_text(self._ask("mtmlDeviceGetUUID", handle)),
            pci_bus_id=_text(getattr(pci, "sbdf", None)),
            memory_bytes=self._memory(handle),
            driver=self._driver,
        )

    def _memory(self, handle: Any) -> int | None:
        memory = self._ask("mtmlDeviceInitMemory", handle)
        if memory is None:
            return None
        total = self._ask("mtmlMemoryGetTotal", memory)
        self._ask("mtmlDeviceFreeMemory", memory)
        return total or None


def _text(value: Any) -> str | None:
    """A string of MTML, which a binding may give as bytes; `None` for an empty one."""
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    return (str(text).strip() or None) if text is not None else None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
