"""C and C++ declarations, read with libclang into the language-neutral model."""
