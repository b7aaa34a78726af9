"""The one terminal verdict of every planned case."""

from __future__ import annotations

from enum import Enum


class Family(str, Enum):
    """Who or what a verdict speaks about."""

    PASSED = "passed"
    VALUES = "values"
    HONESTY = "honesty"
    INTERFACE = "interface"
    BUILD = "build"
    RUN = "run"
    NOT_THE_CANDIDATES = "not the candidate's"


class Verdict(str, Enum):
    """What became of a case; the docstring of each member says when it is given."""

    PASSED = "passed"

    WRONG_VALUE = "wrong_value"
    WRONG_SHAPE = "wrong_shape"
    """Shape or, where the operator defines them, strides."""
    WRONG_DTYPE = "wrong_dtype"
    WRONG_STRUCTURE = "wrong_structure"
    """Not a tensor, or the wrong number of outputs."""
    WRONG_ALIAS = "wrong_alias"
    """Mutated an input, wrote outside the view it was given, or an in-place operator that isn't in place."""
    NONDETERMINISTIC = "nondeterministic"
    """Right once and wrong once on the same inputs."""

    FALLBACK = "fallback"
    """The native operator did the work."""
    TAMPERING = "tampering"
    """The candidate interfered with the harness."""

    NO_ENTRY = "no_entry"
    BAD_SIGNATURE = "bad_signature"
    IMPORT_ERROR = "import_error"
    REFUSED = "refused"
    """The candidate itself declines a dtype or layout with an error."""

    COMPILE_ERROR = "compile_error"
    COMPILE_TIMEOUT = "compile_timeout"
    OUT_OF_RESOURCES = "out_of_resources"

    LAUNCH_ERROR = "launch_error"
    RUNTIME_ERROR = "runtime_error"
    DEVICE_FAULT = "device_fault"
    OUT_OF_MEMORY = "out_of_memory"
    TIMEOUT = "timeout"
    CRASHED = "crashed"

    UNSUPPORTED = "unsupported"
    """The chip or its stack can't run this case for anyone."""
    TOOLCHAIN_SUSPECT = "toolchain_suspect"
    """Wrong on this chip, right under the interpreter and elsewhere."""
    INVALID_CASE = "invalid_case"
    """Golden value and reference disagree."""
    HARNESS_ERROR = "harness_error"
    SKIPPED = "skipped"

    @property
    def family(self) -> Family:
        """The group it is reported under."""
        return _FAMILIES[self]

    @property
    def counts(self) -> bool:
        """True where the case belongs in the denominator of the candidate's score."""
        return self.family is not Family.NOT_THE_CANDIDATES


_FAMILIES = {
    Verdict.PASSED: Family.PASSED,
    **dict.fromkeys(
        (
            Verdict.WRONG_VALUE,
            Verdict.WRONG_SHAPE,
            Verdict.WRONG_DTYPE,
            Verdict.WRONG_STRUCTURE,
            Verdict.WRONG_ALIAS,
            Verdict.NONDETERMINISTIC,
        ),
        Family.VALUES,
    ),
    **dict.fromkeys((Verdict.FALLBACK, Verdict.TAMPERING), Family.HONESTY),
    **dict.fromkeys(
        (Verdict.NO_ENTRY, Verdict.BAD_SIGNATURE, Verdict.IMPORT_ERROR, Verdict.REFUSED), Family.INTERFACE
    ),
    **dict.fromkeys((Verdict.COMPILE_ERROR, Verdict.COMPILE_TIMEOUT, Verdict.OUT_OF_RESOURCES), Family.BUILD),
    **dict.fromkeys(
        (
            Verdict.LAUNCH_ERROR,
            Verdict.RUNTIME_ERROR,
            Verdict.DEVICE_FAULT,
            Verdict.OUT_OF_MEMORY,
            Verdict.TIMEOUT,
            Verdict.CRASHED,
        ),
        Family.RUN,
    ),
    **dict.fromkeys(
        (
            Verdict.UNSUPPORTED,
            Verdict.TOOLCHAIN_SUSPECT,
            Verdict.INVALID_CASE,
            Verdict.HARNESS_ERROR,
            Verdict.SKIPPED,
        ),
        Family.NOT_THE_CANDIDATES,
    ),
}
