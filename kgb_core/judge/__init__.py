"""The trusted side: golden values, bounds, comparison, policy. Nothing here ever runs candidate code."""
