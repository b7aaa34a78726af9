"""What a worker gets: one device that others may use too, MACA, the MACA back end of Triton."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgb_backend_metax import stack
from kgb_core.models import Device
from kgb_core.plugins import Backend

DEVICE = Device(index=3, name="MetaX C500", uuid="GPU-00000000-0000-0000-0000-000000000003")


def test_a_worker_is_pinned_and_may_share_the_device(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack, "triton_backend", lambda: None)
    monkeypatch.setattr(stack, "toolkit", lambda: None)
    assert backend.worker_environment(DEVICE) == {"CUDA_VISIBLE_DEVICES": "3", "MACA_MPS_MODE": "1"}


def test_maca_is_named_where_no_variable_does(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack, "toolkit", lambda: tmp_path)
    monkeypatch.delenv("MACA_PATH", raising=False)
    assert backend.worker_environment(DEVICE)["MACA_PATH"] == str(tmp_path)
    monkeypatch.setenv("MACA_PATH", "/elsewhere")
    assert "MACA_PATH" not in backend.worker_environment(DEVICE)


def test_one_of_several_triton_back_ends_is_chosen(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "triton_backend", lambda: "metax")
    assert backend.worker_environment(DEVICE)["TRITON_DEFAULT_BACKEND"] == "metax"


def test_extensions_of_torch_load_as_usual(backend: Backend) -> None:
    assert "TORCH_DEVICE_BACKEND_AUTOLOAD" not in backend.worker_environment(DEVICE)
    assert "kgb_prepare_worker" not in backend.hooks
