"""The demo: real elevations, a C++ hillshade, one result from every array library, and a map."""

from .run import run

__all__ = ["run"]
