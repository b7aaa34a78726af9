"""How a worker is confined: what each level promises is tried from inside, on a real worker."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from kgb_core.errors import UsageError
from kgb_core.worker import landlock, sandbox
from kgb_core.worker.handle import WorkerPlan, WorkerProcess
from kgb_core.worker.protocol import (
    Called,
    CallRequest,
    Collected,
    CollectRequest,
    LoadRequest,
    NamedValue,
    PlainValue,
)
from kgb_core.worker.sandbox import Sandbox

PROBES = Path(__file__).parent / "stubs" / "probes.py"
SECRETS = ("MY_API_KEY", "AWS_PROFILE", "HF_TOKEN", "KGB_SEED", "db_password", "SSH_AUTH_SOCK")
ORDINARY = ("KEYBOARD", "MONKEY", "PATH")


def works(level: Sandbox) -> bool:
    try:
        sandbox.choose(level.value)
    except UsageError:
        return False
    return True


def needs(level: Sandbox) -> Any:
    return pytest.param(
        level,
        marks=pytest.mark.skipif(not works(level), reason=f"{level.value} does not work here"),
        id=level.value,
    )


LEVELS = [needs(level) for level in Sandbox]


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this machine on which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def probe(
    plan_of: Callable[..., WorkerPlan],
    started: Callable[[WorkerPlan], WorkerProcess],
    tmp_path: Path,
    port: int,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Sandbox], dict[str, Any]]:
    """Runs the probes in a worker of a level."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in (*SECRETS, *ORDINARY[:-1]):
        monkeypatch.setenv(name, "x")

    def run(level: Sandbox) -> dict[str, Any]:
        plan = plan_of(level)
        (plan.hidden / "plan.json").write_text("{}")
        worker = started(plan)
        path = worker.scratch / "probes.py"
        worker.wait_ready()
        path.write_text(PROBES.read_text())
        worker.ask(LoadRequest(path=str(path), entry="probe", translate=False), 30.0)
        values = [PlainValue(text=str(outside)), PlainValue(text=str(plan.hidden)), PlainValue(value=port)]
        arguments = tuple(NamedValue(name=f"a{i}", value=value) for i, value in enumerate(values))
        called = worker.ask(CallRequest(arguments=arguments, positional=3), 30.0).reply
        assert isinstance(called, Called), called
        collected = worker.ask(CollectRequest(), 30.0).reply
        assert isinstance(collected, Collected)
        (output,) = collected.outputs
        assert isinstance(output.value, PlainValue)
        found: dict[str, Any] = json.loads(output.value.text or "")
        alive = [each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE]
        here = [each for each in alive if Path(each.cwd()) == worker.scratch]
        seen = {"scratch": str(worker.scratch), "session": os.getsid(here[0].pid)}
        return {**found, **seen, "made outside": (outside / "made").exists()}

    return run


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_worker_may_do(probe: Callable[[Sandbox], dict[str, Any]], level: Sandbox) -> None:
    found = probe(level)
    confined = level is not Sandbox.PROCESS
    offline = level is Sandbox.BUBBLEWRAP or (level is Sandbox.LANDLOCK and landlock.abi() >= 4)
    assert (found["write outside"] == "done") == (not confined) == found["made outside"]
    assert (found["connect"] == "done") == (not offline)
    assert (found["read the bundle"] == "done") == (level is not Sandbox.BUBBLEWRAP)
    assert (found["processes"] < 3) == (level is Sandbox.BUBBLEWRAP)
    assert found["write in scratch"] == found["read outside"] == "done"
    assert found["home"] == found["scratch"]
    assert found["session"] != os.getsid(0), "seen from out here: inside, a leader out here reads 0"
    assert not set(found["environment"]) & set(SECRETS)
    assert set(found["environment"]) >= set(ORDINARY)


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_stay_with_the_conductor(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(name, "x")
    monkeypatch.setenv("ORDINARY", "x")
    found = sandbox.environment(tmp_path, {"TRITON_INTERPRET": "1"})
    assert name not in found
    assert (found["ORDINARY"], found["TRITON_INTERPRET"]) == ("x", "1")


def test_the_backend_has_the_last_word(tmp_path: Path) -> None:
    found = sandbox.environment(tmp_path, {"HOME": "/chosen", "KGB_CHOSEN": "1"})
    assert (found["HOME"], found["KGB_CHOSEN"]) == ("/chosen", "1")
    assert found["TRITON_CACHE_DIR"].startswith(str(tmp_path))


def test_auto_takes_the_strongest_that_works() -> None:
    working = [level for level in Sandbox if works(level)]
    assert sandbox.choose() is working[0]
    assert Sandbox.PROCESS in working
    assert sandbox.describe()


def test_an_unknown_level_names_the_known() -> None:
    with pytest.raises(UsageError, match="no sandbox docker") as caught:
        sandbox.choose("docker")
    assert caught.value.why == "known: auto, bubblewrap, landlock, process"


def test_a_level_that_does_not_work_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sandbox._works.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(UsageError, match="sandbox bubblewrap does not work here"):
            sandbox.choose("bubblewrap")
        assert sandbox.choose() is not Sandbox.BUBBLEWRAP
    finally:
        sandbox._works.cache_clear()


@pytest.mark.parametrize("level", [Sandbox.LANDLOCK, Sandbox.PROCESS])
def test_only_bubblewrap_wraps_the_command(level: Sandbox, tmp_path: Path) -> None:
    assert sandbox.command(level, ["python", "x"], tmp_path / "a", tmp_path) == ["python", "x"]
    wrapped = sandbox.command(Sandbox.BUBBLEWRAP, ["python", "x"], tmp_path / "a", tmp_path)
    assert wrapped[0] == "bwrap"
    assert wrapped[-3:] == ["--", "python", "x"]


CONFINED = """
import subprocess, sys
from pathlib import Path
from kgb_core.worker import landlock
inside, outside = map(Path, sys.argv[1:])
(outside / "before").write_text("x")
landlock.confine([inside])
(inside / "after").write_text("x")
for deed in (
    lambda: (outside / "after").write_text("x"),
    lambda: (outside / "before").unlink(),
    lambda: (outside / "dir").mkdir(),
    lambda: (inside / "after").rename(outside / "moved"),
    lambda: subprocess.run(["touch", outside / "child"], check=True, stderr=subprocess.DEVNULL),
):
    try:
        deed()
    except (OSError, subprocess.CalledProcessError):
        continue
    sys.exit("a wall gave way")
print((outside / "before").read_text())
"""


@pytest.mark.skipif(not works(Sandbox.LANDLOCK), reason="landlock does not work here")
def test_landlock_holds_for_every_way_to_write_and_for_children(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", CONFINED, str(inside), str(outside)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "x\n"), done.stderr
    assert [path.name for path in outside.iterdir()] == ["before"]
