# expect: import_error
"""Leaves politely at import."""

import sys

sys.exit(0)
