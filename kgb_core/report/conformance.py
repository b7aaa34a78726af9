"""What is said of the plugins that judged: a line for each backend of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kgb_core.models.conformance import ConformanceState
from kgb_core.models.manifest import Manifest


def conformance_lines(manifests: Iterable[Manifest | None]) -> Iterator[str]:
    """`Conformance of chip 0.1.0: passed (no-chip, chip)`, once for each different statement.

    Args:
        manifests: of the runs; an unfinished one has none yet.
    """
    told = (reference for manifest in manifests if manifest for reference in manifest.conformance)
    for reference in dict.fromkeys(told):
        ask = f"; kgb conformance --backend {reference.backend.name} writes one"
        advice = ask if reference.state is ConformanceState.NONE else ""
        yield f"Conformance of {reference.text}{advice}"
