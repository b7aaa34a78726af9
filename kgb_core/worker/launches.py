"""Seeing Triton launches: by the installed version's launch hook, or around the interpreter's run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Seen = Callable[[str], None]


@contextmanager
def watch_launches(seen: Seen, quiet: Callable[[], Any]) -> Iterator[None]:
    """Call `seen` with the kernel's name at every launch inside the block.

    Args:
        seen: told each kernel's name.
        quiet: makes a context in which the interpreter's own work on tensors isn't taken for the candidate's.
    """
    try:
        import triton
    except ImportError:
        yield
        return
    with _interpreted(seen, quiet), _hooked(triton, seen):
        yield


@contextmanager
def _hooked(triton: Any, seen: Seen) -> Iterator[None]:
    def enter(metadata: Any) -> None:
        seen(_kernel_name(metadata))

    chain = getattr(getattr(getattr(triton, "knobs", None), "runtime", None), "launch_enter_hook", None)
    if chain is not None and hasattr(chain, "add"):
        chain.add(enter)
        try:
            yield
        finally:
            chain.remove(enter)
        return
    holder = triton.compiler.CompiledKernel
    before = holder.launch_enter_hook
    holder.launch_enter_hook = enter
    try:
        yield
    finally:
        holder.launch_enter_hook = before


def _kernel_name(metadata: Any) -> str:
    fields = metadata.get() if hasattr(metadata, "get") else metadata
    name = fields.get("name") if isinstance(fields, dict) else getattr(fields, "name", None)
    return str(name or "?")


@contextmanager
def _interpreted(seen: Seen, quiet: Callable[[], Any]) -> Iterator[None]:
    """Around what every version of the interpreter runs a grid with; `run` differs among them."""
    from triton.runtime.interpreter import GridExecutor

    original = GridExecutor.__call__

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not kwargs.get("warmup"):
            seen(self.fn.__name__)
        with quiet():
            return original(self, *args, **kwargs)

    GridExecutor.__call__ = call
    try:
        yield
    finally:
        GridExecutor.__call__ = original
