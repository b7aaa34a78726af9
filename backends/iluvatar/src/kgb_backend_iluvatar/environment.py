"""Driver, CoreX and compiler versions for the manifest."""

from __future__ import annotations

from kgb_backend_iluvatar import stack
from kgb_backend_iluvatar.discovery import read
from kgb_backend_iluvatar.machine import Machine


def versions(machine: Machine) -> dict[str, str]:
    """Driver, ixML, the CUDA that CoreX passes for, and the builds of torch and Triton with CoreX's mark."""
    answer = read(machine)
    torch, triton = stack.installed("torch"), stack.installed("triton")
    found = {
        "driver": answer.driver,
        "ixml": answer.ixml,
        "cuda_driver": answer.cuda,
        "corex": torch.corex if torch else None,
        "torch_build": torch.version if torch and torch.is_corex else None,
        "triton_build": f"{triton.distribution} {triton.version}" if triton and triton.is_corex else None,
    }
    return {name: version for name, version in found.items() if version}
