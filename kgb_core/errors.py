"""Every error that KGB raises on purpose: what happened, why, and what to do next.

The command line prints the three as three lines; a caller of the library reads `what`, `why`, `hint`.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process tells its caller; documented in `kgb --help`."""

    OK = 0
    FAILED = 1
    """It ran, and something that was judged failed."""
    USAGE = 2
    NO_DEVICE = 3
    BACKEND_FAILED = 4
    """A backend that the user named failed to load."""
    NOTHING_SELECTED = 5
    INTERNAL = 70
    INTERRUPTED = 130
    """Stopped by the user; everything finished is on disk and `--resume` goes on."""


class KgbError(Exception):
    """The root of KGB's own errors.

    Attributes:
        what: one sentence that names the thing.
        why: the reason, in the vendor's or the operating system's own words where there are any.
        hint: the next step.
    """

    exit_code = ExitCode.USAGE

    def __init__(self, what: str, why: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.hint = hint

    def __str__(self) -> str:
        return "\n".join(line for line in (self.what, self.why, self.hint) if line)


class UsageError(KgbError):
    """The command line or a configuration file asks for something that does not exist."""


class NothingSelectedError(KgbError):
    """The selection is valid and empty."""

    exit_code = ExitCode.NOTHING_SELECTED


class NoDeviceError(KgbError):
    """No backend has a device to run on."""

    exit_code = ExitCode.NO_DEVICE


class BackendLoadError(KgbError):
    """A backend that the user named is missing or failed to load."""

    exit_code = ExitCode.BACKEND_FAILED


class BackendError(KgbError):
    """A vendor's hook raised. `vendor` and `hook` say whose; the cause is chained."""

    exit_code = ExitCode.BACKEND_FAILED

    def __init__(self, vendor: str, hook: str, cause: BaseException) -> None:
        super().__init__(
            what=f"[{vendor}] {hook} failed",
            why=f"{type(cause).__name__}: {cause}",
            hint=f"run kgb doctor; if it persists, report it to the maintainer of kgb-backend-{vendor}",
        )
        self.vendor = vendor
        self.hook = hook


class OperatorError(KgbError):
    """An operator is declared in a way that can't work."""


class BundleError(KgbError):
    """A bundle on disk can't be read or written; the message names file and line."""


class WorkerError(KgbError):
    """A worker process could not be started or broke the protocol."""

    exit_code = ExitCode.INTERNAL
