"""What is installed under the entry-point group `kgb.backends`, read from metadata and imported by nobody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, entry_points
from itertools import groupby

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from kgb_core.version import __version__

GROUP = "kgb.backends"
CORE = "kgb-core"


@dataclass(frozen=True)
class Installed:
    """One entry point and the distribution that declares it.

    Attributes:
        name: the name of the entry point.
        distribution: the name of the distribution.
        version: its version.
        requirements: its `Requires-Dist` lines.
    """

    name: str
    distribution: str
    version: str
    requirements: tuple[str, ...] = ()


def installed_backends() -> dict[str, list[Installed]]:
    """Every declared backend by name; more than one for a name is a conflict."""
    points = sorted(map(_installed, entry_points(group=GROUP)), key=lambda p: (p.name, p.distribution))
    return {name: list(group) for name, group in groupby(points, key=lambda point: point.name)}


def _installed(point: EntryPoint) -> Installed:
    distribution: Distribution | None = getattr(point, "dist", None)
    if distribution is None:
        return Installed(point.name, distribution="?", version="?")
    return Installed(
        point.name,
        distribution=distribution.metadata["Name"] or "?",
        version=distribution.version,
        requirements=tuple(distribution.requires or ()),
    )


def unmet_core(requirements: Iterable[str], core: str = __version__) -> str:
    """The requirement on kgb-core that the running core does not meet; empty when all are met.

    Args:
        requirements: `Requires-Dist` lines; those of other distributions and of unused extras don't matter.
        core: the version of kgb-core to check against.
    """
    for line in requirements:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        if _is_core(requirement) and not requirement.specifier.contains(core, prereleases=True):
            return f"{CORE}{requirement.specifier}"
    return ""


def _is_core(requirement: Requirement) -> bool:
    applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    return applies and canonicalize_name(requirement.name) == CORE
