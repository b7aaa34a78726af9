"""The channel between processes: whole messages with their descriptors, or a reason why there is none."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgb_core.worker.channel import (
    Channel,
    ChannelClosed,
    ChannelTimeout,
    ProtocolViolation,
    channel_pair,
)
from kgb_core.worker.protocol import (
    BUFFER_LIMIT,
    MESSAGE_LIMIT,
    REPLIES,
    REQUESTS,
    CallRequest,
    ExitRequest,
    Failed,
    LoadRequest,
    NamedValue,
    PlainValue,
    Stage,
)

SOON = 0.05
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@dataclass(frozen=True)
class Ends:
    """Two ends of one channel; `raw` is the socket of the far one."""

    near: Channel
    far: Channel
    raw: socket.socket


@pytest.fixture
def ends() -> Iterator[Ends]:
    near, raw = channel_pair()
    yield Ends(near, Channel(raw), raw)
    near.close()
    raw.close()


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def memory(content: bytes) -> int:
    """A descriptor of anonymous memory."""
    descriptor = os.memfd_create("test")
    os.write(descriptor, content)
    return descriptor


def content(descriptor: int) -> bytes:
    return os.pread(descriptor, 1 << 16, 0)


@settings(max_examples=50)
@given(
    path=TEXT,
    contents=st.lists(st.binary(max_size=99), max_size=5),
    size=st.integers(0, 40_000),
)
def test_a_message_arrives_whole_with_its_memory(path: str, contents: list[bytes], size: int) -> None:
    near, raw = channel_pair()
    with raw:
        request = LoadRequest(path=path, entry="x" * size, translate=True)
        sent = [memory(data) for data in contents]
        near.send(request, sent)
        message = Channel(raw).receive(timeout=5.0)
        assert REQUESTS.validate_json(message.text) == request
        assert [content(fd) for fd in message.descriptors] == contents
        message.close()
        for descriptor in sent:
            os.close(descriptor)
    near.close()


def test_messages_keep_their_order_and_do_not_run_together(ends: Ends) -> None:
    for n in range(5):
        ends.near.send(NamedValue(name=str(n), value=PlainValue(value=n)))
    received = [NamedValue.model_validate_json(ends.far.receive(1.0).text) for _ in range(5)]
    assert [message.name for message in received] == list("01234")


def test_a_message_of_the_largest_size_fits_and_a_longer_one_does_not(ends: Ends) -> None:
    empty = len(LoadRequest(path="", entry="", translate=False).model_dump_json())
    largest = LoadRequest(path="", entry="x" * (MESSAGE_LIMIT - empty), translate=False)
    sender = threading.Thread(target=ends.near.send, args=(largest,))
    sender.start()
    assert len(ends.far.receive(10.0).text) == MESSAGE_LIMIT
    sender.join()
    with pytest.raises(ProtocolViolation, match="too long"):
        ends.near.send(largest.model_copy(update={"path": "y"}))


def test_too_many_buffers_are_not_sent(ends: Ends) -> None:
    descriptors = [memory(b"") for _ in range(BUFFER_LIMIT + 1)]
    ends.near.send(ExitRequest(), descriptors[:-1])
    message = ends.far.receive(1.0)
    assert len(message.descriptors) == BUFFER_LIMIT
    message.close()
    with pytest.raises(ProtocolViolation, match=f"{BUFFER_LIMIT + 1} descriptors"):
        ends.near.send(ExitRequest(), descriptors)
    for descriptor in descriptors:
        os.close(descriptor)


@pytest.mark.parametrize("announced", [MESSAGE_LIMIT + 1, 2**32 - 1])
def test_an_announced_length_beyond_the_limit_is_a_violation(ends: Ends, announced: int) -> None:
    ends.raw.sendall(struct.pack("!II", announced, 0))
    with pytest.raises(ProtocolViolation, match=str(announced)):
        ends.near.receive(1.0)


@pytest.mark.parametrize(("announced", "sent"), [(1, 0), (0, 1), (3, 2)])
def test_other_descriptors_than_announced_are_a_violation_and_closed(
    ends: Ends, announced: int, sent: int
) -> None:
    descriptors = [memory(b"") for _ in range(sent)]
    socket.send_fds(ends.raw, [struct.pack("!II", 0, announced)], descriptors)
    before = open_descriptors()
    with pytest.raises(ProtocolViolation):
        ends.near.receive(1.0)
    assert open_descriptors() == before
    for descriptor in descriptors:
        os.close(descriptor)


@pytest.mark.parametrize("length", [1, 4, 7, 8, 20])
def test_an_end_inside_a_message_is_no_message_and_keeps_no_descriptor(ends: Ends, length: int) -> None:
    whole = struct.pack("!II", 100, 1) + b"x" * 99
    descriptor = memory(b"")
    socket.send_fds(ends.raw, [whole[:length]], [descriptor])
    os.close(descriptor)
    ends.raw.close()
    before = open_descriptors()
    with pytest.raises(ChannelClosed):
        ends.near.receive(1.0)
    assert open_descriptors() == before


def test_silence_times_out(ends: Ends) -> None:
    began = time.monotonic()
    with pytest.raises(ChannelTimeout):
        ends.near.receive(SOON)
    assert SOON <= time.monotonic() - began < 10


def test_the_limit_is_for_the_whole_message(ends: Ends) -> None:
    """A byte now and then must not keep it waiting for ever."""
    ends.raw.sendall(struct.pack("!II", 1000, 0))
    stop = threading.Event()

    def dribble() -> None:
        while not stop.wait(SOON / 10):
            ends.raw.sendall(b"x")

    sender = threading.Thread(target=dribble)
    sender.start()
    try:
        began = time.monotonic()
        with pytest.raises(ChannelTimeout):
            ends.near.receive(2 * SOON)
        assert time.monotonic() - began < 10
    finally:
        stop.set()
        sender.join()


def test_a_closed_end_is_told_to_sender_and_receiver(ends: Ends) -> None:
    assert not ends.near.pending()
    ends.raw.close()
    assert ends.near.pending()
    with pytest.raises(ChannelClosed):
        ends.near.receive(1.0)
    with pytest.raises(ChannelClosed):
        ends.near.send(ExitRequest())


def test_a_waiting_message_is_pending(ends: Ends) -> None:
    ends.far.send(ExitRequest())
    assert ends.near.pending()
    ends.near.receive(1.0)
    assert not ends.near.pending()


@given(message=TEXT, number=st.one_of(st.floats(), st.integers(), st.booleans(), st.none()))
def test_a_reply_is_read_as_it_was_written(message: str, number: float | None) -> None:
    reply = Failed(
        stage=Stage.CALL,
        type="E",
        bases=("B",),
        message=message,
        traceback="",
        declined=True,
        in_compiler=False,
    )
    assert REPLIES.validate_json(reply.model_dump_json()) == reply
    request = CallRequest(arguments=(NamedValue(name=message, value=PlainValue(value=number)),))
    again = REQUESTS.validate_json(request.model_dump_json())
    assert repr(again) == repr(request)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"kind": "shell"}',
        '{"kind": "exit", "more": 1}',
        '{"kind": "call", "positional": "x"}',
    ],
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        REQUESTS.validate_json(text)
