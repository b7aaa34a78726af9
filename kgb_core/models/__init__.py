"""The records that cross KGB's boundaries: all frozen, all without torch."""

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import (
    Case,
    DeviceArgument,
    DTypeArgument,
    GeneratorArgument,
    Layout,
    MemoryFormat,
    MemoryFormatArgument,
    NamedArgument,
    Purpose,
    Scalar,
    TensorListSpec,
    TensorSpec,
    Tier,
)
from kgb_core.models.device import (
    BackendInfo,
    Capabilities,
    Capability,
    Device,
    Feature,
    Limits,
    Peaks,
    Probe,
    Support,
    Target,
)
from kgb_core.models.dtypes import DType, DTypeClass
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Family, Verdict

__all__ = [
    "BackendInfo",
    "Capabilities",
    "Capability",
    "Case",
    "DType",
    "DTypeArgument",
    "DTypeClass",
    "Device",
    "DeviceArgument",
    "Family",
    "Feature",
    "FrozenModel",
    "GeneratorArgument",
    "Layout",
    "Limits",
    "MemoryFormat",
    "MemoryFormatArgument",
    "NamedArgument",
    "Peaks",
    "Probe",
    "Purpose",
    "Scalar",
    "Support",
    "Target",
    "TensorListSpec",
    "TensorSpec",
    "Tier",
    "Tolerance",
    "Verdict",
]
