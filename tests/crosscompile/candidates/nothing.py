"""It launches nothing."""


def twice(self):
    return self * 2
