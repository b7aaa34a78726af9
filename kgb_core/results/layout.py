"""The names of the files in a bundle, and a new directory for one."""

from __future__ import annotations

import itertools
import re
from datetime import datetime
from pathlib import Path

from kgb_core.errors import BundleError

PLAN = "plan.json"
SYSTEM = "system.json"
RESULTS = "results.jsonl"
LOG = "log.jsonl"
MANIFEST = "manifest.json"
LOCK = ".lock"
KERNELS = "kernels"
SAMPLES = "samples"
RUNS = "runs"
"""In a merged bundle: a bundle for each run, in a directory of the run's name."""
SIGNATURE = "manifest.json.sig"
REJUDGED = "rejudged.json"
COMBINED = "combined.json"
"""Marks a run whose records come from several copies of it, none of which had them all."""

UNLISTED = frozenset({MANIFEST, LOCK, SIGNATURE})
"""Files that a manifest doesn't list."""


def fresh_bundle(parent: Path, label: str, now: datetime) -> Path:
    """Create a directory for a new bundle: `20261201T0912Z-cpu`, with a number behind it if that is taken.

    Args:
        parent: made if it doesn't exist.
        label: the backends, say; characters that a file name shouldn't have become hyphens.
        now: in UTC.

    Raises:
        BundleError: the directory can't be made.
    """
    stem = f"{now:%Y%m%dT%H%MZ}-{re.sub(r'[^0-9A-Za-z_.+-]+', '-', label).strip('-') or 'run'}"
    names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
    for name in names:
        try:
            (parent / name).mkdir(parents=True)
        except FileExistsError:
            if parent.is_dir():
                continue
            raise BundleError(f"can't write to {parent}", "it is a file", "choose another --out") from None
        except OSError as error:
            raise BundleError(f"can't write to {parent}", error.strerror or str(error)) from error
        return parent / name
    raise AssertionError("itertools.count ended")


def is_file_name(name: str) -> bool:
    """True for the id of a run that can name a directory in any file system and hides in none."""
    return re.fullmatch(r"[0-9A-Za-z_][0-9A-Za-z_.+-]{0,199}", name) is not None


def source_path(sha256: str) -> str:
    """Where a candidate's source lies inside a bundle."""
    return f"{KERNELS}/{sha256}.py"


def samples_path(uid: str) -> str:
    """Where the raw times of a planned case lie inside a bundle."""
    return f"{SAMPLES}/{uid}.json"
