"""Which of a header's declarations a user wants, and under which names."""

from __future__ import annotations

from ..frozen import frozen


@frozen
class Curation:
    """Which of a header's declarations are bound, and under which names.

    Attributes
    ----------
    files : tuple of str
        The files whose declarations are exposed, absolute; empty: as the header's place says.
    functions, structs : tuple of str
        Names that are left out.
    skip_prefix : str
        Functions whose names begin with it are left out; empty: none.
    prefixes : tuple of (str, tuple of str)
        Prefixes that are removed from the names of ``"Function"``, ``"Struct"`` and ``"Enum"``.
    """

    files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    structs: tuple[str, ...] = ()
    skip_prefix: str = ""
    prefixes: tuple[tuple[str, tuple[str, ...]], ...] = ()


EVERYTHING = Curation()
# In the place of a name: all that may be constants, macros, variables, enumerators of enumerations without a name.
CONSTANTS = "*constants"
