"""What a package says of its library: the descriptions, as Python."""

from .declarations import declarations

__all__ = ["declarations"]
