"""Packs on disk: the file convention, `pack.toml`, and matching that reports every file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from kgb_core.errors import NothingSelectedError, UsageError
from kgb_core.kernels.match import FileMatch, MatchStatus, match_pack
from kgb_core.kernels.pack import MAX_BYTES, load_pack
from kgb_core.operators.registry import Registry

SOFTMAX = "def softmax(self):\n    return self\n"


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def matches(root: Path, registry: Registry, operator: str = "") -> dict[str, FileMatch]:
    return {match.file: match for match in match_pack(load_pack(root), registry, operator).files}


def test_files_and_samples_are_matched_by_their_names(tmp_path: Path, registry: Registry) -> None:
    write(
        tmp_path,
        {
            "aten__softmax.py": SOFTMAX,
            "aten__add_.py": "def add_(self): return self\n",
            "aten___to_copy.py": "def _to_copy(self): return self\n",
            "vllm__rms_norm/sample_0.py": "def rms_norm(self): return self\n",
            "vllm__rms_norm/sample_1.py": "rms_norm = abs\n",
            "more/aten__silu.py": "def silu(self): return self\n",
        },
    )
    found = matches(tmp_path, registry)
    assert {file: (match.status, match.operator) for file, match in found.items()} == {
        "aten___to_copy.py": (MatchStatus.MATCHED, "aten::_to_copy"),
        "aten__add_.py": (MatchStatus.MATCHED, "aten::add_"),
        "aten__softmax.py": (MatchStatus.MATCHED, "aten::softmax"),
        "more/aten__silu.py": (MatchStatus.MATCHED, "aten::silu"),
        "vllm__rms_norm/sample_0.py": (MatchStatus.MATCHED, "vllm::rms_norm"),
        "vllm__rms_norm/sample_1.py": (MatchStatus.MATCHED, "vllm::rms_norm"),
    }


def test_a_candidate_carries_the_extracted_text_and_its_hash(tmp_path: Path, registry: Registry) -> None:
    write(tmp_path / "mine", {"aten__softmax.py": f"Here:\n```python\n{SOFTMAX}```\n"})
    (candidate,) = match_pack(load_pack(tmp_path / "mine"), registry).candidates
    assert candidate.source == SOFTMAX
    assert candidate.sha256 == hashlib.sha256(SOFTMAX.encode()).hexdigest()
    assert (candidate.operator, candidate.name, candidate.pack) == ("aten::softmax", "aten__softmax", "mine")
    assert Path(candidate.path).is_file()


def test_every_file_is_reported_with_what_is_wrong(tmp_path: Path, registry: Registry) -> None:
    write(
        tmp_path,
        {
            "aten__sofmax.py": SOFTMAX,
            "helpers.py": "def softmax(self): pass\n",
            "silu.py": "def silu(self): return self\n",
            "softmax.py": SOFTMAX,
            "aten__softmax/none.py": "def softmin(self): return self\n",
            "aten__softmax/prose.md": "I can't do that.\n",
            "aten__softmax/broken.py": "def softmax(self:\n",
            "README.md": "not a kernel",
            "__init__.py": "",
            ".hidden.py": SOFTMAX,
        },
    )
    (tmp_path / "aten__softmax" / "latin.py").write_bytes(b"# caf\xe9\n")
    (tmp_path / "aten__softmax" / "long.py").write_bytes(b"#" * (MAX_BYTES + 1))
    found = matches(tmp_path, registry)
    assert {file: match.status for file, match in found.items()} == {
        "aten__sofmax.py": MatchStatus.UNKNOWN_OPERATOR,
        "helpers.py": MatchStatus.UNKNOWN_OPERATOR,
        "silu.py": MatchStatus.AMBIGUOUS,
        "softmax.py": MatchStatus.MATCHED,
        "aten__softmax/none.py": MatchStatus.NO_ENTRY,
        "aten__softmax/prose.md": MatchStatus.NO_CODE,
        "aten__softmax/broken.py": MatchStatus.SYNTAX_ERROR,
        "aten__softmax/latin.py": MatchStatus.UNREADABLE,
        "aten__softmax/long.py": MatchStatus.UNREADABLE,
    }
    assert found["aten__sofmax.py"].options == ("aten::softmax",)
    assert "did you mean aten::softmax?" in found["aten__sofmax.py"].message
    assert found["helpers.py"].options == ("aten::softmax",)
    assert found["silu.py"].options == ("aten::silu", "vllm::silu")
    assert found["aten__softmax/none.py"].message == "wanted softmax; the file defines softmin"


def test_a_known_operator_without_an_answer_is_still_judged(tmp_path: Path, registry: Registry) -> None:
    write(
        tmp_path,
        {"aten__softmax/a.py": "x = 1\n", "aten__softmax/b.py": "no\n", "aten__softmax/c.py": "def (\n"},
    )
    matching = match_pack(load_pack(tmp_path), registry)
    assert [candidate.name for candidate in matching.candidates] == ["a", "b", "c"]
    assert not matching.complete


def test_a_named_operator_overrides_the_name_of_the_file(tmp_path: Path, registry: Registry) -> None:
    file = write(tmp_path, {"vllm__silu.py": SOFTMAX}) / "vllm__silu.py"
    (match,) = match_pack(load_pack(file), registry, operator="softmax").files
    assert (match.status, match.operator) == (MatchStatus.MATCHED, "aten::softmax")


def test_a_single_sample_is_known_by_its_folder(tmp_path: Path, registry: Registry) -> None:
    write(tmp_path, {"vllm__silu/sample_3.py": "def silu(self): return self\n"})
    (match,) = match_pack(load_pack(tmp_path / "vllm__silu" / "sample_3.py"), registry).files
    assert (match.status, match.operator) == (MatchStatus.MATCHED, "vllm::silu")


def test_an_unknown_named_operator_is_an_error_that_names_the_close_one(
    tmp_path: Path, registry: Registry
) -> None:
    file = write(tmp_path, {"k.py": SOFTMAX}) / "k.py"
    with pytest.raises(UsageError, match=r"no operator aten::softmx") as caught:
        match_pack(load_pack(file), registry, operator="aten::softmx")
    assert "aten::softmax" in caught.value.why


def test_pack_toml_is_read(tmp_path: Path) -> None:
    toml = 'name = "try 1"\nmethod = "one shot"\nmodel = "m"\ntokens = 12\ncost = 0.5\nattempts = 4\n'
    toml += 'licence = "MIT"\nauthor = "a"\nseconds = 90.5\n'
    write(tmp_path, {"aten__softmax.py": SOFTMAX, "pack.toml": toml})
    info = load_pack(tmp_path).info
    assert info.seconds == 90.5
    assert (info.name, info.method, info.tokens, info.cost, info.attempts) == (
        "try 1",
        "one shot",
        12,
        0.5,
        4,
    )


def test_without_a_name_the_pack_is_called_like_its_directory(tmp_path: Path) -> None:
    write(tmp_path / "mine", {"aten__softmax.py": SOFTMAX, "pack.toml": 'model = "m"\n'})
    assert load_pack(tmp_path / "mine").info.name == "mine"


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('modle = "x"\n', "unknown key modle"),
        ('tokens = "many"\n', "tokens: "),
        ("tokens = \n", "Invalid value"),
        ("[model]\nname = 1\n", "model: "),
    ],
)
def test_a_wrong_pack_toml_is_an_error_that_names_the_key(tmp_path: Path, toml: str, said: str) -> None:
    write(tmp_path, {"aten__softmax.py": SOFTMAX, "pack.toml": toml})
    with pytest.raises(UsageError, match=r"pack\.toml") as caught:
        load_pack(tmp_path)
    assert said in caught.value.why


def test_a_path_without_kernels_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file or directory"):
        load_pack(tmp_path / "absent")
    with pytest.raises(NothingSelectedError):
        load_pack(tmp_path)


def test_a_file_that_is_no_file_does_not_block(tmp_path: Path, registry: Registry) -> None:
    import os

    os.mkfifo(tmp_path / "aten__softmax.py")
    assert matches(tmp_path, registry)["aten__softmax.py"].status is MatchStatus.UNREADABLE
