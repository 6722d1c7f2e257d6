"""Bindings of shapes.hpp.

Written by ``samebytes bind``: to change it, run that again. ``__skipped__`` lists what is not bound, and why.
"""

from samebytes import _load

from ._declarations import BUILD as _BUILD
from ._declarations import MODULE as _MODULE

_library = _load(__name__, __file__, _MODULE, _BUILD, format=1, target='host', nogil='auto')

shapes = _library.shapes

__skipped__ = _library.__skipped__
__explain__ = _library.__explain__
__all__ = [
    "shapes",
]
