"""What Python callables raise that C++ calls from compiled code: raised where the call of C++ stands, as in Python.

C++ may have got a callable long before, so that no signature tells which calls may come to one. From the first one on
each call says to the core that it begins and that it is over; until then it reads one byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ... import _native
from ..attempts import leave_failed
from ..datamodel.models import BYTE
from .site import Site

_CODE = ir.IntType(32)


class CallbackFailure(Exception):
    """Stands for what a callable raised, which is what Python gets where it makes one."""

    def __new__(cls, *arguments: Any) -> Any:
        return _native.take_failure() or RuntimeError("a Python callable failed that C++ called")


@dataclass
class CallbackScope:
    """One call of C++, on the CPU.

    Attributes
    ----------
    place : address
        What the core notes about the call.
    expected : i1
        Whether there is a callable at all.
    """

    site: Site
    place: Any
    expected: Any

    @classmethod
    def enter(cls, site: Site, nothrow: bool) -> CallbackScope:
        """Before the call; ``nothrow``: an exception of C++ would end the process."""
        flag = site.context.add_dynamic_addr(site.builder, _native.CALLBACKS_ARE_EXPECTED, info="callbacks")
        byte = site.builder.load(site.at(flag, BYTE))
        scope = cls(site, site.stack(_native.SCOPE_SIZE, 16), site.builder.icmp_unsigned("!=", byte, BYTE(0)))
        with site.builder.if_then(scope.expected, likely=False):
            scope._call(_native.ENTER_COMPILED, ir.VoidType(), scope.place, _CODE(int(nothrow)))
        return scope

    def leave(self) -> Any:
        """After the call: whether a callable has failed."""
        found = self.site.compiler.cgutils.alloca_once_value(self.site.builder, _CODE(0))
        self.site.builder.store(_CODE(0), found)
        with self.site.builder.if_then(self.expected, likely=False):
            self.site.builder.store(self._call(_native.LEAVE_COMPILED, _CODE, self.place), found)
        return self.site.builder.icmp_unsigned("!=", self.site.builder.load(found), _CODE(0))

    def raise_failure(self, failed: Any, undo: Callable[[], None]) -> None:
        """Raise what a callable raised, if one has failed; ``undo`` writes what gives back the result."""
        builder, convention = self.site.builder, self.site.context.call_conv
        with builder.if_then(failed, likely=False):
            undo()
            with builder.if_then(convention.check_try_status(builder).in_try):  # nobody is shown it
                self._call(_native.DROP_FAILURE, ir.VoidType())
            convention.set_static_user_exc(builder, CallbackFailure)
            leave_failed(self.site.context, builder)

    def _call(self, address: int, result: ir.Type, *arguments: Any) -> Any:
        site = self.site
        form = ir.FunctionType(result, [a.type for a in arguments]).as_pointer()
        function = site.context.add_dynamic_addr(site.builder, address, info="callbacks")
        return site.builder.call(site.builder.bitcast(function, form), arguments)
