"""From a library on disk to Python objects: classes, functions, constants and templates."""

from ..later import later

__getattr__ = later(__name__, "operators", "type_names")
