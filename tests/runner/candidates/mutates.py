# expect: wrong_alias
"""Writes the right answer over its input and returns a copy of it."""

import torch


def softmax(self, dim, dtype=None):
    answer = torch.softmax(self, dim, dtype)
    if self.dtype is answer.dtype and 0 not in self.stride():
        self.copy_(answer)
    else:
        self.zero_()
    return answer
