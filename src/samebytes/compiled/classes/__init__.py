"""Structs, classes and namespaces by name in compiled code: constructors, fields, members."""
