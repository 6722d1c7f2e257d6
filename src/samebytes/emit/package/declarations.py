"""The file ``_declarations.py``: all that was read from a header, as Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...model.module import Module
from ...toolchain.verifying import digest
from .literals import Literals

_HEAD = '''"""What {header} declares, as samebytes read it.

Written by ``samebytes bind``: to change it, run that again.
"""

from __future__ import annotations

'''


def cleaner(folders: Sequence[str]) -> Callable[[str], str]:
    """What takes the folders of this machine out of texts: a path becomes relative to the innermost of them."""
    known = sorted({f.rstrip(os.sep) + os.sep for f in folders if f.strip(os.sep)}, key=len, reverse=True)

    def clean(text: str) -> str:
        for folder in known:
            text = text.replace(folder, "")
        return text

    return clean


def declarations(module: Module, header: str, folders: Sequence[str]) -> tuple[str, str]:
    """The text of the file, and the digest that ties it to the compiled library.

    Parameters
    ----------
    module : Module
    header : str
        What the file's first line calls the header.
    folders : sequence of str
        Directories whose names are taken out of every path: those of the header and of what it includes.
    """
    literals = Literals(cleaner(folders))
    plain = replace(module, included=(), others=(), origin="")
    body = [literals.define_named(e, e.name) for e in plain.enums]
    body += [literals.define_named(r, r.name) for r in plain.records]
    # What is said of the library's code is none of what it is compiled from.
    unread = [*body, literals.define("MODULE", replace(plain, verdicts=()))]
    build = digest("\n\n".join(["\n".join(literals.imports()), *unread]).encode())[:32]
    body.append(literals.define("MODULE", plain))
    text = "\n\n".join(["\n".join(literals.imports()), *body])
    return (
        f'{_HEAD.format(header=header)}{text}\n\n# The library beside it carries the same word.\nBUILD = "{build}"\n',
        build,
    )
