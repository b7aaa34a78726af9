"""Landlock, by system call: a process gives up writing outside some directories, and TCP, for good.

Numbers are those of the kernel's user API (linux/landlock.h, asm-generic/unistd.h).
"""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_NO_NEW_PRIVS = 38

_READS = 0b1101
"""EXECUTE, READ_FILE, READ_DIR."""
_ACCESSES_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Every file access right that a version knows."""
_TCP = 0b11
"""BIND_TCP, CONNECT_TCP; since ABI 4."""


def abi() -> int:
    """The version that the kernel offers; 0 without Landlock."""
    return max(0, _syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG))


def confine(writable: list[Path]) -> None:
    """Take from this process and its children writing outside `writable`, and TCP.

    Raises:
        OSError: the kernel refused.
    """
    version = abi()
    accesses = next(bits for since, bits in reversed(_ACCESSES_BY_ABI.items()) if since <= version)
    attributes = (
        struct.pack("QQ", accesses & ~_READS, _TCP) if version >= 4 else struct.pack("Q", accesses & ~_READS)
    )
    ruleset = _checked(_syscall(_CREATE_RULESET, attributes, len(attributes), 0))
    try:
        for path in writable:
            _allow(ruleset, path, accesses & ~_READS)
        _checked(ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
        _checked(_syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, accesses: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", accesses, descriptor)
        _checked(_syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0))
    finally:
        os.close(descriptor)


def _syscall(number: int, *arguments: int | bytes | None) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    wrapped = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *wrapped)
    return result


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
