"""`kgb.toml`: where it is found, what is wrong in one, and workers under the interpreter that it names."""

from __future__ import annotations

import json
import stat
import sys
import venv
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest

from kgb_core.cli.config import interpreters, nearest
from kgb_core.errors import UsageError
from kgb_core.plugins.interpreter import Interpreter, examine
from kgb_core.version import __version__
from tests.cli.runs import kgb

KERNELS = Path(__file__).resolve().parents[2] / "kernels"
LAYER = "import sys, site; site.addsitedir({base!r}); sys.kgb_layer = True\n"
TRITON = '''
"""Stands in front of the real one and gives itself away by its version."""
import importlib.util, pathlib, sys
real = pathlib.Path({base!r}, "triton", "__init__.py")
spec = importlib.util.spec_from_file_location("triton", real, submodule_search_locations=[str(real.parent)])
module = importlib.util.module_from_spec(spec)
sys.modules["triton"] = module
spec.loader.exec_module(module)
module.__version__ = "0.0.other"
'''


@pytest.fixture
def configured(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a configuration."""

    def write(text: str) -> Path:
        file = tmp_path / "kgb.toml"
        file.write_text(text)
        return file

    return write


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another environment: the packages of this one, and a Triton of its own version."""
    root = tmp_path_factory.mktemp("other") / "env"
    venv.create(root, symlinks=True)
    (site,) = root.glob("lib/python3*/site-packages")
    base = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "base.pth").write_text(LAYER.format(base=base))
    (site / "triton.py").write_text(TRITON.format(base=base))
    told = site / "triton-0.0.other.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: triton\nVersion: 0.0.other\n")
    (told / "entry_points.txt").write_text(str(distribution("triton").read_text("entry_points.txt")))
    return root / "bin" / "python"


def test_the_nearest_file_above_counts(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "kgb.toml").write_text("")
    assert nearest(below) == tmp_path / "kgb.toml"
    (tmp_path / "a" / "kgb.toml").write_text("")
    assert nearest(below) == tmp_path / "a" / "kgb.toml"


def test_without_a_file_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert interpreters(["cpu"], None) == {}


def test_only_the_interpreters_that_are_used_are_started(configured: Callable[[str], Path]) -> None:
    file = configured('[environments.cpu]\npython = "/no/such/python"\n')
    assert interpreters(["nvidia"], file) == {}
    with pytest.raises(UsageError):
        interpreters(["cpu"], file)


@pytest.mark.parametrize(
    ("text", "what", "why"),
    [
        ("[environments", "is not TOML", ""),
        ('[environment.cpu]\npython = "x"\n', "is wrong", "unknown key environment"),
        ("[environments.cpu]\n", "is wrong", "environments.cpu.python: field required"),
        ('[environments.cpu]\npython = ""\n', "is wrong", "environments.cpu.python: "),
        ('[environments.cpuu]\npython = "x"\n', "environments.cpuu", "close: cpu"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(
    configured: Callable[[str], Path], text: str, what: str, why: str
) -> None:
    file = configured(text)
    with pytest.raises(UsageError) as raised:
        interpreters(["cpu"], file)
    assert str(file) in raised.value.what
    assert what in raised.value.what
    assert why in raised.value.why


def test_what_is_called_so_and_is_no_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kgb.toml").mkdir()
    with pytest.raises(UsageError, match="can't be read"):
        interpreters(["cpu"], None)


def test_a_relative_path_is_that_of_the_file(
    configured: Callable[[str], Path], other: Path, tmp_path: Path
) -> None:
    (tmp_path / "env").symlink_to(other.parents[1])
    found = interpreters(["cpu"], configured('[environments.cpu]\npython = "env/bin/python"\n'))
    assert found["cpu"].path == str(tmp_path / "env" / "bin" / "python")
    assert found["cpu"].core == __version__


def script(path: Path, body: str) -> str:
    """A program that stands for an interpreter."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("echo 'No module named kgb_core' >&2; exit 1", "No module named kgb_core"),
        ("exit 3", "exit code 3"),
        ("echo hello", "its answer is that of another version of kgb-core"),
    ],
)
def test_an_interpreter_without_kgb_is_refused_with_the_step_that_mends_it(
    tmp_path: Path, body: str, why: str
) -> None:
    path = script(tmp_path / "python", body)
    with pytest.raises(UsageError) as raised:
        examine(path, "cpu")
    assert raised.value.why == why
    assert raised.value.hint == (
        f"{path} -m pip install kgb-core=={__version__} kgb-operators kgb-backend-cpu"
    )


def test_another_core_is_refused(tmp_path: Path) -> None:
    answer = Interpreter(path="x", core="0.0.1", python="3.11", plugin="1", environment={})
    path = script(tmp_path / "python", f"echo '{answer.model_dump_json()}'")
    with pytest.raises(UsageError, match="can't be used") as raised:
        examine(path, "cpu")
    assert raised.value.why == f"it has kgb-core 0.0.1, this is {__version__}"


def test_a_backend_that_is_absent_there_is_told(other: Path) -> None:
    with pytest.raises(UsageError) as raised:
        examine(str(other), "no_such_chip")
    assert "no_such_chip" in raised.value.why


@pytest.mark.slow
def test_two_interpreters_compile_in_one_run(other: Path, configured: Callable[[str], Path]) -> None:
    file = configured(f'[environments.amd]\npython = "{other}"\n')
    wanted = ["--target", "amd:gfx942", "--target", "nvidia:sm90", "--target", "amd:gfx90a"]
    done = kgb(
        "--config", str(file), "compile", str(KERNELS / "aten__rsqrt.py"), *wanted, "--json", cwd=file.parent
    )
    assert done.returncode == 0, done.stderr
    (candidate,) = json.loads(done.stdout)["candidates"]
    by_target = {result["target"]: result for result in candidate["results"]}
    assert list(by_target) == ["amd:gfx942", "nvidia:sm90", "amd:gfx90a"]
    assert by_target["amd:gfx942"]["triton"] == by_target["amd:gfx90a"]["triton"] == "0.0.other"
    assert by_target["nvidia:sm90"]["triton"] not in ("", "0.0.other")
    assert {result["stage"] for result in by_target.values()} == {"binary"}


@pytest.mark.slow
def test_a_run_judges_under_the_interpreter_and_records_its_versions(
    other: Path, configured: Callable[[str], Path]
) -> None:
    file = configured(f'[environments.cpu]\npython = "{other}"\n')
    done = kgb(
        "run", str(KERNELS / "aten__t.py"), "--backend", "cpu", "--out", "b", cwd=file.parent
    )  # found without --config: it lies where the command runs
    assert done.returncode == 0, done.stderr
    system = json.loads((file.parent / "b" / "system.json").read_text())
    assert system["environment"]["cpu"]["triton"] == "0.0.other"
