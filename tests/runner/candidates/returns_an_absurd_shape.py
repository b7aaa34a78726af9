# expect: wrong_shape wrong_dtype tampering
"""Returns an empty tensor with a dimension that no machine can count."""

import torch


def softmax(self, dim, dtype=None):
    return torch.empty((0, 2**62), dtype=self.dtype, device=self.device)
