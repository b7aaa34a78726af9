"""A module comes out of any wrapping unchanged, and the rule that applied is named."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.kernels.entry import How
from kgb_core.kernels.extract import Rule, defined_names, extract

MODULE = '''\
"""Fused softmax."""

from __future__ import annotations

import triton


@triton.jit
def _kernel(x):
    pass


def softmax(self, dim):
    """Normalise.

    ```
    softmax(x, -1)
    ```
    """
    return self
'''
DRAFT = "def softmax(self, dim):\n    return None\n"


def fenced(code: str, fence: str = "```", tag: str = "python") -> str:
    return f"{fence}{tag}\n{code}{fence}\n"


@pytest.mark.parametrize("tag", ["python", "py", "Python", "", "python3 title=kernel.py", "{.python}"])
@pytest.mark.parametrize("fence", ["```", "~~~", "`````"])
def test_a_fenced_block_is_found_by_any_fence_and_tag(fence: str, tag: str) -> None:
    found = extract(f"Here it is.\n\n{fenced(MODULE, fence, tag)}\nIt fuses both loops.", "softmax")
    assert found.source == MODULE
    assert found.rule is Rule.ONLY_BLOCK
    assert found.entry is not None
    assert found.entry.how is How.DEFINED


def test_a_module_is_taken_as_it_is_although_its_docstring_has_a_fence() -> None:
    found = extract(MODULE, "softmax")
    assert (found.source, found.rule) == (MODULE, Rule.MODULE)


def test_an_unclosed_fence_ends_with_the_text() -> None:
    assert extract(f"```python\n{MODULE}", "softmax").source == MODULE
    assert extract(f"```python\n{MODULE}".rstrip("\n"), "softmax").source == MODULE


def test_an_indented_fence_is_dedented() -> None:
    text = "1. The kernel:\n" + textwrap.indent(fenced(MODULE), "   ")
    assert extract(text, "softmax").source == MODULE


def test_prose_around_bare_code_is_cut() -> None:
    found = extract(
        f"Sure! Here's a kernel:\n\n{MODULE}\nThis isn't tested on every chip.\n- It may be slow.\n",
        "softmax",
    )
    assert (found.source, found.rule) == (MODULE, Rule.WITHOUT_PROSE)


def test_a_line_of_code_that_does_not_parse_is_never_cut() -> None:
    broken = MODULE + "\nsoftmax = = 3\n"
    found = extract(f"Sure, here it is:\n\n{broken}", "softmax")
    assert found.rule is Rule.UNPARSED_TEXT
    assert "softmax = = 3" in found.source
    assert found.error.startswith("line ")


def test_of_several_blocks_the_last_that_defines_the_entry_is_chosen() -> None:
    text = "\n".join(
        [
            "First a draft:",
            fenced(DRAFT),
            "Now the real one:",
            fenced(MODULE),
            "Run it with:",
            fenced("pip install triton\n", tag="bash"),
            "And use it:",
            fenced("from kernel import softmax\nprint(softmax(1, 2))\n"),
        ]
    )
    found = extract(text, "softmax")
    assert (found.source, found.rule) == (MODULE, Rule.DEFINING_BLOCK)


def test_an_importing_block_is_chosen_where_none_defines_the_entry() -> None:
    text = fenced("from lib import softmax\n") + fenced("x = 1\n")
    found = extract(text, "softmax")
    assert found.rule is Rule.DEFINING_BLOCK
    assert found.entry is not None
    assert found.entry.how is How.IMPORTED


def test_without_an_entry_the_last_block_that_parses_is_chosen() -> None:
    text = fenced("a = 1\n") + fenced("b = 2\n") + fenced("this does not parse\n")
    found = extract(text, "softmax")
    assert (found.source, found.rule, found.entry) == ("b = 2\n", Rule.PARSING_BLOCK, None)


def test_a_block_that_does_not_parse_is_kept_for_the_judge() -> None:
    found = extract("Here:\n" + fenced("def softmax(x:\n    return x\n"), "softmax")
    assert (found.source, found.rule) == ("def softmax(x:\n    return x\n", Rule.UNPARSED_BLOCK)
    assert found.error


@pytest.mark.parametrize(
    "thought",
    [
        f"<think>\nMaybe so:\n{fenced(DRAFT)}</think>\n\n",
        f"Maybe so:\n{fenced(DRAFT)}</think>\n\n",
        f"<thinking>{fenced(DRAFT)}</thinking>\n",
    ],
    ids=["both ends", "start in the prompt", "other tag"],
)
def test_reasoning_is_removed(thought: str) -> None:
    found = extract(thought + fenced(MODULE), "softmax")
    assert found.source == MODULE
    assert found.reasoning_removed


def test_reasoning_without_an_end_leaves_no_answer() -> None:
    found = extract(f"<think>\nMaybe so:\n{fenced(MODULE)}", "softmax")
    assert found.rule is Rule.NO_CODE


def test_a_module_that_speaks_of_think_tags_keeps_them() -> None:
    module = MODULE + '\nMARK = """\n<think>\n</think>\n"""\n'
    assert extract(module, "softmax").source == module


def test_appended_files_are_split_off() -> None:
    text = (
        MODULE
        + "# ===== sidecar: a.cu =====\n__global__ void f() {}\n# ===== sidecar: b.h =====\n#pragma once\n"
    )
    found = extract(text, "softmax")
    assert (found.source, found.rule) == (MODULE, Rule.MODULE)
    assert {sidecar.name: sidecar.text for sidecar in found.sidecars} == {
        "a.cu": "__global__ void f() {}\n",
        "b.h": "#pragma once\n",
    }


def test_an_appended_python_file_does_not_become_part_of_the_module() -> None:
    found = extract(MODULE + "# ===== sidecar: helper.py =====\n" + DRAFT, "softmax")
    assert found.source == MODULE


def test_a_byte_order_mark_and_foreign_line_ends_are_normalised() -> None:
    assert extract("\ufeff" + MODULE.replace("\n", "\r\n"), "softmax").source == MODULE


@pytest.mark.parametrize(
    "text", ["", "\n\n", "I can't write that kernel.", "Sorry", "```text\nno\n```\n", "`" * 40]
)
def test_prose_alone_is_no_code(text: str) -> None:
    assert extract(text, "softmax").rule is Rule.NO_CODE


@pytest.mark.parametrize(
    "text", ["x = 1\0", "(" * 5000, "-" * 100_000 + "1", "```\n" * 5000, "'\\d'\nx = 1\n"]
)
def test_hostile_text_is_answered(text: str) -> None:
    assert extract(text, "softmax").entry is None


@pytest.mark.parametrize(
    ("source", "how", "line"),
    [
        ("import triton\n@triton.jit\ndef cos_(x): pass\ndef cos_(x): return x\n", How.DEFINED, 4),
        ("def erf_(x): pass\nerf__kernel = erf_\ndef erf_(y): return y\ncos_ = erf_\n", How.ASSIGNED, 4),
        ("from lib import cosine as cos_\n", How.IMPORTED, 1),
        ("try:\n    from lib import cos_\nexcept ImportError:\n    def cos_(x): return x\n", How.DEFINED, 4),
        ("if True:\n    cos_, sin_ = 1, 2\n", How.ASSIGNED, 2),
        ("class cos_: pass\n", How.DEFINED, 1),
    ],
)
def test_the_entry_is_the_last_top_level_binding(source: str, how: How, line: int) -> None:
    entry = extract(source, "cos_").entry
    assert entry is not None
    assert (entry.how, entry.line) == (how, line)


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    cos_ = 1\n",
        "class A:\n    def cos_(self): pass\n",
        "x = [cos_ for cos_ in range(3)]\n",
        "cos_: int\n",
        "def cos_(x): pass\ndel cos_\n",
        "'''def cos_(x): pass'''\nx = 1\n",
        "f = lambda cos_: cos_\n",
    ],
)
def test_what_is_not_bound_at_the_top_level_is_no_entry(source: str) -> None:
    assert extract(source, "cos_").entry is None


def test_defined_names_are_given_even_where_the_text_does_not_parse() -> None:
    assert defined_names("def a(x):\n    def inner(): pass\nasync def b(): pass\ndef c(\n") == ("a", "b", "c")


NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True).filter(lambda name: name.isidentifier())
STATEMENTS = st.one_of(
    st.builds("import {0}_".format, NAMES),
    st.builds("{0}_ = {1}".format, NAMES, st.integers()),
    st.builds("{0}_ = {1!r}".format, NAMES, st.text(max_size=30)),
    st.builds("# {0}".format, st.text("abc ```~<>", max_size=20)),
    st.builds(
        'def {0}_(x):\n    """\n    {1}\n    """\n    return x'.format,
        NAMES,
        st.sampled_from(["```", "~~~py", "a"]),
    ),
)
MODULES = st.lists(STATEMENTS, min_size=0, max_size=8).map(
    lambda lines: "\n".join(
        ["from __future__ import annotations", *lines, "def softmax(x):", "    return x", ""]
    )
)
WRAPPINGS = st.sampled_from(
    [
        "{0}",
        "\ufeff{0}",
        "Here you are:\n\n{0}",
        "{0}\nI didn't run this code.\n",
        "Here you are:\n```python\n{0}```\n",
        "Here you are:\n~~~\n{0}~~~\nIt isn't fast.\n",
        "```py\n{0}",
        "```bash\npip install triton\n```\nThen:\n````python\n{0}````\n",
        "<think>\n```python\ndef softmax(x): pass\n```\n</think>\n```python\n{0}```",
        "Well.\n</think>\n{0}",
        "```python\ndef softmax(x): draft\n```\nBetter:\n```python\n{0}```\n```python\nsoftmax(1)\n```\n",
        "{0}# ===== sidecar: k.cu =====\nint x;\n",
    ]
)


@given(MODULES, WRAPPINGS, st.booleans())
def test_a_module_comes_out_of_any_wrapping_equal(module: str, wrapping: str, foreign: bool) -> None:
    text = wrapping.format(module)
    found = extract(text.replace("\n", "\r\n") if foreign else text, "softmax")
    assert found.source == module
    assert found.entry is not None


@given(st.text(alphabet=st.sampled_from(list("`~\n def():x=1<>/think#'\"\\")), max_size=200))
def test_any_text_is_answered(text: str) -> None:
    found = extract(text, "x")
    assert found.rule in Rule
