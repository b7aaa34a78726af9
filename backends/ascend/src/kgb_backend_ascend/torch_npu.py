"""Whether torch_npu can be imported, tried in a process of its own: it is slow, and may end the process."""

from __future__ import annotations

import sys

from kgb_core.plugins.tools import run_tool

TIMEOUT_S = 60.0
_MARK = "kgb: "
_TRY = f"""
import os
os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
try:
    import torch, torch_npu
except Exception as error:
    print("{_MARK}" + (" ".join(str(error).split()) or type(error).__name__))
else:
    print("{_MARK}")
"""


def failure(python: str = sys.executable) -> str:
    """What importing torch_npu says; empty where it goes well.

    Args:
        python: the interpreter that tries.
    """
    answer = run_tool([python, "-c", _TRY], TIMEOUT_S)
    told = [line.removeprefix(_MARK) for line in answer.text.splitlines() if line.startswith(_MARK)]
    return told[-1] if told else answer.problem or "it ended without a word"
