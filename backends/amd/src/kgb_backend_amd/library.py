"""Discovery through `amdsmi`, the binding of AMD's library: asked first, where it is installed."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from kgb_backend_amd.cards import Card
from kgb_backend_amd.reading import Reading, each_once
from kgb_backend_amd.records import card_of
from kgb_backend_amd.text import first_line

SOURCE = "amdsmi"
_ABSENT = "the module amdsmi is not installed"


@dataclass(frozen=True)
class Answer:
    """What a call gave.

    Attributes:
        value: what it returned; `None` where it raised.
        problem: what it raised, in one line.
    """

    value: Any = None
    problem: str = ""


def attempt(call: Callable[..., Any], *arguments: Any) -> Answer:
    """A call of the vendor's binding, which raises errors of many kinds and prints to standard output.

    Importing it without its library, for one, prints the reason and then ends in a KeyError.

    Args:
        call: what to call.
        arguments: its arguments.
    """
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            return Answer(call(*arguments))
    except Exception as error:  # the border to the vendor's binding
        said = first_line(printed.getvalue()) or " ".join(str(error).split())
        return Answer(problem=f"{type(error).__name__}: {said}")


def read(library: Any = None) -> Reading:
    """Ask the library for every GPU.

    Args:
        library: the module `amdsmi`; imported when not given.
    """
    if library is None:
        imported = attempt(importlib.import_module, SOURCE)
        if imported.value is None:
            absent = imported.problem.startswith(ModuleNotFoundError.__name__)
            return Reading(SOURCE, problem=_ABSENT if absent else f"amdsmi: {imported.problem}")
        library = imported.value
    begun = attempt(lambda: library.amdsmi_init())
    if begun.problem:
        return Reading(SOURCE, problem=f"amdsmi: {begun.problem}")
    try:
        return _cards(library)
    finally:
        attempt(lambda: library.amdsmi_shut_down())


def _cards(library: Any) -> Reading:
    handles = attempt(lambda: list(library.amdsmi_get_processor_handles()))
    if handles.problem:
        return Reading(SOURCE, problem=f"amdsmi: {handles.problem}")
    cards = [_card(library, index, handle) for index, handle in enumerate(handles.value)]
    return Reading(SOURCE, each_once(cards), "" if cards else "amdsmi lists no GPU")


def _card(library: Any, index: int, handle: Any) -> Card:
    """One card; a function that this version doesn't have, or that fails, leaves its fact unknown."""

    def ask(function: str) -> Any:
        return attempt(lambda: getattr(library, function)(handle)).value

    record = {
        "gpu": index,
        "asic": ask("amdsmi_get_gpu_asic_info"),
        "bdf": ask("amdsmi_get_gpu_device_bdf"),
        "node_id": _entry(ask("amdsmi_get_gpu_kfd_info"), "node_id"),
        "vram": {"size": _entry(ask("amdsmi_get_gpu_vram_usage"), "vram_total")},
        "cache_info": _entry(ask("amdsmi_get_gpu_cache_info"), "cache"),
        "driver": {"version": _entry(ask("amdsmi_get_gpu_driver_info"), "driver_version")},
    }
    return card_of(record)


def _entry(record: Any, key: str) -> Any:
    return record.get(key) if isinstance(record, dict) else None
