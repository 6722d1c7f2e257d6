"""Structs, unions and classes: bases, members, layout."""
