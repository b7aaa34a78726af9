"""Seeds derived from a run's seed and from what they are for, so that everything random can be replayed."""

from __future__ import annotations

import hashlib


def seed_of(seed: int, *parts: str | int) -> int:
    """A 63-bit seed that depends on a run's seed and on what it is for."""
    text = ":".join([str(seed), *map(str, parts)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
