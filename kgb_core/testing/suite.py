"""Every rule as a test function: `from kgb_core.testing.suite import *` is a vendor's conformance test."""

from __future__ import annotations

from kgb_core.testing.book import rules

pytest_plugins = ("kgb_core.testing.plugin", "kgb_core.testing.fixtures")
"""Read by pytest from the test file that imports this."""

_TESTS = {rule.function.__name__: rule.function for rule in rules()}
globals().update(_TESTS)

__all__ = ["pytest_plugins", *_TESTS]
