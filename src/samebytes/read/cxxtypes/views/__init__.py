"""Libraries of views, for whose objects arrays stand: one file each, by the library's namespace in small letters."""

from __future__ import annotations

from functools import cache

from ....plugins import Plugins
from .base import ViewClass

_LIBRARIES: Plugins[tuple[ViewClass, ...]] = Plugins(__name__, "VIEWS", group="samebytes.views")


def view_class(template: str) -> ViewClass | None:
    """The class of a template's qualified name; None of most templates."""
    namespace, separator, _ = template.partition("::")
    return _named(namespace.lower()).get(template) if separator and namespace.isidentifier() else None


@cache
def _named(library: str) -> dict[str, ViewClass]:
    return {view.template: view for view in _LIBRARIES.find(library) or ()}
