"""Capturing Triton launches instead of making them.

Triton itself binds the arguments: its cache hook is told the signature, the constants and the divisibility
of a launch before anything is compiled, and ends the launch by returning True.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from kgb_core.compiling import driver, host, tensors
from kgb_core.errors import UsageError
from kgb_core.models.device import Target
from kgb_core.models.launch import Launch

_DIVISIBILITY = "tt.divisibility"
_EQUAL_TO = "tt.equal_to"


@dataclass
class Captured:
    """The launches so far, in the order in which they were made."""

    launches: list[Launch] = field(default_factory=list)


@contextmanager
def capture(target: Target, device_type: str) -> Iterator[Captured]:
    """Inside, host code sees the target and its tensors, and its launches are kept instead of made.

    The stub driver stays when the block is left, for compilers ask it too; the process is for nothing else.

    Args:
        target: the chip that host code sees.
        device_type: what torch calls its devices.

    Raises:
        UsageError: the target has no name in Triton.
        RuntimeError: the installed Triton can't even make TTIR.
    """
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    captured, stub = Captured(), driver.StubDriver(target, device_type)
    driver.install(stub)
    host.install(target)
    original = JITFunction.run

    def run(kernel: Any, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> None:
        with stub.binding(), _told() as told:
            original(kernel, *args, grid=grid, warmup=warmup, **kwargs)
        captured.launches.append(_launch(kernel, told[-1], args, kwargs, None if warmup else grid))

    launching, tuning = (
        _replaced(JITFunction, "run", run),
        _replaced(Autotuner, "run", _run_first_configuration),
    )
    with launching, tuning, tensors.on_chip(device_type):
        yield captured


@contextmanager
def _replaced(holder: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, before)


@contextmanager
def _told() -> Iterator[list[dict[str, Any]]]:
    """What Triton tells its cache hook of each launch inside the block; the hook ends the launch."""
    told: list[dict[str, Any]] = []

    def hook(*args: Any, **kwargs: Any) -> bool:
        told.append(kwargs["compile"])
        return True

    holder, name = _hook_holder()
    with _replaced(holder, name, hook):
        yield told


def _hook_holder() -> tuple[Any, str]:
    """Where this version of Triton keeps the hook."""
    import triton
    from triton.runtime.jit import JITFunction

    runtime = getattr(getattr(triton, "knobs", None), "runtime", None)
    if hasattr(runtime, "jit_cache_hook"):
        return runtime, "jit_cache_hook"
    return JITFunction, "cache_hook"


def _launch(
    kernel: Any, told: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any], grid: Any
) -> Launch:
    names = list(kernel.arg_names)
    options = {name: value for name, value in kwargs.items() if name not in names and value is not None}
    if getattr(kernel, "debug", None):
        options.setdefault("debug", True)
    return Launch(
        function=kernel,
        signature=dict(told["signature"]),
        constants={_name(names, key): value for key, value in told["constants"].items()},
        attributes=_attributes(names, told["configs"][0]),
        options=options,
        grid=_grid(grid, _values(kernel, names, args, kwargs)),
    )


def _values(kernel: Any, names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Every argument by name, as a grid that is a function gets them."""
    parameters = kernel.signature.parameters
    defaults = {name: p.default for name, p in parameters.items() if p.default is not p.empty}
    given = {**dict(zip(names, args, strict=False)), **{n: v for n, v in kwargs.items() if n in names}}
    return {**defaults, **given}


def _grid(grid: Any, values: dict[str, Any]) -> tuple[int, ...]:
    found = grid(values) if callable(grid) else grid
    if found is None:
        return (1,)
    return tuple(int(size) for size in found)


def _attributes(names: list[str], told: Any) -> dict[str, int]:
    """Divisibility by name, from a mapping of paths, or from the descriptor of versions before 3.3."""
    if hasattr(told, "arg_properties"):
        divisible = {names[place]: 16 for place in told.arg_properties.get(_DIVISIBILITY, ())}
        return {**divisible, **{names[place]: 1 for place in told.arg_properties.get(_EQUAL_TO, ())}}
    return {
        _name(names, path): value
        for path, attributes in told.items()
        for kind, value in attributes
        if kind == _DIVISIBILITY
    }


def _name(names: list[str], key: Any) -> str:
    """The argument at a path."""
    if isinstance(key, str):
        return key
    path = key if isinstance(key, tuple) else (key,)
    if len(path) > 1:
        raise UsageError(f"argument {names[path[0]]} can't be captured.", "it is a tuple of several values")
    return names[path[0]]


def _run_first_configuration(tuner: Any, *args: Any, **kwargs: Any) -> Any:
    """Stands for `Autotuner.run`: no benchmark, since nothing is launched."""
    tuner.nargs = dict(zip(tuner.arg_names, args, strict=False))
    config = tuner.best_config = _first_configuration(tuner, kwargs)
    if config.pre_hook is not None:
        config.pre_hook({**tuner.nargs, **kwargs, **config.all_kwargs()})
    try:
        return tuner.fn.run(*args, **kwargs, **config.all_kwargs())
    finally:
        tuner.nargs = None


def _first_configuration(tuner: Any, kwargs: dict[str, Any]) -> Any:
    """The first that the kernel's own pruning leaves; a performance model only ranks them."""
    if tuner.early_config_prune is None:
        return tuner.configs[0]
    left = tuner.early_config_prune(tuner.configs, tuner.nargs, **kwargs)
    return next(iter(left), tuner.configs[0])
