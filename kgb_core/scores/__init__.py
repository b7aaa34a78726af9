"""What a set of judged kernels is worth: each score one function, with its interval where it is an estimate.

Every function takes plain numbers and returns a frozen record, so that it can be used on other data than a
bundle's. `kgb_core.scores.board` puts them together for a summary.
"""
