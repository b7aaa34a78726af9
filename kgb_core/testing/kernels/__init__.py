"""Kernels that the suite compiles and runs; imported only where Triton is."""
