"""Importing a candidate, calling it, and describing what it raised: where, and whether it declined."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kgb_core.worker.candidate import Refused, failure, fits, load
from kgb_core.worker.protocol import Failed, LoadRequest, Stage

Write = Callable[[str], LoadRequest]


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Writes a candidate's file; its module is forgotten in the end."""
    path = tmp_path / "law__entry.py"

    def written(source: str, translate: bool = False) -> LoadRequest:
        path.write_text(source, encoding="utf-8")
        return LoadRequest(path=str(path), entry="entry", translate=translate)

    yield written
    sys.modules.pop(path.stem, None)


def refused(request: LoadRequest) -> Failed:
    """The reply to a candidate that does not load."""
    with pytest.raises(Refused) as caught:
        load(request, "cpu")
    return caught.value.reply


def raised(request: LoadRequest, *args: Any) -> Failed:
    """What is told of a call that raises."""
    entry = load(request, "cpu")
    try:
        entry(*args)
    except BaseException as error:
        return failure(Stage.CALL, error, Path(request.path))
    raise AssertionError("it did not raise")


def test_the_entry_is_found(write: Write) -> None:
    assert load(write("def entry(x):\n    return x + 1\n"), "cpu")(2) == 3


def test_the_source_is_translated_only_if_asked(write: Write) -> None:
    source = "# ü\ndef entry():\n    return 'cuda:0'\n"
    assert load(write(source), "cpu")() == "cuda:0"
    assert load(write(source, True), "cpu")() == "cpu"  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("source", "stage", "words"),
    [
        ("import no_such_module\n", Stage.IMPORT, "no_such_module"),
        ("raise SystemExit(0)\n", Stage.IMPORT, "0"),
        ("def entry(:\n", Stage.IMPORT, "invalid syntax"),
        ("def other(): pass\n", Stage.ENTRY, "entry is not defined"),
        ("entry = 3\n", Stage.ENTRY, "entry is not callable"),
    ],
    ids=["missing module", "exits", "syntax", "no entry", "not callable"],
)
def test_what_does_not_load_says_why(write: Write, source: str, stage: Stage, words: str) -> None:
    reply = refused(write(source))
    assert reply.stage is stage
    assert words in reply.message


@pytest.mark.parametrize(
    ("signature", "fine"),
    [
        ("self, dim", True),
        ("self, dim, more=1", True),
        ("*args, **kwargs", True),
        ("self", False),
        ("self, dim, more", False),
        ("self, axis", False),
    ],
)
def test_a_call_must_fit_the_signature(write: Write, signature: str, fine: bool) -> None:
    entry = load(write(f"def entry({signature}): pass\n"), "cpu")
    if fine:
        fits(entry, [1], {"dim": 0})
        return
    with pytest.raises(Refused) as caught:
        fits(entry, [1], {"dim": 0})
    assert caught.value.reply.stage is Stage.SIGNATURE
    assert f"the function is ({signature})" in caught.value.reply.message


def test_what_has_no_signature_is_let_through() -> None:
    fits(type("Odd", (), {"__call__": None, "__signature__": 3}), [], {})


DECLINES = {
    "raise": "    raise TypeError('no float64')",
    "assert": "    assert x > 3, 'too small'",
    "assert over lines": "    assert (\n        x\n        > 3\n    ), 'too small'",
    "raise over lines": "    raise TypeError(\n        f'no {x}'\n    )",
    "behind a condition": "    if x < 3: raise TypeError('no')",
    "in a helper": "    check(x)\n\ndef check(x):\n    raise TypeError('no')",
    "from another": "    try: 1 / 0\n    except Exception as e: raise TypeError('no') from e",
    "in a with": "    with open('/dev/null'):\n        raise TypeError('no')",
}

FALLS = {
    "an index": "    return [][x]",
    "a division": "    return x / 0",
    "a name": "    return y",
    "a library's own raise": "    import json\n    json.loads('x')",
    "torch": "    import torch\n    torch.ones(2) @ torch.ones(3)",
    "a string that reads raise": "    'raise '; x.raise_()",
}


@pytest.mark.parametrize("source", DECLINES.values(), ids=DECLINES)
def test_its_own_raise_or_assert_declines(write: Write, source: str) -> None:
    assert raised(write(f"def entry(x):\n{source}\n"), 1).declined


@pytest.mark.parametrize("source", FALLS.values(), ids=FALLS)
def test_anything_else_is_a_fault(write: Write, source: str) -> None:
    assert not raised(write(f"def entry(x):\n{source}\n"), 1).declined


def test_a_failure_names_the_exception_and_its_kin(write: Write) -> None:
    source = "class Mine(KeyError): pass\n\ndef entry(x):\n    raise Mine('x')\n"
    reply = raised(write(source), 1)
    assert (reply.type, reply.message) == ("law__entry.Mine", "'x'")
    assert reply.bases == ("KeyError", "LookupError", "Exception", "BaseException")
    assert "raise Mine('x')" in reply.traceback
    assert not reply.in_compiler


def test_the_traceback_begins_in_the_candidate_and_names_no_directory(write: Write, tmp_path: Path) -> None:
    reply = raised(write("def entry(x):\n    return x / 0\n"), 1)
    assert str(tmp_path) not in reply.traceback
    assert "test_candidate" not in reply.traceback
    assert 'File "law__entry.py", line 2' in reply.traceback


def test_long_words_are_cut(write: Write) -> None:
    reply = raised(write("def entry(x):\n    raise ValueError('x' * 10**6)\n"), 1)
    assert len(reply.message) < 10_000
    assert len(reply.traceback) < 10_000


def test_triton_s_compiler_is_known_by_its_modules(write: Write) -> None:
    source = (
        "import types\n"
        "module = types.ModuleType('triton.compiler.code_generator')\n"
        "exec('def lower(): raise AssertionError(1)', module.__dict__)\n"
        "def entry(x):\n    module.lower()\n"
    )
    reply = raised(write(source), 1)
    assert reply.in_compiler
    assert not reply.declined
