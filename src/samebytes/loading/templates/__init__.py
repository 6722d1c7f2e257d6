"""Templates of a library, of its classes and of its operators: C++ instantiates them for what Python has."""

from .library import ClassTemplate, FunctionTemplate, VariableTemplate

__all__ = ["ClassTemplate", "FunctionTemplate", "VariableTemplate"]
