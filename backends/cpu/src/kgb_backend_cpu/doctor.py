"""The cpu backend's check for `kgb doctor`: torch and Triton are all that it needs."""

from __future__ import annotations

from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.environment import module_version

STACK = 'pip install "kgb-backend-cpu[stack]"'


def check(torch: str | None, triton: str | None) -> DoctorCheck:
    """Whether the interpreter can run.

    Args:
        torch: its version; `None` where it is not installed.
        triton: likewise.
    """
    missing = " and ".join(name for name, found in (("torch", torch), ("triton", triton)) if found is None)
    if missing:
        return DoctorCheck(name="cpu", health=Health.WARN, found=f"{missing} not installed", fix=STACK)
    return DoctorCheck(
        name="cpu", health=Health.OK, found=f"1 device: torch {torch}, Triton {triton} interpreter"
    )


def checks() -> list[DoctorCheck]:
    """The check of this machine."""
    return [check(module_version("torch"), module_version("triton"))]
