"""The conformance suite: what KGB asks of every backend, as tests that a vendor's own pytest runs.

A vendor's whole test file:

    from kgb_core.testing import backend_fixture
    from kgb_core.testing.suite import *  # noqa: F403

    backend = backend_fixture("mychip")
"""

from __future__ import annotations

try:
    import pytest
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        'kgb_core.testing needs pytest: pip install "kgb-core[testing]"', name="pytest"
    ) from error

pytest.register_assert_rewrite("kgb_core.testing.rules")

from kgb_core.testing.recordings import Recording, recordings_fixture  # noqa: E402  the line above comes first
from kgb_core.testing.vendor import backend_fixture  # noqa: E402

__all__ = ["Recording", "backend_fixture", "recordings_fixture"]
