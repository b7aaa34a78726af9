"""`kgb compile`: the table, the document, the exit code, and what it says when it is asked for too much."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kgb_core.errors import ExitCode

KERNELS = Path(__file__).resolve().parents[2] / "kernels"
ALL_TARGETS = ("nvidia:sm80", "nvidia:sm90", "amd:gfx90a", "amd:gfx942")

HEAVY = """
import sys
from kgb_core.cli.border import execute
code = execute(sys.argv[1:])
loaded = sorted({"torch", "triton"} & set(sys.modules))
print("loaded", loaded, file=sys.stderr)
sys.exit(code)
"""


def kgb(*arguments: str, cwd: Path | None = None, timeout: float = 280) -> subprocess.CompletedProcess[str]:
    """A command line in a process of its own, which says at its end whether it imported torch or Triton."""
    argv = [sys.executable, "-c", HEAVY, "compile", *arguments]
    return subprocess.run(argv, capture_output=True, text=True, timeout=timeout, check=False, cwd=cwd)


def targets(*names: str) -> list[str]:
    return [argument for name in names for argument in ("--target", name)]


def test_a_table_with_a_row_for_each_candidate_and_a_column_for_each_target() -> None:
    packs = [str(KERNELS / "aten__rsqrt.py"), str(KERNELS / "aten__t.py")]
    done = kgb(*packs, *targets("nvidia:sm90", "amd:gfx942", "metax:c500"))
    assert done.returncode == ExitCode.OK, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["nvidia:sm90", "amd:gfx942", "metax:c500"]
    assert lines[1].split()[0] == "aten::rsqrt"
    assert [word for word in lines[1].split() if word in ("binary", "ttir")] == ["binary", "binary", "ttir"]
    assert lines[2].split() == ["aten::t", "no_launch", "no_launch", "no_launch"]
    assert any(line.startswith("nvidia:sm90: 1 of 2 kernels compiled, 1 no_launch; ") for line in lines)
    assert any(line.startswith("metax:c500: TTIR only, since ") for line in lines)
    assert "loaded []" in done.stderr


def test_a_document_with_every_launch_and_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "aten__rsqrt.py").write_text("def rsqrt(self):\n    raise KeyError('here')\n")
    (tmp_path / "aten__t.py").write_text("def t(self):\n    return self.transpose(0, 1)\n")
    (tmp_path / "mine.py").write_text("x = 1\n")
    done = kgb(
        str(tmp_path), str(KERNELS / "aten__item.py"), *targets("nvidia:sm90"), "--json", "--keep", "kept",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == ExitCode.FAILED, done.stderr
    assert "left out: mine.py: no operator mine" in done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "kgb.compile/1"
    assert [target["name"] for target in document["targets"]] == ["nvidia:sm90"]
    found = {one["operator"]: one["results"][0] for one in document["candidates"]}
    assert {name: (one["status"], one["ok"]) for name, one in found.items()} == {
        "aten::rsqrt": ("refused", False),
        "aten::t": ("no_launch", True),
        "aten::item": ("compiled", True),
    }
    launch = found["aten::item"]["launches"][0]
    assert launch["stage"] == "binary"
    assert launch["resources"]["threads_per_block"] == 128
    folder = tmp_path / "kept/nvidia-sm90/aten__item"
    written = {name for each in found["aten::item"]["launches"] for name in each["artefacts"]}
    assert {path.name for path in folder.iterdir()} == written
    assert {"_item_kernel-1.ptx", "_item_kernel-1.cubin"} <= written


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--target", "nvidia:sm9"], ExitCode.USAGE, "close: nvidia:sm90"),
        (["--target", "zzz"], ExitCode.USAGE, "known: amd:gfx1100"),
        ([], ExitCode.USAGE, "no --target was given"),
        (["--target", "nvidia:sm90", "--operator", "aten::t"], ExitCode.NOTHING_SELECTED, "other operators"),
        (["--target", "nvidia:sm90", "--operator", "aten::nope"], ExitCode.USAGE, "no operator aten::nope"),
    ],
)
def test_what_can_t_be_asked_for(tmp_path: Path, arguments: list[str], code: ExitCode, told: str) -> None:
    (tmp_path / "aten__rsqrt.py").write_text("def rsqrt(self):\n    return self\n")
    done = kgb(str(tmp_path), *arguments)
    assert done.returncode == code
    assert told in done.stderr
    assert done.stdout == ""


def test_targets_are_listed_with_their_limits_and_how_far_they_get() -> None:
    done = kgb("--list-targets", "--json")
    assert done.returncode == ExitCode.OK, done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "kgb.targets/1"
    listed = {target["name"]: target for target in document["targets"]}
    assert listed["nvidia:sm90"]["stage"] == "binary"
    assert listed["nvidia:h200"]["stage"] == "binary"
    assert listed["amd:gfx942"]["limits"]["shared_memory_bytes"] == 64 * 1024
    assert listed["metax:c500"]["stage"] == "ttir"
    assert listed["metax:c500"]["note"].startswith("TTIR only")


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_every_kernel_compiles_for_four_chips() -> None:
    done = kgb(str(KERNELS), *targets(*ALL_TARGETS), "--json", timeout=1700)
    document = json.loads(done.stdout)
    failed = [
        (one["operator"], result["target"], result["status"], result["message"])
        for one in document["candidates"]
        for result in one["results"]
        if not result["ok"]
    ]
    assert failed == []
    assert len(document["candidates"]) == len(list(KERNELS.glob("aten__*.py")))
    assert done.returncode == ExitCode.OK
