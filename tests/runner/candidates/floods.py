# expect: wrong_value fallback
"""Prints 100 MB, then answers wrong."""

import sys

import torch

line = "x" * (1 << 20)
for _ in range(100):
    sys.stdout.write(line)


def softmax(self, dim, dtype=None):
    return torch.ones_like(self, dtype=dtype)
