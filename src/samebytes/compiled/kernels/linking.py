"""Links kernels with a library's device code: LTO-IR, so that calls inline away, or PTX where nvJitLink is missing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..lowering.site import Site


@cache
def linking(device: Callable[..., bytes]) -> Callable[[Site], None]:
    """What has the code that is being compiled linked with a library's, once for each architecture."""

    @cache
    def code(cc: tuple[int, ...], lto: bool) -> Any:
        from numba.cuda.cudadrv import linkable_code

        kind: Any = linkable_code.LTOIR if lto else linkable_code.PTXSource

        class Late(kind):  # type: ignore[misc]
            """Compiled when a kernel is linked: by then all instantiations that it uses are known."""

            @property
            def data(self) -> bytes:
                return device(cc, lto=lto)

        return Late(None, name=f"samebytes.{'ltoir' if lto else 'ptx'}")

    def link(site: Site) -> None:
        from numba.cuda.core.targetconfig import ConfigStack
        from numba.cuda.cudadrv.driver import _have_nvjitlink

        flags = ConfigStack.top_or_none()
        cc = tuple(flags.compute_capability[:2]) if flags and flags.compute_capability else (8, 0)
        site.context.active_code_library.add_linking_file(code(cc, _have_nvjitlink()))

    return link
