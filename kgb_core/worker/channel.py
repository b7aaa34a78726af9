"""A socket between two processes: one JSON message at a time, with memory descriptors beside it."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from dataclasses import dataclass

from pydantic import BaseModel

from kgb_core.worker.protocol import BUFFER_LIMIT, MESSAGE_LIMIT

_HEADER = struct.Struct("!II")


class ChannelClosed(Exception):
    """The other side is gone."""


class ChannelTimeout(Exception):
    """No whole message came in time."""


class ProtocolViolation(Exception):
    """The other side sent something that is no message: too long, malformed, or unasked for."""


@dataclass(frozen=True)
class Message:
    """A message's text and the descriptors that came with it; the receiver owns them."""

    text: bytes
    descriptors: list[int]

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in self.descriptors:
            os.close(descriptor)


class Channel:
    """One end of the socket.

    Args:
        end: a connected `AF_UNIX` stream socket; the channel owns it.
    """

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def fileno(self) -> int:
        """The descriptor, for `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def send(self, message: BaseModel, descriptors: list[int] | None = None) -> None:
        """Send one message.

        Raises:
            ChannelClosed: the other side is gone.
            ProtocolViolation: it is longer than the protocol allows.
        """
        body = message.model_dump_json().encode()
        fds = descriptors or []
        if len(body) > MESSAGE_LIMIT or len(fds) > BUFFER_LIMIT:
            raise ProtocolViolation(f"message of {len(body)} bytes with {len(fds)} descriptors is too long")
        try:
            socket.send_fds(self._socket, [_HEADER.pack(len(body), len(fds))], fds)
            self._socket.sendall(body)
        except OSError as error:
            raise ChannelClosed(str(error)) from error

    def receive(self, timeout: float | None = None) -> Message:
        """Receive one message.

        Args:
            timeout: seconds for the whole message; `None` waits for ever.

        Raises:
            ChannelTimeout: it did not come in time.
            ChannelClosed: the other side is gone.
            ProtocolViolation: it is malformed.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        header, descriptors = self._receive_first(deadline)
        try:
            header += self._receive_exactly(_HEADER.size - len(header), deadline)
            length, count = _HEADER.unpack(header)
            if length > MESSAGE_LIMIT or count != len(descriptors):
                raise ProtocolViolation(f"header announces {length} bytes and {count} descriptors")
            return Message(self._receive_exactly(length, deadline), descriptors)
        except BaseException:
            Message(b"", descriptors).close()
            raise

    def pending(self) -> bool:
        """True when bytes are waiting, or the other side is gone."""
        readable, _, _ = select.select([self._socket], [], [], 0)
        return bool(readable)

    def _receive_first(self, deadline: float | None) -> tuple[bytes, list[int]]:
        self._wait(deadline)
        try:
            data, fds, _, _ = socket.recv_fds(self._socket, _HEADER.size, BUFFER_LIMIT)
        except OSError as error:
            raise ChannelClosed(str(error)) from error
        if not data:
            raise ChannelClosed("end of file")
        return data, list(fds)

    def _receive_exactly(self, count: int, deadline: float | None) -> bytes:
        parts: list[bytes] = []
        while count:
            self._wait(deadline)
            try:
                part = self._socket.recv(min(count, 1 << 20))
            except OSError as error:
                raise ChannelClosed(str(error)) from error
            if not part:
                raise ChannelClosed("end of file inside a message")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _wait(self, deadline: float | None) -> None:
        remaining = None if deadline is None else max(0.0, deadline - time.monotonic())
        readable, _, _ = select.select([self._socket], [], [], remaining)
        if not readable:
            raise ChannelTimeout("no reply in time")


def channel_pair() -> tuple[Channel, socket.socket]:
    """A channel for this process and the other end, to be inherited by a child."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return Channel(ours), theirs
