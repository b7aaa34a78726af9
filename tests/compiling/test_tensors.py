"""Tensors say that they lie on the chip, new ones are made on the host, and afterwards all is as before."""

from __future__ import annotations

import pytest
import torch

from kgb_core.compiling.tensors import on_chip


def test_tensors_say_that_they_lie_on_the_chip() -> None:
    tensor = torch.arange(6.0)
    with on_chip("cuda"):
        assert (tensor.device, tensor.is_cuda, tensor.is_cpu) == (torch.device("cuda", 0), True, False)
    assert (tensor.device, tensor.is_cuda, tensor.is_cpu) == (torch.device("cpu"), False, True)


@pytest.mark.parametrize("place", ["cuda", "cuda:0", torch.device("cuda"), "npu", "cpu"])
def test_new_tensors_are_made_on_the_host(place: str | torch.device) -> None:
    with on_chip("cuda"):
        made = [torch.ones(2, device=place), torch.ones(2).to(place), torch.ones(2).new_ones(2, device=place)]
    assert [tensor.device.type for tensor in made] == ["cpu"] * 3
    assert [tensor.sum().item() for tensor in made] == [2.0] * 3


def test_nothing_moves_and_nothing_is_pinned() -> None:
    tensor = torch.arange(6.0)
    with on_chip("cuda"):
        assert tensor.cuda() is tensor
        assert torch.empty(2, pin_memory=True).shape == (2,)


def test_names_in_comparisons_stay() -> None:
    with on_chip("cuda"):
        assert torch.device("cuda").type == "cuda"
        assert torch.zeros(1).device.type == "cuda"


def test_a_type_that_torch_has_not_looks_like_the_host() -> None:
    with on_chip("no_such_type"):
        assert torch.zeros(1).device.type == "cpu"
        assert torch.zeros(1).is_cpu
