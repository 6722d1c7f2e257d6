"""Variables that Python reads and writes through functions, because their bytes are C++'s own business."""

from __future__ import annotations

from ...model.module import Variable
from ...model.symbols import accessors


def definitions(index: int, variable: Variable) -> str:
    """The C++ of those functions."""
    bodies = (f"return ::{variable.qualified};", f"::{variable.qualified} = value;")
    return "\n".join(
        f"static {s.result_spelling} {s.qualified}({', '.join(f'{p.spelling} {p.name}' for p in s.parameters)})"
        f" {{ {body} }}"
        for (_, s), body in zip(accessors(index, variable), bodies, strict=False)
    )
