"""The file ``__init__.py`` of a package: every bound name, from the library beside it."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import Any

from ...call.c_api.api import Pending
from ...loading.library import Library
from ...loading.stubs import public_names

_TEXT = '''"""Bindings of {header}.

Written by ``samebytes bind``: to change it, run that again. ``__skipped__`` lists what is not bound, and why.
"""

from samebytes import _load

_library = _load(__name__, __file__, {options})

{names}

__skipped__ = _library.__skipped__
__explain__ = _library.__explain__
__all__ = [
{listed}
]
'''


def module_text(library: Library, header: str, options: Mapping[str, Any]) -> str:
    """The text of ``__init__.py``.

    Parameters
    ----------
    library : Library
    header : str
        What the first line calls the header.
    options : mapping of str to object
        What ``samebytes.api.packaged.load`` is told beside: the format, the target, where the GIL is released.
    """
    found = {name: value for name, value in public_names(library).items() if not keyword.iskeyword(name)}
    named = [name for name, value in found.items() if not isinstance(value, Pending)]
    return _TEXT.format(
        header=header,
        options=", ".join(f"{name}={value!r}" for name, value in options.items()),
        names="\n".join(f"{name} = _library.{name}" for name in named),
        listed="\n".join(f'    "{name}",' for name in sorted(found)),
    )
