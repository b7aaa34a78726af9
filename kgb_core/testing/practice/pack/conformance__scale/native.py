"""Wrong: the library does the work."""


def scale(self, factor):
    """Every element times a number, without a kernel."""
    return self * factor
