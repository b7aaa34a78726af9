"""Where a report may be written: over a file, never over a device, a link's name or a bundle's evidence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kgb_core.errors import UsageError
from kgb_core.results import layout
from kgb_core.results.files import require_place, staged


def test_a_file_and_the_end_of_a_link_are_places(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "there")
    assert require_place(tmp_path / "new") == tmp_path / "new"
    assert require_place(tmp_path / "there") == require_place(tmp_path / "link") == tmp_path / "there"


@pytest.mark.parametrize("kind", ["directory", "pipe", "device", "nothing"])
def test_what_is_no_regular_file_is_refused(kind: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    places = {
        "directory": tmp_path,
        "pipe": tmp_path / "pipe",
        "device": Path("/dev/null"),
        "nothing": Path(),
    }
    with pytest.raises(UsageError, match="can't write to"):
        require_place(places[kind])


def test_a_bundle_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / layout.RESULTS).write_text("")
    for name in (layout.RESULTS, "kernels/report.html"):
        with pytest.raises(UsageError) as raised:
            require_place(tmp_path / name)
        assert "must stay as it was closed" in raised.value.why
    with pytest.raises(UsageError, match="can't write to"), staged(tmp_path / "merged"):
        raise AssertionError("nothing is begun there")
    assert [path.name for path in tmp_path.iterdir()] == [layout.RESULTS]
