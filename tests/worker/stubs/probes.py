"""A candidate that tries the walls of its sandbox and says what gave way."""

import json
import os
import socket


def attempt(deed):
    """`done`, or the class of the error."""
    try:
        deed()
    except OSError as error:
        return type(error).__name__
    return "done"


def write(path):
    with open(path, "w") as file:
        file.write("x")


def probe(outside, hidden, port):
    findings = {
        "write outside": attempt(lambda: write(os.path.join(outside, "made"))),
        "write in scratch": attempt(lambda: write(os.path.join(os.environ["TMPDIR"], "made"))),
        "read outside": attempt(lambda: os.listdir(outside)),
        "connect": attempt(lambda: socket.create_connection(("127.0.0.1", port), timeout=2).close()),
        "read the bundle": attempt(lambda: open(os.path.join(hidden, "plan.json")).close()),
        "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
        "environment": sorted(os.environ),
        "home": os.environ["HOME"],
    }
    return json.dumps(findings)
