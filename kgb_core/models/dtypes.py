"""Element types, named as torch names them, without importing torch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class DTypeClass(Enum):
    """What kind of number a dtype holds."""

    FLOAT = "float"
    COMPLEX = "complex"
    INTEGER = "integer"
    BOOL = "bool"


class DType(str, Enum):
    """An element type; the value is the name of the attribute of torch (`torch.float32`)."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT8_E4M3FN = "float8_e4m3fn"
    FLOAT8_E5M2 = "float8_e5m2"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    BOOL = "bool"

    @property
    def short(self) -> str:
        """The usual abbreviation: `fp32`, `bf16`, `i64`."""
        return _TRAITS[self].short

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return _TRAITS[self].itemsize

    @property
    def kind(self) -> DTypeClass:
        """Float, complex, integer or bool."""
        return _TRAITS[self].kind

    @property
    def is_floating(self) -> bool:
        """True for real floating-point types."""
        return self.kind is DTypeClass.FLOAT

    @property
    def is_complex(self) -> bool:
        """True for complex types."""
        return self.kind is DTypeClass.COMPLEX

    @property
    def is_inexact(self) -> bool:
        """True where rounding happens: floating and complex types."""
        return self.is_floating or self.is_complex


@dataclass(frozen=True)
class _Traits:
    short: str
    itemsize: int
    kind: DTypeClass


_TRAITS = {
    DType.FLOAT64: _Traits("fp64", 8, DTypeClass.FLOAT),
    DType.FLOAT32: _Traits("fp32", 4, DTypeClass.FLOAT),
    DType.FLOAT16: _Traits("fp16", 2, DTypeClass.FLOAT),
    DType.BFLOAT16: _Traits("bf16", 2, DTypeClass.FLOAT),
    DType.FLOAT8_E4M3FN: _Traits("fp8e4m3", 1, DTypeClass.FLOAT),
    DType.FLOAT8_E5M2: _Traits("fp8e5m2", 1, DTypeClass.FLOAT),
    DType.COMPLEX64: _Traits("c64", 8, DTypeClass.COMPLEX),
    DType.COMPLEX128: _Traits("c128", 16, DTypeClass.COMPLEX),
    DType.INT8: _Traits("i8", 1, DTypeClass.INTEGER),
    DType.INT16: _Traits("i16", 2, DTypeClass.INTEGER),
    DType.INT32: _Traits("i32", 4, DTypeClass.INTEGER),
    DType.INT64: _Traits("i64", 8, DTypeClass.INTEGER),
    DType.UINT8: _Traits("u8", 1, DTypeClass.INTEGER),
    DType.BOOL: _Traits("bool", 1, DTypeClass.BOOL),
}
