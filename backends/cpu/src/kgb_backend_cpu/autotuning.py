"""Autotuned kernels under the interpreter: the first configuration that their own pruning leaves."""

from __future__ import annotations

from typing import Any


def run_first_configuration() -> None:
    """Make every autotuned kernel of this process run its first configuration, without a benchmark.

    A benchmark would want a GPU's clock, and its times would mean nothing. Heuristics still apply.
    """
    from triton.runtime.autotuner import Autotuner

    Autotuner.run = _run


def _run(self: Any, *args: Any, **kwargs: Any) -> Any:
    self.nargs = dict(zip(self.arg_names, args, strict=False))
    config = _first(self, kwargs)
    self.best_config = config
    if config.pre_hook is not None:
        config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
    try:
        return self.fn.run(*args, **kwargs, **config.all_kwargs())
    finally:
        self.nargs = None


def _first(tuner: Any, kwargs: dict[str, Any]) -> Any:
    """The first configuration left by pruning; a performance model only ranks them, so it isn't asked."""
    prune = tuner.early_config_prune
    if prune is None:
        return tuner.configs[0]
    try:
        left = prune(tuner.configs, tuner.nargs, **kwargs)
    except (AssertionError, AttributeError, RuntimeError):
        return tuner.configs[0]  # it asked for a GPU's properties, and there is no GPU
    return next(iter(left), tuner.configs[0])
