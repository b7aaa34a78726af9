"""The fixture `backend` of a vendor's test file."""

from __future__ import annotations

from typing import Any

import pytest

from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import survey_backends


def backend_fixture(vendor: str) -> Any:
    """Make the fixture `backend` of a vendor's test file.

    Args:
        vendor: the name of its entry point.
    """

    def backend() -> Backend:
        loaded = survey_backends([vendor])
        if vendor not in loaded.backends:
            pytest.skip(f"{vendor} does not load: the rule plugin-loads tells why")
        return loaded.backends[vendor]

    backend.__dict__["vendor"] = (
        vendor  # a decorated fixture keeps it: the rule on loading asks for no backend
    )
    return pytest.fixture(scope="module")(backend)
