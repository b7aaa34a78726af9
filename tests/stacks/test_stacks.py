"""Other Tritons than the newest: a vendor's, the version that it is built on, and several at once.

`make test-stacks` builds their environments (0.2 GB of downloads) and runs this.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.runs import kgb
from tests.stacks.build import python_of

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.stacks, pytest.mark.timeout(1500)]
OLD, VENDOR = "triton-3.2", "triton-ascend"


def pytest_under(stack: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run tests with the interpreter of another environment."""
    command = [str(python_of(stack)), "-m", "pytest", "-q", "-n", "2", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.parametrize("room", ["worker", "judge", "plugins", "compiling"])
def test_what_runs_in_a_vendors_interpreter_runs_under_triton_3_2(room: str) -> None:
    done = pytest_under(OLD, f"tests/{room}")
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_vendors_compiler_passes_the_tests_of_its_plugin() -> None:
    done = pytest_under(VENDOR, "backends/ascend/tests")
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.fixture
def configured(tmp_path: Path) -> Path:
    """Where `kgb` is run: a directory whose `kgb.toml` names three interpreters, the running one included."""
    names = {"ascend": VENDOR, "metax": OLD, "cpu": OLD}
    lines = [f'[environments.{vendor}]\npython = "{python_of(stack)}"\n' for vendor, stack in names.items()]
    (tmp_path / "kgb.toml").write_text("\n".join(lines))
    return tmp_path


def test_stock_triton_and_a_vendors_compile_side_by_side_in_one_run(configured: Path) -> None:
    wanted = ("nvidia:sm90", "ascend:Ascend910B3", "metax:c500", "amd:gfx942")
    targets = [argument for name in wanted for argument in ("--target", name)]
    done = kgb("compile", str(ROOT / "kernels" / "aten__cos.py"), *targets, "--json", cwd=configured)
    assert done.returncode == 0, done.stderr
    (candidate,) = json.loads(done.stdout)["candidates"]
    found = {one["target"]: one for one in candidate["results"]}
    assert list(found) == list(wanted)
    assert {name: one["stage"] for name, one in found.items()} == {
        "nvidia:sm90": "binary",
        "ascend:Ascend910B3": "linalg",
        "metax:c500": "ttir",
        "amd:gfx942": "binary",
    }
    assert found["nvidia:sm90"]["triton"] == found["amd:gfx942"]["triton"] != "3.2.0"
    assert found["ascend:Ascend910B3"]["triton"] == found["metax:c500"]["triton"] == "3.2.0"
    assert any("fp64" in reason for reason in found["ascend:Ascend910B3"]["left_out"])


def test_kernels_are_judged_under_triton_3_2(configured: Path) -> None:
    packs = [str(ROOT / "kernels" / f"aten__{name}.py") for name in ("softmax", "cat", "mm")]
    done = kgb("run", *packs, "--backend", "cpu", "--json", cwd=configured)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert {record["verdict"] for record in document["records"]} == {"passed", "unsupported"}
    system = json.loads((configured / document["bundle"] / "system.json").read_text())
    assert system["environment"]["cpu"]["triton"].startswith("3.2.0")
