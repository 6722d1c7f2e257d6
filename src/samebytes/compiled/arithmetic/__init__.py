"""Operators in compiled code: those of vectors, and those that C++ declares."""
