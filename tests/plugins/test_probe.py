"""One backend is chosen by its evidence; ties are errors, and a probe that crashes is survived."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from kgb_core.errors import BackendError, NoDeviceError, UsageError
from kgb_core.models import Probe
from kgb_core.plugins.probe import rank

if TYPE_CHECKING:
    from conftest import Scratch

APART = """
from kgb_core.plugins import load_backends
from kgb_core.plugins.probe import probe_apart
print(probe_apart(load_backends([{vendor!r}]).get({vendor!r}), timeout_s={timeout}).model_dump_json())
"""


def claims(vendor: str, score: int) -> Any:
    """A backend with that much evidence."""
    probe = Probe(score=score, evidence=(f"{score} points for {vendor}",) if score else ())
    return SimpleNamespace(vendor=vendor, probe=lambda: probe)


def broken(vendor: str) -> Any:
    """A backend whose probe raises."""

    def probe() -> Probe:
        raise BackendError(vendor, "kgb_probe", OSError("libx.so: wrong ELF class"))

    return SimpleNamespace(vendor=vendor, probe=probe)


def test_the_most_evidence_wins() -> None:
    ranking = rank([claims("host", 1), claims("chip", 90), claims("other", 40)])
    assert ranking.best.vendor == "chip"
    assert ranking.probes["other"].score == 40


def test_a_tie_is_an_error_that_names_both() -> None:
    with pytest.raises(UsageError) as caught:
        rank([claims("one", 90), claims("host", 1), claims("two", 90)])
    assert caught.value.what == "one and two both claim this machine."
    assert "90 points for one" in caught.value.why
    assert "90 points for two" in caught.value.why
    assert "host" not in caught.value.why
    assert "--backend one" in caught.value.hint


def test_a_probe_that_raises_is_no_evidence_and_says_why() -> None:
    ranking = rank([broken("bad"), claims("host", 1)])
    assert ranking.best.vendor == "host"
    assert "wrong ELF class" in ranking.probes["bad"].evidence[0]


@pytest.mark.parametrize("backends", [[], [claims("chip", 0)], [broken("bad")]])
def test_no_evidence_is_no_device(backends: list[Any]) -> None:
    with pytest.raises(NoDeviceError) as caught:
        rank(backends)
    assert caught.value.why
    assert "kgb doctor" in caught.value.hint


def apart(scratch: Scratch, vendor: str, timeout: float = 60) -> dict[str, Any]:
    """The evidence of an installed backend, from a process of its own."""
    answer: dict[str, Any] = json.loads(scratch.run(APART.format(vendor=vendor, timeout=timeout)).stdout)
    return answer


def test_a_probe_in_its_own_process_answers(scratch: Scratch) -> None:
    assert apart(scratch, "cpu") == {"score": 1, "evidence": ["needs no hardware"]}


def test_a_probe_that_crashes_is_survived(scratch: Scratch) -> None:
    assert apart(scratch, "crashes") == {"score": 0, "evidence": ["its probe ended with signal SIGSEGV"]}


def test_a_probe_that_hangs_is_given_up(scratch: Scratch) -> None:
    assert apart(scratch, "hangs", 1) == {"score": 0, "evidence": ["its probe gave no answer in 1 s"]}


def test_the_module_says_what_is_wrong_with_a_name(scratch: Scratch) -> None:
    done = scratch.run(
        "import runpy, sys; sys.argv[1:] = ['god']; runpy.run_module('kgb_core.plugins.probe', "
        "run_name='__main__')"
    )
    assert done.returncode == 4
    assert "did you mean good?" in done.stderr
    assert done.stdout == ""
