"""What crosses the line between conductor and workers: bounded, typed JSON; buffers travel as descriptors."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Case, MemoryFormat
from kgb_core.models.device import Device
from kgb_core.models.draw import Draw
from kgb_core.models.dtypes import DType
from kgb_core.models.record import Errors
from kgb_core.models.timer import TimingMethod
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.worker.sandbox import Sandbox

PROTOCOL = 1
MESSAGE_LIMIT = 4 << 20
"""Bytes of one message; a longer one breaks the protocol."""
BUFFER_LIMIT = 64
"""Descriptors in one message."""


class TensorValue(FrozenModel):
    """A tensor whose storage is one of the message's buffers."""

    kind: Literal["tensor"] = "tensor"
    dtype: DType
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    """In elements."""
    storage_bytes: int
    buffer: int
    """Index among the message's descriptors; several tensors may share one."""
    far: bool = False
    """The buffer holds the elements only, row-major: see `kgb_core.operators.far`."""


class TensorsValue(FrozenModel):
    """A list of tensors, with `None` where one is left out."""

    kind: Literal["tensors"] = "tensors"
    items: tuple[TensorValue | None, ...]


class PlainValue(FrozenModel):
    """A Python number, flag, name or `None`, or a list of numbers."""

    kind: Literal["plain"] = "plain"
    value: bool | int | float | None = None
    text: str | None = None
    """Apart from numbers, since NaN and Inf travel as strings."""
    items: tuple[bool | int | float | None, ...] | None = None
    """Set where the value is a list."""


class ComplexValue(FrozenModel):
    """A Python complex number."""

    kind: Literal["complex"] = "complex"
    real: float
    imag: float


class DTypeValue(FrozenModel):
    """A `torch.dtype`."""

    kind: Literal["dtype"] = "dtype"
    dtype: DType


class MemoryFormatValue(FrozenModel):
    """A `torch.memory_format`."""

    kind: Literal["memory_format"] = "memory_format"
    format: MemoryFormat


class DeviceValue(FrozenModel):
    """The device under test."""

    kind: Literal["device"] = "device"


class GeneratorValue(FrozenModel):
    """A generator on the device under test."""

    kind: Literal["generator"] = "generator"
    seed: int
    goes_on: bool = False
    """It is the generator of the call before, in the state in which that call left it."""


class ForeignValue(FrozenModel):
    """Something that no operator returns; only its type is told."""

    kind: Literal["foreign"] = "foreign"
    type: str


Value = Annotated[
    TensorValue
    | TensorsValue
    | PlainValue
    | ComplexValue
    | DTypeValue
    | MemoryFormatValue
    | DeviceValue
    | GeneratorValue
    | ForeignValue,
    Field(discriminator="kind"),
]
"""One argument or output."""


class NamedValue(FrozenModel):
    """An argument with its parameter's name."""

    name: str
    value: Value


class LoadRequest(FrozenModel):
    """Import a candidate and check its entry function."""

    kind: Literal["load"] = "load"
    path: str
    entry: str
    translate: bool
    """Rewrite the names of other devices in the source to this worker's device."""


class CallRequest(FrozenModel):
    """Call the candidate once. Checks and measurements are this same request."""

    kind: Literal["call"] = "call"
    arguments: tuple[NamedValue, ...] = ()
    positional: int = 0
    """How many of the arguments go by position."""
    case: Case | None = None
    """Set instead of `arguments` where inputs are drawn on the device."""
    seed: int = 0
    mutates: tuple[str, ...] = ()
    audit: bool = False
    """Observe dispatched operators and guard every allocation."""
    reuse: bool = False
    """Put the new contents at the addresses of the call before."""
    poison: int = 0
    """Seed of the ordinary values that uninitialised memory gets."""
    default_seed: int | None = None
    """Seed of torch's own generators; without one they go on from the call before."""


class CollectRequest(FrozenModel):
    """Send the contents that the call before left behind; asked for after the call, for some calls only."""

    kind: Literal["collect"] = "collect"


class ExitRequest(FrozenModel):
    """Leave."""

    kind: Literal["exit"] = "exit"


class PrepareRequest(FrozenModel):
    """To the reference worker: make inputs and the expected answer for one call, and try the native one."""

    kind: Literal["prepare"] = "prepare"
    operator: str
    case: Case
    seed: int
    tolerance: Tolerance
    ship: bool = True
    """Send the input buffers; False where the candidate draws them itself on the device."""


class JudgeRequest(FrozenModel):
    """To the reference worker: compare what a candidate left behind with the expected answer."""

    kind: Literal["judge"] = "judge"
    operator: str
    case: Case
    seed: int
    tolerance: Tolerance
    outputs: tuple[OutputValue, ...]
    is_sequence: bool
    mutated: tuple[NamedValue, ...] = ()
    ship: bool = True
    """As in the `PrepareRequest` of the same call."""
    draw: Draw | None = None
    """What the call is to show, where the operator draws random numbers."""


class BaselineRequest(FrozenModel):
    """To the reference worker: call the native implementation once, as a candidate would be called."""

    kind: Literal["baseline"] = "baseline"
    operator: str
    case: Case
    seed: int


class NullRequest(FrozenModel):
    """Measure an empty region."""

    kind: Literal["null"] = "null"


class HealthRequest(FrozenModel):
    """To the reference worker: is the device usable?"""

    kind: Literal["health"] = "health"


class OutputValue(FrozenModel):
    """One output with the argument whose memory it shares."""

    value: Value
    """For a tensor: the buffer holds its elements in row-major order; `stride` and `offset` tell how they
    lay.
    """
    alias: str | None = None


class Hello(FrozenModel):
    """A worker's first message: it is warm."""

    kind: Literal["hello"] = "hello"
    protocol: int
    pid: int
    python: str
    torch: str
    triton: str | None
    sandbox: str


class Loaded(FrozenModel):
    """The candidate is imported and its entry fits."""

    kind: Literal["loaded"] = "loaded"


class Observations(FrozenModel):
    """What a worker saw during one call."""

    launches: int = 0
    kernels: tuple[str, ...] = ()
    aten: dict[str, int] = {}
    mutated: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()


class Called(FrozenModel):
    """The candidate returned."""

    kind: Literal["called"] = "called"
    observations: Observations
    device_ns: int
    call_ns: int
    timer: str
    method: TimingMethod


class Collected(FrozenModel):
    """What the last call left behind."""

    kind: Literal["collected"] = "collected"
    outputs: tuple[OutputValue, ...]
    is_sequence: bool
    mutated: tuple[NamedValue, ...]
    """Final storages of the arguments that the operator changes."""


class Stage(str, Enum):
    """Where a failure happened."""

    IMPORT = "import"
    ENTRY = "entry"
    SIGNATURE = "signature"
    INPUT = "input"
    CALL = "call"
    OUTPUT = "output"


class Failed(FrozenModel):
    """The request raised. Types and words are the candidate's; the judge decides what they mean."""

    kind: Literal["failed"] = "failed"
    stage: Stage
    type: str
    """Qualified name of the exception class."""
    bases: tuple[str, ...]
    """Qualified names of its base classes."""
    message: str
    traceback: str
    declined: bool
    """The innermost frame is a `raise` or `assert` of the candidate's own."""
    in_compiler: bool
    """A frame of Triton's compiler is on the stack."""


class Prepared(FrozenModel):
    """Inputs are ready and the expected answer is kept."""

    kind: Literal["prepared"] = "prepared"
    arguments: tuple[NamedValue, ...]
    positional: int
    native_error: str = ""
    """Why the native implementation can't run this case on the chip; empty when it can."""
    native: Errors | None = None
    """The native implementation's own errors."""
    invalid: str = ""
    """Why the case itself is wrong: native and golden disagree beyond reason."""
    bytes_read: int = 0
    """Inputs read once."""
    bytes_written: int = 0
    """Outputs written once."""
    flops: float | None = None
    numel: int = 0
    """Elements of all outputs and mutated arguments."""


class Judged(FrozenModel):
    """The comparison of one call."""

    kind: Literal["judged"] = "judged"
    verdict: Verdict
    message: str = ""
    errors: Errors | None = None


class Measured(FrozenModel):
    """A time without outputs: baseline or null."""

    kind: Literal["measured"] = "measured"
    device_ns: int
    call_ns: int
    timer: str
    method: TimingMethod


class HealthReport(FrozenModel):
    """Whether the device computes."""

    kind: Literal["healthy"] = "healthy"
    usable: bool


Request = Annotated[
    LoadRequest
    | CallRequest
    | CollectRequest
    | ExitRequest
    | PrepareRequest
    | JudgeRequest
    | BaselineRequest
    | NullRequest
    | HealthRequest,
    Field(discriminator="kind"),
]
Reply = Annotated[
    Hello | Loaded | Called | Collected | Failed | Prepared | Judged | Measured | HealthReport,
    Field(discriminator="kind"),
]


class WorkerSettings(FrozenModel):
    """What a worker is started with; one JSON argument on its command line."""

    backend: str
    device: Device
    channel: int
    """The descriptor of its end of the socket."""
    parent: int
    """The conductor's process id; the worker ends when it does."""
    scratch: str
    """The one directory that the worker may write to."""
    sandbox: Sandbox
    memory_bytes: int | None = None
    """Cap on the address space; only where no device maps its memory there."""


JudgeRequest.model_rebuild()
REQUESTS: TypeAdapter[Request] = TypeAdapter(Request)
REPLIES: TypeAdapter[Reply] = TypeAdapter(Reply)
