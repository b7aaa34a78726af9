"""A case: the arguments of one call, stated as data, with an id that depends on nothing else."""

from __future__ import annotations

import hashlib
import json
from enum import Enum
from typing import Annotated, Literal

from pydantic import Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Normal, Values


class Layout(str, Enum):
    """How a tensor lies in its storage."""

    CONTIGUOUS = "contiguous"
    TRANSPOSED = "transposed"
    """The last two dimensions swapped in memory; contiguous below rank 2."""
    STRIDED = "strided"
    """Every second element of the last dimension, starting at storage offset 1."""
    EXPANDED = "expanded"
    """Stride 0 in the first dimension; contiguous in a 0-d tensor."""
    CHANNELS_LAST = "channels_last"
    """The memory format of that name; rank 4 only."""
    GAPS = "gaps"
    """Every second element of each dimension, starting at index 1: no two dimensions follow one another in
    memory, so a kernel can't merge them."""
    FAR = "far"
    """Rows so far apart that the last one begins more than 2^31 elements after the first, of few elements;
    what lies between is never touched. Three rows at least. Cheap on a device that has the memory."""


class MemoryFormat(str, Enum):
    """The order of an output's dimensions in memory; the value is the name of the attribute of torch."""

    PRESERVE = "preserve_format"
    CONTIGUOUS = "contiguous_format"
    CHANNELS_LAST = "channels_last"


class Tier(str, Enum):
    """When a case is run; each tier includes the ones before it."""

    SMOKE = "smoke"
    """Seconds under the interpreter."""
    STANDARD = "standard"
    """Minutes on a chip."""
    FULL = "full"
    """Everything, large tensors included."""
    OPINFO = "opinfo"
    """Samples that torch tests its own operators with, made by the torch that is installed; apart from the
    others."""

    def includes(self, other: Tier) -> bool:
        """True when a run of this tier contains cases of `other`."""
        if Tier.OPINFO in (self, other):
            return self is other
        order = list(Tier)
        return order.index(other) <= order.index(self)


class Purpose(str, Enum):
    """What a case is for."""

    CHECK = "check"
    PERF = "perf"


def far_step(shape: tuple[int, ...]) -> int:
    """Elements from one row of a `Layout.FAR` tensor to the next: less than 2^31, which rows exceed together.

    Raises:
        ValueError: there are fewer than three rows.
    """
    if not shape or shape[0] < 3:
        raise ValueError(f"{shape} has fewer than three rows")
    return (2**31 // (shape[0] - 1) // 16 + 1) * 16


class TensorSpec(FrozenModel):
    """A tensor argument. `dtype` is `None` only in a template that a grid completes."""

    kind: Literal["tensor"] = "tensor"
    shape: tuple[int, ...]
    dtype: DType | None = None
    layout: Layout = Layout.CONTIGUOUS
    values: Values = Normal()

    @property
    def numel(self) -> int:
        """Number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    @property
    def far_bytes(self) -> int:
        """Address space that the storage of a far tensor takes; 0 for any other."""
        if self.layout is not Layout.FAR or self.dtype is None:
            return 0
        return self.shape[0] * far_step(self.shape) * self.dtype.itemsize

    @property
    def label(self) -> str:
        """`fp32[7x1023]strided`, short enough for a table."""
        dtype = self.dtype.short if self.dtype else "?"
        shape = "x".join(map(str, self.shape))
        layout = "" if self.layout is Layout.CONTIGUOUS else f" {self.layout.value}"
        return f"{dtype}[{shape}]{layout}"


class TensorListSpec(FrozenModel):
    """A list of tensors, some of which may be left out as `None`: what to join, or an index a dimension."""

    kind: Literal["tensors"] = "tensors"
    items: tuple[TensorSpec | None, ...]

    @property
    def label(self) -> str:
        """The labels of the items, in brackets."""
        return "[" + ", ".join(item.label if item else "None" for item in self.items) + "]"

    @property
    def tensors(self) -> list[TensorSpec]:
        """The items that are there."""
        return [item for item in self.items if item is not None]


class Scalar(FrozenModel):
    """A Python value: number, flag, name, `None`, or a list of numbers."""

    kind: Literal["scalar"] = "scalar"
    value: bool | int | float | tuple[int | float | bool | None, ...] | None = None
    """A tuple where the operator wants a list, as for sizes and strides."""
    text: str | None = None
    """A name; apart from numbers, since NaN and Inf are written as strings."""

    @property
    def plain(self) -> bool | int | float | str | list[int | float | bool | None] | None:
        """The value as Python has it."""
        if self.text is not None:
            return self.text
        return list(self.value) if isinstance(self.value, tuple) else self.value

    @property
    def label(self) -> str:
        """The value as Python writes it."""
        return repr(self.plain)


class DTypeArgument(FrozenModel):
    """A `torch.dtype` argument."""

    kind: Literal["dtype"] = "dtype"
    dtype: DType

    @property
    def label(self) -> str:
        """The short name of the dtype."""
        return self.dtype.short


class MemoryFormatArgument(FrozenModel):
    """A `torch.memory_format` argument."""

    kind: Literal["memory_format"] = "memory_format"
    format: MemoryFormat

    @property
    def label(self) -> str:
        """The name of the format."""
        return self.format.value


class DeviceArgument(FrozenModel):
    """A `torch.device` argument: the device under test, whatever it is."""

    kind: Literal["device"] = "device"

    @property
    def label(self) -> str:
        """Always the same word, so that ids agree across chips."""
        return "device"


class GeneratorArgument(FrozenModel):
    """A `torch.Generator` on the device under test, seeded from the run's seed."""

    kind: Literal["generator"] = "generator"

    @property
    def label(self) -> str:
        """Always the same word."""
        return "generator"


Argument = Annotated[
    TensorSpec
    | TensorListSpec
    | Scalar
    | DTypeArgument
    | MemoryFormatArgument
    | DeviceArgument
    | GeneratorArgument,
    Field(discriminator="kind"),
]
"""One argument of a case."""


class NamedArgument(FrozenModel):
    """A parameter of the entry function and what it gets."""

    name: str
    argument: Argument


class Case(FrozenModel):
    """The arguments of one call. Omitted parameters take the operator's defaults."""

    purpose: Purpose = Purpose.CHECK
    arguments: tuple[NamedArgument, ...]
    tier: Tier = Tier.SMOKE
    title: str = ""
    """What a tester would call it; for a perf case the origin of its shape."""
    telling: bool = True
    """False where the right answer is trivial by nature, so that a trivial kernel passes."""
    weight: float = Field(default=1.0, gt=0)
    """Share in the operator's speedup; perf cases only."""

    @property
    def id(self) -> str:
        """Twelve hex digits of the content: equal on every machine, different for every other case."""
        content = self.model_dump_json(include={"purpose", "arguments"})
        canonical = json.dumps(json.loads(content), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    @property
    def label(self) -> str:
        """One line for a person: the arguments, with the title in front where there is one."""
        text = ", ".join(f"{a.name}={a.argument.label}" for a in self.arguments)
        return f"{self.title}: {text}" if self.title else text

    def tensors(self) -> list[TensorSpec]:
        """Every tensor of the case, lists included, in argument order."""
        found: list[TensorSpec] = []
        for named in self.arguments:
            if isinstance(named.argument, TensorSpec):
                found.append(named.argument)
            elif isinstance(named.argument, TensorListSpec):
                found.extend(named.argument.tensors)
        return found

    def dtypes(self) -> frozenset[DType]:
        """Every dtype that the case touches."""
        explicit = {a.argument.dtype for a in self.arguments if isinstance(a.argument, DTypeArgument)}
        return frozenset(explicit | {t.dtype for t in self.tensors() if t.dtype})
