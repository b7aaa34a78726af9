"""A distribution's requirement of the core is read before anything of it is imported."""

from __future__ import annotations

import pytest

from kgb_core.plugins.installed import unmet_core


@pytest.mark.parametrize(
    ("requirements", "core", "unmet"),
    [
        (["kgb-core>=0.1,<0.2"], "0.1.0", ""),
        (["kgb-core>=0.1,<0.2"], "0.1.0.dev3", "kgb-core<0.2,>=0.1"),
        (["kgb-core>=0.1,<0.2"], "0.2.0", "kgb-core<0.2,>=0.1"),
        (["KGB_Core>=9"], "0.1.0", "kgb-core>=9"),
        (["kgb-core<0.2,>=0.1", "kgb-core!=0.1.0"], "0.1.0", "kgb-core!=0.1.0"),
        (["numpy>=99", "kgb-operators>=9"], "0.1.0", ""),
        (['kgb-core>=9; extra == "future"'], "0.1.0", ""),
        (['kgb-core>=9; python_version < "3"'], "0.1.0", ""),
        (["kgb-core"], "0.1.0", ""),
        (["this is no requirement", "kgb-core>=9"], "0.1.0", "kgb-core>=9"),
        ([], "0.1.0", ""),
    ],
)
def test_the_cores_version_is_held_against_the_requirement(
    requirements: list[str], core: str, unmet: str
) -> None:
    assert unmet_core(requirements, core) == unmet
