"""The two compilers that Numba is: the parts of each that samebytes extends, under the same names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from ..errors import BindError, MissingDependency
from ..frozen import frozen
from .attempts import attempt

_MISSING = {
    "numba": "target='numba' needs Numba: pip install 'samebytes[numba]'",
    "numba_cuda": "target='numba_cuda' needs numba-cuda: pip install 'samebytes[numba-cuda]'",
}
_ROOTS = {"numba": "numba.core", "numba_cuda": "numba.cuda"}
# name -> module below the root, for the CPU and for CUDA
_MODULES = {
    "cgutils": ("cgutils", "cgutils"),
    "ir": ("ir", "core.ir"),
    "rewrites": ("rewrites", "core.rewrites"),
    "templates": ("typing.templates", "typing.templates"),
    "typeof": ("typing.typeof", "typing.typeof"),
    "imputils": ("imputils", "core.imputils"),
    "models": ("datamodel.models", "datamodel.models"),
    "pythonapi": ("pythonapi", "core.pythonapi"),
    "errors": ("errors", "core.errors"),
    "analysis": ("analysis", "core.analysis"),
    "arraydecl": ("typing.arraydecl", "typing.arraydecl"),
}
_ARRAYS = {"numba": "numba.np.arrayobj", "numba_cuda": "numba.cuda.np.arrayobj"}


@frozen(slots=False, eq=False)
class NumbaCompiler:
    """One of Numba's compilers.

    Attributes
    ----------
    name : str
        ``"numba"`` or ``"numba_cuda"``: the target of samebytes that it serves.
    types : module
        Numba's types: the same objects in both.
    typing, lowering : context
        What the compiler knows about types, and about machine code.
    """

    name: str
    types: Any
    typing: Any
    lowering: Any
    arrays: Any
    cgutils: Any
    ir: Any
    rewrites: Any
    templates: Any
    typeof: Any
    models: Any
    imputils: Any
    pythonapi: Any
    errors: Any
    analysis: Any
    arraydecl: Any

    @property
    def cuda(self) -> bool:
        """Whether it compiles for GPUs."""
        return self.name == "numba_cuda"

    @property
    def dialect(self) -> str:
        """Whose layouts it deals with."""
        return "cuda" if self.cuda else "cxx"

    def store_model(self, type_class: Any, model: Any) -> None:
        """Say how values of a class of types lie in registers and in memory."""
        self.lowering.data_model_manager.register(type_class, model)

    def augment(self, key: Any, template: Any) -> None:
        """Add a template to those of one of Python's functions."""
        known = self.typing._lookup_global(key)
        made = self.types.Function(template)
        if known is not None:
            made = self.types.Function(
                (template, *known.templates)
            )  # ours first: enumerators are integers to Numba
            self.typing._remove_global(key)
        self.typing.insert_global(key, made)

    @cached_property
    def registry(self) -> Any:
        """Our collection of implementations; :meth:`install` makes the compiler know what is new in it."""
        made = self.imputils.Registry("samebytes")
        for name in ("lower", "lower_getattr", "lower_setattr"):  # through which the generic ones go
            setattr(made, name, _attempting(getattr(made, name)))
        return made

    def dispatcher(self, function: Any) -> Any:
        """Numba's compiler of one function of Python's."""
        if self.cuda:
            from numba import cuda

            return cuda.jit(device=True)(function)
        from numba import njit

        return njit(function)

    def install(self) -> None:
        """Make the compiler know what is in our collection."""
        self.lowering.install_registry(self.registry)


def _attempting(register: Callable[..., Any]) -> Callable[..., Any]:
    """Have what is registered written as operations that may fail."""

    def with_key(*key: Any) -> Callable[[Any], Any]:
        def decorate(write: Callable[..., Any]) -> Callable[..., Any]:
            def lower(context: Any, builder: Any, *rest: Any) -> Any:
                return attempt(builder, lambda: write(context, builder, *rest))

            register(*key)(lower)
            return write

        return decorate

    return with_key


@cache
def numba_compiler(target: str) -> NumbaCompiler:
    """The compiler of a target.

    Raises
    ------
    MissingDependency
        If it is not installed; the message says what to install.
    BindError
        If Numba simulates CUDA.
    """
    if target == "numba_cuda" and _simulated():
        raise BindError(
            "target='numba_cuda' needs Numba's compiler for CUDA, and NUMBA_ENABLE_CUDASIM=1 puts its simulator, which "
            "runs kernels as Python, in its place: unset it; no GPU is needed to bind and to compile"
        )
    try:
        contexts = _contexts(target)
        root, column = _ROOTS[target], target == "numba_cuda"
        parts = {name: import_module(f"{root}.{row[column]}") for name, row in _MODULES.items()}
        arrays = import_module(_ARRAYS[target])
    except ImportError as error:
        raise MissingDependency(f"{_MISSING[target]} ({error})") from None
    from numba import types

    return NumbaCompiler(target, types, *contexts, arrays=arrays, **parts)


def _simulated() -> bool:
    """Whether Numba runs kernels as Python."""
    try:
        from numba.core import config
    except ImportError:
        return False
    return bool(config.ENABLE_CUDASIM)


def _contexts(target: str) -> tuple[Any, Any]:
    if target == "numba":
        from numba.core.registry import cpu_target

        return cpu_target.typing_context, cpu_target.target_context
    from numba.cuda.descriptor import cuda_target

    return cuda_target.typing_context, cuda_target.target_context
