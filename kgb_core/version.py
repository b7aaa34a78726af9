"""The version of kgb-core, in one place: packaging reads it, records carry it."""

__version__ = "0.1.0"
