"""It defines something else."""


def thrice(self):
    return self * 3
