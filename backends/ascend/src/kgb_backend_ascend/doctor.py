"""Checks for `kgb doctor`: the NPU, torch_npu, Triton and CANN, each with the step that mends it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgb_backend_ascend import bus, stack, torch_npu
from kgb_backend_ascend.cards import Card
from kgb_backend_ascend.discovery import read
from kgb_backend_ascend.reading import Reading
from kgb_backend_ascend.visibility import VARIABLE, visible
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.environment import module_version
from kgb_core.plugins.tools import PciDevice

_AGAIN = ", then run kgb doctor again"
_TAKEN = "another container or process holds the NPU: end it, or start this container with --privileged"
_FIXES = {
    "-8005": _TAKEN,
    "-8020": _TAKEN,
    "libdrvdsmi_host.so": "export LD_LIBRARY_PATH=/usr/local/Ascend/driver/lib64/driver:"
    "/usr/local/Ascend/driver/lib64/common:$LD_LIBRARY_PATH",
    "libc_sec.so": "export LD_LIBRARY_PATH=/usr/local/Ascend/driver/lib64/driver:"
    "/usr/local/Ascend/driver/lib64/common:$LD_LIBRARY_PATH",
}
"""By what npu-smi says; what the numbers mean is said in vllm-project/vllm-ascend#2698 and #632."""
_ABSENT = "if there is an Ascend NPU: install its driver" + _AGAIN
_UNDRIVEN = (
    "install the driver (npu-smi info must list the NPU); in a container: start it with "
    "--device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc, "
    "and mount /usr/local/dcmi, npu-smi and /usr/local/Ascend/driver from the host"
)
_OWN = (
    "make an environment of Python 3.11 for it and pip install triton-ascend there: "
    "it takes the place of triton, and stock Triton can't stand beside it"
)


@dataclass(frozen=True)
class Stack:
    """What is installed; `None` where it is not.

    Attributes:
        torch: version of torch.
        torch_npu: version of torch_npu.
        failure: what importing torch_npu said; empty where it went well.
        triton: version of Triton.
        backend: what Triton calls its Ascend back end.
        toolkit: directory of the CANN toolkit.
        script: the toolkit's `set_env.sh`.
    """

    torch: str | None = None
    torch_npu: str | None = None
    failure: str = ""
    triton: str | None = None
    backend: str | None = None
    toolkit: Path | None = None
    script: Path | None = None


def checks() -> list[DoctorCheck]:
    """Every check of this machine: the software's only where there is a chip, or torch_npu."""
    answer = read()
    found = [npu_check(answer, bus.npus(), os.environ.get(VARIABLE))]
    installed = stack.torch_npu_version()
    if not answer.cards and installed is None:
        return found
    present = Stack(
        torch=module_version("torch"),
        torch_npu=installed,
        failure=torch_npu.failure() if installed else "",
        triton=module_version("triton"),
        backend=stack.triton_backend(),
        toolkit=stack.toolkit(),
        script=stack.script(),
    )
    return [*found, *stack_checks(present)]


def npu_check(answer: Reading, on_bus: Sequence[PciDevice], chosen: str | None) -> DoctorCheck:
    """The NPU and its driver.

    Args:
        answer: what DCMI or npu-smi said.
        on_bus: NPUs on the PCI bus.
        chosen: ASCEND_RT_VISIBLE_DEVICES; `None` where it is not set.
    """
    if answer.cards:
        return _cards_check(answer, visible(answer.cards, chosen), chosen)
    said = answer.problem or f"{answer.source} lists no NPU"
    known = next((fix for words, fix in _FIXES.items() if words in said), None)
    if not on_bus:
        found = f"no PCI device 19e5:* that is an accelerator; {said}"
        return DoctorCheck(name="npu", health=Health.NONE, found=found, fix=known or _ABSENT)
    found = f"PCI device 19e5:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {said}"
    return DoctorCheck(name="npu", health=Health.BROKEN, found=found, fix=known or _UNDRIVEN)


def _cards_check(answer: Reading, shown: list[Card], chosen: str | None) -> DoctorCheck:
    broken = next((card for card in shown if card.problem), None)
    if broken is not None:
        fix = f"npu-smi info -t health -i {broken.npu} says more; leave it out of {VARIABLE}"
        found = f"{broken.product} {broken.index}: {broken.problem}"
        return DoctorCheck(name="npu", health=Health.BROKEN, found=found, fix=fix)
    if len(shown) < _asked(chosen):
        found = f"{VARIABLE}={chosen} shows {len(shown)} of {len(answer.cards)} NPUs: "
        found += "it is read up to the first thing that is no id in ascending order, a blank too"
        fix = f"unset {VARIABLE}, or list ids of 0 to {len(answer.cards) - 1}, ascending, commas between"
        return DoctorCheck(name="npu", health=Health.WARN, found=found, fix=fix)
    kinds = ", ".join(dict.fromkeys(card.product for card in shown))
    count = f"{len(shown)} device{'s' if len(shown) > 1 else ''}"
    found = f"{count}: {kinds}; driver {answer.driver or 'unknown'}, by {answer.source}"
    return DoctorCheck(name="npu", health=Health.OK, found=found)


def _asked(chosen: str | None) -> int:
    """How many devices the variable means to show; an empty one hides all, which deserves a warning too."""
    return len(chosen.split(",")) if chosen is not None else 0


def stack_checks(installed: Stack) -> Iterator[DoctorCheck]:
    """Torch with torch_npu, and the way from Triton to the chip.

    Args:
        installed: what there is.
    """
    yield _torch(installed)
    yield _triton(installed)


def _torch(installed: Stack) -> DoctorCheck:
    torch, npu = installed.torch, installed.torch_npu
    if torch is None or npu is None:
        missing = " and ".join(name for name, has in (("torch", torch), ("torch_npu", npu)) if has is None)
        fix = "pip install torch-npu and the torch of the same release, built for the CPU"
        return DoctorCheck(name="torch", health=Health.BROKEN, found=f"{missing} not installed", fix=fix)
    found = f"torch {torch}, torch_npu {npu}"
    if _release(torch) != _release(npu):
        fix = f"pip install torch=={'.'.join(_release(npu))} (CPU build), the release that torch_npu is for"
        return DoctorCheck(name="torch", health=Health.BROKEN, found=f"{found}: not of one release", fix=fix)
    if installed.failure:
        found = f"torch_npu is installed and fails to import: {installed.failure}"
        return DoctorCheck(name="torch", health=Health.BROKEN, found=found, fix=_import_fix(installed))
    return DoctorCheck(name="torch", health=Health.OK, found=found)


def _release(version: str) -> list[str]:
    return version.split("+")[0].split(".")[:3]


def _import_fix(installed: Stack) -> str:
    if ".so" not in installed.failure:
        return "python -c 'import torch, torch_npu' says more; torch_npu needs the CANN of its release notes"
    if installed.script is not None:
        return f"source {installed.script}{_AGAIN}"
    return f"install the CANN toolkit and source its set_env.sh{_AGAIN}"


def _triton(installed: Stack) -> DoctorCheck:
    if installed.backend is None:
        stock = f"Triton {installed.triton} has no Ascend back end"
        has = stock if installed.triton else "triton not installed"
        return DoctorCheck(name="triton", health=Health.BROKEN, found=has, fix=_OWN)
    found = f"Triton {installed.triton}, back end {installed.backend}"
    if installed.toolkit is None:
        found += f"; no CANN toolkit in {stack.TOOLKIT_VARIABLE} or {stack.ROOT}: it compiles to Linalg only"
        fix = "install the CANN toolkit and source its set_env.sh"
        return DoctorCheck(name="triton", health=Health.BROKEN, found=found, fix=fix)
    return DoctorCheck(name="triton", health=Health.OK, found=f"{found}, CANN in {installed.toolkit}")
