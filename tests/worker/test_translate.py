"""Device names in a candidate's source: whole strings and the attribute change, and nothing else."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.worker.translate import translated

CHANGED = {
    'x = "cuda"': 'x = "cpu"',
    "x = 'cuda:0'": "x = 'cpu'",
    "x = torch.empty(3, device='npu:3')": "x = torch.empty(3, device='cpu')",
    "f('musa', \"xpu\", 'mlu')": "f('cpu', \"cpu\", 'cpu')",
    "x = r'cuda'": "x = r'cpu'",
    "if x.is_cuda: pass": "if x.is_cpu: pass",
    "assert a.is_cuda and b . is_npu": "assert a.is_cpu and b . is_cpu",
    "é = 'ü'; x = 'cuda'": "é = 'ü'; x = 'cpu'",
    "x = {'cuda': 'cuda'}": "x = {'cpu': 'cpu'}",
    "x = (\n    'cuda',\n    y.is_cuda)": "x = (\n    'cpu',\n    y.is_cpu)",
}

KEPT = [
    "# for 'cuda' and x.is_cuda",
    '"""Runs on cuda."""',
    "x = 'cuda kernel'",
    "x = 'my_cuda'",
    "x = f'cuda'",
    "x = f'cuda:{i}'",
    "x = 'CUDA'",
    "x = '''cuda'''",
    "cuda = 1",
    "torch.cuda.synchronize()",
    "is_cuda = True",
    "def is_cuda(): return False",
    "from mine import is_cuda",
    "x.is_cuda_like",
    "x = 'cpu'",
    "x = 'cuda:first'",
    "def broken(:\n    'cuda'",
    "x = 'cuda",
    "if True:\n        a\n    b = 'cuda'",
]


@pytest.mark.parametrize(("source", "expected"), CHANGED.items(), ids=CHANGED)
def test_whole_strings_and_the_attribute_change(source: str, expected: str) -> None:
    assert translated(f"import x\n{source}\n", "cpu") == f"import x\n{expected}\n"


@pytest.mark.parametrize("source", KEPT)
def test_everything_else_stays(source: str) -> None:
    assert translated(f"{source}\n", "cpu") == f"{source}\n"


def test_the_device_itself_keeps_its_name() -> None:
    source = "x = 'cuda:1'\ny = x.is_cuda\nz = 'npu'\n"
    assert translated(source, "cuda") == "x = 'cuda:1'\ny = x.is_cuda\nz = 'cuda'\n"


LINES = st.lists(
    st.sampled_from(
        [
            "x = 'cuda'",
            "y = 1",
            "# 'cuda'",
            "\f",
            "s = 'a\x0bb\x1cc\u2028d'",
            "z = a.is_cuda",
            "",
            "w = 'ü' 'cuda:0'",
        ]
    ),
    max_size=9,
)


@given(lines=LINES, ending=st.sampled_from(["\n", "\r\n"]))
def test_lines_stay_where_they_are_and_python_stays_python(lines: list[str], ending: str) -> None:
    source = ending.join(["a = b = None", *lines])
    changed = translated(source, "cpu")
    assert changed.count("\n") == source.count("\n")
    wanted = source.replace("x = 'cuda'", "x = 'cpu'").replace("a.is_cuda", "a.is_cpu")
    assert changed == wanted.replace("'ü' 'cuda:0'", "'ü' 'cpu'")
    ast.parse(changed)


@given(st.text(max_size=60))
def test_text_that_is_not_python_comes_back(text: str) -> None:
    if "cuda" not in text:
        assert translated(text, "cpu") == text
