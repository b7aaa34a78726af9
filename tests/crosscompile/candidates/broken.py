"""It can't be imported."""

raise OSError("no such library")
