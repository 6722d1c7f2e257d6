"""Arrays, other libraries' and our own: protocols read, views shown, mdspans, memory that C++ asks for."""

from ..later import later

__getattr__ = later(__name__, "mdspan", "protocols", "view")
