"""Discovery through MXSML, the driver's library: creates no context, and does without any optional fact.

The binding is `pymxsml`, a wheel in MetaX's SDK. Checked with an imitation of it only.
"""

from __future__ import annotations

import contextlib
import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from kgb_backend_metax.cards import Card, first_of_each
from kgb_backend_metax.reading import Reading

SOURCE = "MXSML"
DISTRIBUTION = "pymxsml"
WHEEL = "/opt/maca/share/mxsml/pymxsml-*.whl"
_DRIVER_UNIT = 1
"""`MXSML_VERSION_DRIVER`, where the binding doesn't name it."""


def read(library: Any = None) -> Reading:
    """Ask MXSML for every card.

    Args:
        library: the module `pymxsml`; imported when not given.
    """
    try:
        found = load() if library is None else library
    except ImportError as error:
        return Reading(SOURCE, problem=str(error))
    try:
        found.mxSmlInit()
    except (found.MXSMLError, OSError) as error:  # OSError: the library itself is not there
        return Reading(SOURCE, problem=f"libmxsml.so: {_first_line(error)}")
    return _Mxsml(found).reading()


def load() -> Any:
    """The binding.

    Raises:
        ImportError: it isn't installed, or what is called `pymxsml` is something else.
    """
    try:
        version(DISTRIBUTION)
    except PackageNotFoundError:
        raise ImportError(f"{DISTRIBUTION} is not installed") from None
    library = importlib.import_module("pymxsml")
    if not (hasattr(library, "mxSmlInit") and hasattr(library, "MXSMLError")):
        raise ImportError("the module pymxsml is not MetaX's")
    return library


class _Mxsml:
    """An initialised MXSML. It stays so: other code in this process may use it.

    Args:
        library: the module `pymxsml`.
    """

    def __init__(self, library: Any) -> None:
        self._library = library

    def reading(self) -> Reading:
        """Every card and the versions."""
        maca = _text(self._ask("mxSmlGetMacaVersion"))
        try:
            count = self._library.mxSmlGetDeviceCount()
        except self._library.MXSMLError as error:
            return Reading(SOURCE, maca=maca, problem=f"{SOURCE}: {_first_line(error)}")
        cards = first_of_each(map(self._card, range(count)))
        driver = next((card.driver for card in cards if card.driver), None)
        return Reading(SOURCE, cards, driver=driver, maca=maca)

    def _ask(self, function: str, *arguments: Any) -> Any:
        """An optional fact: `None` where this driver, this card or this library doesn't have it."""
        with contextlib.suppress(self._library.MXSMLError, AttributeError, UnicodeDecodeError):
            return getattr(self._library, function)(*arguments)
        return None

    def _card(self, gpu: int) -> Card:
        try:
            info = self._library.mxSmlGetDeviceInfo(gpu)
        except self._library.MXSMLError as error:
            return Card(gpu, f"MetaX GPU {gpu}", problem=_first_line(error))
        unit = getattr(self._library, "MXSML_VERSION_DRIVER", _DRIVER_UNIT)
        memory = getattr(self._ask("mxSmlGetMemoryInfo", gpu), "vramTotal", None)
        return Card(
            gpu,
            name=_text(getattr(info, "deviceName", None)) or f"MetaX GPU {gpu}",
            uuid=_text(getattr(info, "uuid", None)),
            pci_bus_id=_text(getattr(info, "bdfId", None)),
            memory_bytes=memory * 2**10 if memory else None,  # it counts in KiB
            driver=_text(self._ask("mxSmlGetDeviceVersion", gpu, unit)),
        )


def _text(value: Any) -> str | None:
    """A string of MXSML, which a binding may give as bytes; `None` for an empty one."""
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    return (str(text).strip() or None) if text is not None else None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
