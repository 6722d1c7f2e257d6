"""What Numba is told of values of C++: its types of them, and how they lie in registers and in memory."""
