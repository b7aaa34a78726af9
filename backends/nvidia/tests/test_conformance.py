"""What KGB asks of every backend, asked of this one."""

from kgb_core.testing import backend_fixture
from kgb_core.testing.suite import *  # noqa: F403

backend = backend_fixture("nvidia")
