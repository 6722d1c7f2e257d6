"""The version of samebytes; the build cache is keyed by it."""

__version__ = "0.1.0"
