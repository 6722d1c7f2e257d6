"""How notebooks show classes that have a layout, and their objects: by a picture of the bytes."""

from __future__ import annotations

from types import MethodType
from typing import Any

from ..forks import importing


class Notebook:
    """``_repr_html_`` of a class that has a layout: notebooks show its picture, for the class and for instances.

    Notebooks ask a class for a display only through a method that is bound to the class.
    """

    def __get__(self, instance: Any, owner: type) -> MethodType:
        return MethodType(_class_html if instance is None else _instance_html, instance or owner)


def _class_html(cls: Any) -> str:
    with importing:  # only notebooks draw
        from .picture import svg

    return svg(cls)


def _instance_html(instance: Any) -> str:
    from html import escape

    return f"<div><code>{escape(repr(instance))}</code></div>{_class_html(type(instance))}"
