"""Detached signatures: made by the laboratory's own ssh-keygen, checked by ours."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.errors import UsageError
from kgb_core.models.record import Record
from kgb_core.results import signature
from kgb_core.results.check import check_bundle
from kgb_core.results.merge import merge_bundles
from kgb_core.results.signature import check_signature

WriteRun = Callable[..., Path]


def new_key(path: Path) -> Path:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


def sign(bundle: Path, key: Path, namespace: str = "kgb") -> None:
    (bundle / "manifest.json.sig").unlink(missing_ok=True)
    command = ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(key)]
    subprocess.run([*command, str(bundle / "manifest.json")], check=True, capture_output=True)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return new_key(tmp_path / "lab")


@pytest.fixture
def bundle(tmp_path: Path, make_record: Callable[..., Record], write_run: WriteRun) -> Path:
    return write_run(tmp_path / "a", [make_record("u0")])


def test_a_signed_bundle_is_right_and_stays_whole(bundle: Path, key: Path) -> None:
    sign(bundle, key)
    assert check_signature(bundle, key.with_suffix(".pub")) == []
    assert check_bundle(bundle, strict=True) == []


def test_nobody_signed_it(bundle: Path, key: Path) -> None:
    (problem,) = check_signature(bundle, key.with_suffix(".pub"))
    assert "nobody signed" in problem.message


def test_what_was_changed_afterwards_is_found(
    bundle: Path, key: Path, reseal: Callable[[Path], None]
) -> None:
    sign(bundle, key)
    results = bundle / "results.jsonl"
    results.write_text(results.read_text().replace("u0", "u0"))
    reseal(bundle)  # a forger makes the hashes agree
    (problem,) = check_signature(bundle, key.with_suffix(".pub"))
    assert "not a signature of this manifest" in problem.message


def test_another_key_and_another_purpose_are_refused(bundle: Path, key: Path, tmp_path: Path) -> None:
    other = new_key(tmp_path / "other")
    sign(bundle, other)
    assert check_signature(bundle, key.with_suffix(".pub"))
    both = tmp_path / "both.pub"
    both.write_text(key.with_suffix(".pub").read_text() + "# more\n" + other.with_suffix(".pub").read_text())
    assert check_signature(bundle, both) == []
    sign(bundle, key, namespace="file")
    assert check_signature(bundle, both)


def test_a_signature_may_lie_elsewhere(bundle: Path, key: Path, tmp_path: Path) -> None:
    sign(bundle, key)
    (bundle / "manifest.json.sig").rename(tmp_path / "a.sig")
    assert check_signature(bundle, key.with_suffix(".pub"), tmp_path / "a.sig") == []


def test_signatures_survive_a_merge(
    bundle: Path, key: Path, tmp_path: Path, make_record: Callable[..., Record], write_run: WriteRun
) -> None:
    unsigned = write_run(tmp_path / "b", [make_record("u0")], run="run-b")
    sign(bundle, key)
    merge_bundles([bundle, unsigned], tmp_path / "m")
    (problem,) = check_signature(tmp_path / "m", key.with_suffix(".pub"))
    assert problem.place == "runs/run-b/manifest.json.sig"
    sign(tmp_path / "m", key)
    assert check_signature(tmp_path / "m", key.with_suffix(".pub")) == []
    assert check_bundle(tmp_path / "m", strict=True) == []


def test_what_is_no_public_key_is_said(bundle: Path, key: Path, tmp_path: Path) -> None:
    for path in (key, tmp_path / "absent"):
        with pytest.raises(UsageError) as caught:
            check_signature(bundle, path)
        assert ".pub" in caught.value.hint


def test_a_machine_without_the_tool_says_so(bundle: Path, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign(bundle, key)
    monkeypatch.setattr(signature, "_TOOL", "no-such-keygen")
    assert shutil.which("no-such-keygen") is None
    with pytest.raises(UsageError, match="can't be checked"):
        check_signature(bundle, key.with_suffix(".pub"))
