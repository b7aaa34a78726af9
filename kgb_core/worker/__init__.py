"""The untrusted side: one process a candidate, started as `<interpreter> -m kgb_core.worker`.

A worker gets a candidate file and one request at a time over a private socket, and returns raw bytes and
observations. It never sees a seed in advance, a golden value or a tolerance.
"""
