"""Python functions with C's calling convention: where C passes their values, and the machine code of a C function."""
