"""From a module as it was read to the module that is bound: what is left out, why, and which intents apply."""

from ...later import later

__getattr__ = later(__name__, "counts", "hidden")
