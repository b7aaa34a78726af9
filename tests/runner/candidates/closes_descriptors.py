# expect: crashed
"""Closes every descriptor that it finds, the harness's channel among them."""

import os


def softmax(self, dim, dtype=None):
    os.closerange(3, 256)
    return self
