"""Bound classes as Python would have them: other names, properties, ``with``, ``len()``, ``repr()``, what is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import BindError
from ...values.later_type import complete
from ...values.overriding import is_own
from ...values.record_type import RecordType
from .rules import Rules


def pythonize(cls: Any, /, **words: Any) -> Any:
    """Give a bound class Python's forms: other names, properties, ``with``, ``len()``, ``repr()``.

    Parameters
    ----------
    cls : class or class template
        Of a library; of a template, every instantiation, also those to come. Derived classes follow.
    rename : mapping of str to str
        ``{"getArea": "area"}``. Python's classes override a virtual function by either name.
    property : mapping or True
        ``{"width": ["getWidth", "setWidth"], "id": "getId"}``; True makes one of each ``getX`` or ``get_x`` without
        arguments.
    context : str or pair of str
        The method that ends a ``with`` statement, or that which begins it and that which ends it.
    len : str
        The method that says the length.
    repr : str
        The method that gives the text, or a format: ``"Box({width} x {height})"``.
    doc : str
        The docstring.
    hide : str or sequence of str
        Members that Python does not show.

    Returns
    -------
    class or class template
        What was given.

    Raises
    ------
    BindError
        If a word or a member does not exist, or a value is not of its kind; then nothing is changed.
    TypeError
        If the first argument is no class of C++'s.
    """
    linker, name = _home(cls)
    where = f"pythonize({getattr(cls, '__qualname__', name)})"
    if isinstance(cls, RecordType):
        complete(cls)
    if linker.pythonic is None:
        linker.pythonic = Rules(linker.records)
        linker.make_methods()
    linker.pythonic.add(name, words, where)
    try:
        linker.pythonic.settle(strict=True)
    except BindError:
        linker.pythonic.forget()
        raise
    return cls


def _home(cls: Any) -> tuple[Any, str]:
    """What knows all classes of the library, and the name of the class or template there."""
    if isinstance(cls, RecordType) and is_own(cls) and "__samebytes_linker__" in vars(cls):
        return vars(cls)["__samebytes_linker__"], vars(cls)["__samebytes_type__"].name
    home = getattr(cls, "home", None)
    if home is not None and getattr(type(cls), "makes_classes", False):
        owner = home[0]
        while not hasattr(owner, "__linker__"):
            owner = owner.home[0]
        return owner.__linker__, cls.__qualname__
    raise TypeError(f"pythonize() takes a class or a class template of a library, got {cls!r}")


def of_configuration(linker: Any, said: Mapping[str, Any], *others: list[str]) -> None:
    """Take the rules of a configuration, before the library has its members.

    Parameters
    ----------
    linker : Linker
    said : mapping
        The words by class.
    *others : list of str
        Names of classes to come: of templates, and those that are read later.
    """
    linker.pythonic = Rules(linker.records)
    for name, words in said.items():
        linker.pythonic.add(name, words, f"Pythonize: {name}")
    linker.pythonic.check_names([name for names in others for name in names])
