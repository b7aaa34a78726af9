"""KGB: does a generated Triton kernel compute the right thing, and how fast is it, on any chip?

The public surface of a vendor plugin is here: `hookimpl` marks its hooks, `kgb_core.models` has the
records they return. Importing this package imports neither torch nor triton.
"""

from kgb_core.hookspecs import HOOK_API, hookimpl
from kgb_core.version import __version__

__all__ = ["HOOK_API", "__version__", "hookimpl"]
