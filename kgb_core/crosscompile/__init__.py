"""Compiling any candidate for any target without a chip: its host code runs, its launches are compiled."""
