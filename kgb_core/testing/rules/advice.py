"""Advice: findings of the doctor with what mends them, and notes that a kernel generator can be given."""

from __future__ import annotations

import unicodedata

import pytest

from kgb_core.models.device import Target
from kgb_core.models.doctor import Health
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import answered

_LONGEST_NOTES = 8192
"""Characters; they stand in every prompt."""


def test_doctor_findings_have_fixes(backend: Backend) -> None:
    """Every finding has a name and says what was found; one that isn't ok says what to do."""
    for check in answered(backend.doctor_checks):
        assert check.name.strip(), f"a check without a name: {check.found}"
        assert check.found.strip(), f"{check.name} found nothing to say"
        assert check.health is Health.OK or check.fix.strip(), (
            f"{check.name} is {check.health.value}: what mends it?"
        )


def test_prompt_notes_are_plain_text(backend: Backend, targets: list[Target]) -> None:
    """A backend that has notes has them for every target, as plain text of a length that fits a prompt."""
    if "kgb_prompt_notes" not in backend.hooks:
        pytest.skip("the backend declares no notes")
    for target in targets:
        notes = answered(lambda target=target: backend.prompt_notes(target))  # type: ignore[misc]
        assert notes.strip(), f"no notes on {target.name}"
        assert len(notes) <= _LONGEST_NOTES, f"{target.name}: {len(notes)} characters"
        odd = {c for c in notes if unicodedata.category(c) == "Cc" and c not in "\n\t"}
        assert not odd, f"{target.name}: control characters {sorted(odd)}"
