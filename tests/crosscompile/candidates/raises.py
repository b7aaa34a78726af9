"""Host code that raises, not on purpose."""


def twice(self):
    return self.no_such_attribute
