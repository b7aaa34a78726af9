"""What a worker on a MetaX device needs: one device, shared; MACA; the right one of Triton's back ends."""

from __future__ import annotations

import os

from kgb_backend_metax import stack
from kgb_backend_metax.visibility import VARIABLE
from kgb_core.models import Device

SHARING_VARIABLE = "MACA_MPS_MODE"


def environment(device: Device) -> dict[str, str]:
    """The variables of a worker on a device.

    * MACA lets one process use a device unless it is told otherwise (vLLM-metax, "Differences from NVIDIA
      CUDA"), and a candidate's worker stands beside that of the baseline.
    * The NVIDIA and the MetaX back end of Triton both take `torch.cuda` for theirs, so one is chosen by name.
    * Triton's back end needs MACA_PATH, which only login shells of MetaX's images set.

    Extensions of torch load by themselves as usual: MetaX's builds need none, stock torch gets MACA by one.
    """
    found = {VARIABLE: str(device.index), SHARING_VARIABLE: "1"}
    backend, place = stack.triton_backend(), stack.toolkit()
    if backend is not None:
        found["TRITON_DEFAULT_BACKEND"] = backend
    if place is not None and stack.TOOLKIT_VARIABLE not in os.environ:
        found[stack.TOOLKIT_VARIABLE] = str(place)
    return found
