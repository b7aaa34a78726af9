"""What the elements of an input look like: a distribution, stated as data, drawn elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from kgb_core.models.base import FrozenModel


class Normal(FrozenModel):
    """Normally distributed; rounded to the dtype, so integers get rounded normals."""

    kind: Literal["normal"] = "normal"
    mean: float = 0.0
    std: float = 1.0


class Uniform(FrozenModel):
    """Uniform in [low, high)."""

    kind: Literal["uniform"] = "uniform"
    low: float = 0.0
    high: float = 1.0


class Integers(FrozenModel):
    """Whole numbers in [low, high), in any dtype: ties, indices, counts. For bool: a fair coin."""

    kind: Literal["integers"] = "integers"
    low: int = -8
    high: int = 9


class Permutation(FrozenModel):
    """The numbers 0 .. numel-1, shuffled: no ties, no duplicates."""

    kind: Literal["permutation"] = "permutation"


class Fill(FrozenModel):
    """One value everywhere."""

    kind: Literal["fill"] = "fill"
    value: float | bool = 0.0


class Literally(FrozenModel):
    """These values in row-major order, repeated until the tensor is full."""

    kind: Literal["literally"] = "literally"
    values: tuple[float | bool, ...]


class Sprinkle(FrozenModel):
    """A base distribution with some elements replaced by special values, at random places.

    Every special value appears at least once when the tensor has room for it.
    """

    kind: Literal["sprinkle"] = "sprinkle"
    base: Normal | Uniform | Integers = Normal()
    specials: tuple[float, ...]
    share: float = Field(default=0.2, gt=0, le=1)


Values = Annotated[
    Normal | Uniform | Integers | Permutation | Fill | Literally | Sprinkle,
    Field(discriminator="kind"),
]
"""How elements are drawn."""
