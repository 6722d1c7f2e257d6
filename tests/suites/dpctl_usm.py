"""A pytest plugin: in dpctl's test_sycl_usm.py, all memory is handed on as a view of ours."""

from __future__ import annotations

from typing import Any

import dpctl.memory as usm

import samebytes as sb

shown = 0


class Handed:
    """What a consumer sees of a view: only SUAI, as often as it asks."""

    def __init__(self, producer: Any) -> None:
        try:
            self.seen = sb.view(producer)
        except sb.ProtocolError as error:  # the class that dpctl's consumers raise for a broken dict
            raise ValueError(str(error)) from error

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        global shown
        shown += 1
        return self.seen.__sycl_usm_array_interface__


def handed(obj: Any) -> Any:
    return Handed(obj) if hasattr(type(obj), "__sycl_usm_array_interface__") else obj


def _taking_ours(cls: type) -> type:
    """A constructor of the memory class that takes what a view shows; its objects are dpctl's own."""

    def make(_: Any, other: Any, *args: Any, **how: Any) -> Any:
        return cls(handed(other), *args, **how)

    return type(cls.__name__, (), {"__new__": make})


_as_usm_memory = usm.as_usm_memory
for _name in ("MemoryUSMDevice", "MemoryUSMShared", "MemoryUSMHost"):
    setattr(usm, _name, _taking_ours(getattr(usm, _name)))
usm.as_usm_memory = lambda obj: _as_usm_memory(handed(obj))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"shown by samebytes: {shown}")
