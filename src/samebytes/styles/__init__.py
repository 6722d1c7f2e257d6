"""Styles: how the functions of a kind of header become Python's."""
