"""What is decided of a function before Numba infers its types."""
