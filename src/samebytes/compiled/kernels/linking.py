"""Links kernels with a library's device code: LTO-IR, so that calls inline away, or PTX where nvJitLink is missing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..lowering.site import Site


@cache
def linking(parts: tuple[Callable[..., bytes], ...]) -> Callable[[Site], None]:
    """What has the code that is being compiled linked with a library's units."""

    def link(site: Site) -> None:
        from numba.cuda.core.targetconfig import ConfigStack
        from numba.cuda.cudadrv.driver import _have_nvjitlink

        flags = ConfigStack.top_or_none()
        cc = tuple(flags.compute_capability[:2]) if flags and flags.compute_capability else (8, 0)
        for part in parts:
            site.context.active_code_library.add_linking_file(_code(part, cc, _have_nvjitlink()))

    return link


@cache
def _code(part: Callable[..., bytes], cc: tuple[int, ...], lto: bool) -> Any:
    """One unit for an architecture, whichever libraries have it: a kernel is linked with it once."""
    from numba.cuda.cudadrv import linkable_code

    kind: Any = linkable_code.LTOIR if lto else linkable_code.PTXSource

    class Late(kind):  # type: ignore[misc]
        """Compiled when a kernel is linked: by then all instantiations that it uses are known."""

        @property
        def data(self) -> bytes:
            return part(cc, lto=lto)

    return Late(None, name=f"samebytes.{'ltoir' if lto else 'ptx'}")
