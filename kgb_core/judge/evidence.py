"""What was seen of a candidate over the calls of one case, gathered as it is seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kgb_core.judge import policy
from kgb_core.models.record import Errors, Evidence
from kgb_core.operators.spec import Kind, Operator
from kgb_core.worker.protocol import Collected, Observations


@dataclass
class Trail:
    """The evidence of one case so far."""

    calls: int = 0
    launches: int = 0
    kernels: dict[str, None] = field(default_factory=dict)
    aten: Counter[str] = field(default_factory=Counter)
    foreign: dict[str, None] = field(default_factory=dict)
    mutated: dict[str, None] = field(default_factory=dict)
    guards: dict[str, None] = field(default_factory=dict)
    aliases: dict[str, None] = field(default_factory=dict)
    view: bool = False
    passed_on: bool = False
    """Every output is unchanged memory of an argument: nothing was to be written."""
    errors: Errors | None = None

    def add(self, seen: Observations, operator: Operator) -> None:
        """Add what a worker observed during one call."""
        self.calls += 1
        self.launches += seen.launches
        self.kernels |= dict.fromkeys(seen.kernels)
        self.aten.update(seen.aten)
        self.foreign |= dict.fromkeys(policy.foreign(operator, seen.aten))
        self.mutated |= dict.fromkeys(seen.mutated)
        self.guards |= dict.fromkeys(seen.guards)

    def collected(self, left: Collected, operator: Operator) -> None:
        """Add which memory the outputs share."""
        shared = [output.alias for output in left.outputs if output.alias]
        self.aliases |= dict.fromkeys(shared)
        self.view = operator.kind is Kind.VIEW and bool(shared)
        self.passed_on = not operator.mutates and 0 < len(shared) == len(left.outputs)

    def compared(self, errors: Errors | None) -> None:
        """Keep the worst errors of all compared calls."""
        if errors and (self.errors is None or errors.scale >= self.errors.scale):
            self.errors = errors

    def trespass(self) -> str:
        """One line on memory that was changed and must not be."""
        parts = []
        if self.mutated:
            parts.append(f"changed its input {', '.join(self.mutated)}")
        if self.guards:
            parts.append(f"wrote outside {', '.join(self.guards)}")
        return "; ".join(parts)

    def evidence(self) -> Evidence:
        """The evidence as a record holds it."""
        return Evidence(
            calls=self.calls,
            launches=self.launches,
            kernels=tuple(self.kernels),
            aten=dict(self.aten),
            foreign=tuple(self.foreign),
            mutated=tuple(self.mutated),
            guards=tuple(self.guards),
            aliases=tuple(self.aliases),
            view=self.view,
        )
