# expect: wrong_value
"""Returns zeros, which are close to right where a row is long."""

import torch


def softmax(self, dim, dtype=None):
    return torch.zeros_like(self, dtype=dtype)
