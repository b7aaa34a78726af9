"""Compiling captured launches without a chip, and checking what they need against a target's limits."""
