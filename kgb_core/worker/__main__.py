"""`python -m kgb_core.worker SETTINGS`: a candidate worker."""

from __future__ import annotations

import sys

from pydantic import BaseModel

from kgb_core.plugins.backend import Backend
from kgb_core.worker.buffers import Packer
from kgb_core.worker.channel import Message, ProtocolViolation
from kgb_core.worker.protocol import CallRequest, CollectRequest, LoadRequest, Request, WorkerSettings
from kgb_core.worker.serve import Handler, main
from kgb_core.worker.session import CandidateSession


def _handler(backend: Backend, settings: WorkerSettings) -> Handler:
    session = CandidateSession(backend, settings.device)

    def handle(request: Request, message: Message, packer: Packer) -> BaseModel:
        if isinstance(request, LoadRequest):
            return session.load(request)
        if isinstance(request, CallRequest):
            return session.call(request, message.descriptors)
        if isinstance(request, CollectRequest):
            return session.collect(packer)
        raise ProtocolViolation(f"a candidate worker does not answer {request.kind}")

    return handle


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _handler))
