"""Host code that declines."""


def twice(self):
    raise NotImplementedError("not for this dtype")
