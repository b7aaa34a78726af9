"""ATen operators. Every one is in the suites `mc` (on every chip) and `ms` (all sources)."""
