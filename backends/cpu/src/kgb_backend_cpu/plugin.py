"""The front door of the cpu backend: what this device is, and where its rules live."""

from __future__ import annotations

from kgb_backend_cpu import device as host
from kgb_backend_cpu import doctor
from kgb_backend_cpu.capabilities import CAPABILITIES
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.timer import Timer

INFO = BackendInfo(
    vendor="cpu",
    display_name="Triton interpreter",
    torch_device_type="cpu",
    needs_hardware=False,
)


class CpuBackend:
    """Triton's interpreter on the host: the device that every machine has."""

    api = (1, 0)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """One device type, no vendor tool, no hardware."""
        return INFO

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """The one device."""
        return [host.device()]

    @hookimpl
    def kgb_capabilities(self) -> Capabilities:
        """What the interpreter can judge."""
        return CAPABILITIES

    @hookimpl
    def kgb_worker_environment(self) -> dict[str, str]:
        """The interpreter instead of the compiler, one thread a worker."""
        return host.WORKER_ENVIRONMENT

    @hookimpl
    def kgb_prepare_worker(self) -> None:
        """Autotuned kernels run without a benchmark; calls to a GPU's runtime do nothing."""
        from kgb_backend_cpu import autotuning, stand_ins

        autotuning.run_first_configuration()
        stand_ins.install()

    @hookimpl
    def kgb_make_timer(self) -> Timer:
        """The host's clock."""
        from kgb_core.plugins.timers import HostTimer

        return HostTimer(lambda: None)

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """Torch and Triton."""
        return doctor.checks()
