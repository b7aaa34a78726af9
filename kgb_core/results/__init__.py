"""Where results go: bundles on disk, written so that a crash at any point leaves them readable."""
