"""Functions, methods, constructors, variables and constants."""
