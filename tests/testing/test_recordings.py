"""A recording is printed as it was, or damaged as it says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kgb_core.testing import Recording
from kgb_core.testing.damage import DAMAGES
from kgb_core.testing.recordings import install

TABLE = "0, Fake 1, 65536 MiB, 41.5 C\n1, Fake 2, 65536 MiB, 42.5 C\n"
RECORDING = Recording("two", "fake-smi", {"-L": b"a list\n", "": TABLE.encode()})


def printed(recording: Recording, folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    install(recording, folder)
    return subprocess.run([folder / recording.tool, *arguments], capture_output=True, check=False)


def test_the_first_word_that_fits_decides(tmp_path: Path) -> None:
    assert printed(RECORDING, tmp_path).stdout == TABLE.encode()
    assert printed(RECORDING, tmp_path, "-L").stdout == b"a list\n"
    assert printed(RECORDING, tmp_path, "--query", "x").stdout == TABLE.encode()


def test_files_are_printed_byte_by_byte(tmp_path: Path) -> None:
    data = b"caf\xe9\r\n\0\x1b[1m'quoted'"
    (tmp_path / "recorded.txt").write_bytes(data)
    recording = Recording.of_files("fake-smi", tmp_path, {"": "recorded.txt"}, devices=1)
    assert (recording.name, recording.devices) == ("recorded.txt", 1)
    assert printed(recording, tmp_path).stdout == data


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_changes_what_is_seen(tmp_path: Path, damage: str) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    before, after = printed(RECORDING, whole), printed(DAMAGES[damage](RECORDING), broken)
    assert (before.stdout, before.stderr, before.returncode) != (after.stdout, after.stderr, after.returncode)


def test_damages_are_what_their_names_say(tmp_path: Path) -> None:
    seen = {name: printed(damage(RECORDING), tmp_path) for name, damage in DAMAGES.items()}
    assert seen["empty"].stdout == b""
    assert seen["truncated"].stdout == TABLE.encode()[: len(TABLE) // 2]
    assert seen["CRLF"].stdout == TABLE.replace("\n", "\r\n").encode()
    assert seen["localised"].stdout.decode().startswith("0, 设备 1, 65536 MiB, 41,5 C")
    assert (seen["an error and exit code 0"].returncode, seen["output and exit code 9"].returncode) == (0, 9)
    assert seen["output and exit code 9"].stdout == TABLE.encode()
    assert b"driver" in seen["output and exit code 9"].stderr
