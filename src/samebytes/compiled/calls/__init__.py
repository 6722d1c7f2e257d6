"""Calls of bound functions in compiled code: which overload, its type, its machine code."""
