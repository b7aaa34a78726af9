# expect: no_entry
"""Defines something else."""


def soft_max(self, dim):
    return self
