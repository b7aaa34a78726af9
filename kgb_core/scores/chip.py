"""A device as one run used it, with all that decides what may be compared with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kgb_core.models.base import FrozenModel
from kgb_core.models.plan import device_name
from kgb_core.results.run import Run
from kgb_core.scores.summary import BundleSummary
from kgb_core.scores.taxonomy import Taxon, taxonomy_of


class ChipOfRun(FrozenModel):
    """A device of a run, and what decides whether another run can be compared with it."""

    device: str
    """`vendor:index`."""
    run: str
    model: str
    """What the vendor calls it; empty where the run does not say."""
    suite: str
    """Name and hash; empty where the run has no plan."""
    tier: str
    seed: int | None
    core: str
    """Version of kgb-core; empty of an interrupted run."""
    synthetic: bool
    finished: bool
    untimed: str
    """Why times there mean nothing; empty where they do."""
    taxonomy: tuple[Taxon, ...]


def chips_of(runs: Iterable[Run], summary: BundleSummary) -> Iterator[ChipOfRun]:
    """Every device of every run.

    Args:
        runs: to say what they judged by.
        summary: of the same runs.
    """
    known = {run.id: run for run in runs}
    for total in summary.totals:
        run = known[total.run]
        yield ChipOfRun(
            device=total.device,
            run=run.id,
            model=_models(run).get(total.device, ""),
            suite=run.plan.suite.label if run.plan else "",
            tier=run.plan.tier.value if run.plan else "",
            seed=run.plan.seed if run.plan else None,
            core=run.manifest.core if run.manifest else "",
            synthetic=run.synthetic,
            finished=run.finished,
            untimed=total.untimed,
            taxonomy=taxonomy_of(
                row for row in summary.rows if (row.run, row.device) == (run.id, total.device)
            ),
        )


def _models(run: Run) -> dict[str, str]:
    devices = run.system.devices if run.system else ()
    return {device_name(each.backend.name, each.device.index): each.device.name for each in devices}
