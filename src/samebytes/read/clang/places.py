"""Where declarations stand: asked of libclang at once, where its binding makes four objects and a text of each."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .libclang import Cursor, TranslationUnit, cindex, library


@cache
def _place_teller() -> Any:
    """What tells a place's file, line and column at once; the binding's own function makes objects of them."""
    function = library()["clang_getInstantiationLocation"]  # not the binding's, which has its own types
    function.argtypes = [cindex().SourceLocation, *[ctypes.c_void_p] * 4]
    function.restype = None
    return function


def file_of(cursor: Cursor) -> str | None:
    """The name of the file in which a declaration stands; the compiler's own stand in none."""
    file = ctypes.c_void_p()
    _place_teller()(library().clang_getCursorLocation(cursor), ctypes.byref(file), None, None, None)
    return _file_name(cursor._tu, file.value)


def place_of(cursor: Cursor) -> tuple[str | None, int, int]:
    """File, line and column of a declaration."""
    file, line, column = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint()
    references = map(ctypes.byref, (file, line, column))
    _place_teller()(library().clang_getCursorLocation(cursor), *references, None)
    return _file_name(cursor._tu, file.value), line.value, column.value


def _file_name(unit: TranslationUnit, file: int | None) -> str | None:
    """The name of a file by its address, which means no other for as long as there is the unit; asked once."""
    if file is None:
        return None
    try:
        known: dict[int, str] = unit.samebytes_files
    except AttributeError:
        known = unit.samebytes_files = {}
    if file not in known:
        known[file] = cindex().File(ctypes.cast(file, cindex().c_object_p)).name
    return known[file]
