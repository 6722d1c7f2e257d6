"""SYCL's unified shared memory, allocated by dpctl: of the device, shared and of the host."""

from __future__ import annotations

import importlib
from typing import Any

from ..view import ArrayView, Device, Usm
from ..view.device import ONEAPI
from ..view.sycl import capsule_name, syclobj_of
from .base import Block, Bytes, Memory

_CLASSES = {"device": "MemoryUSMDevice", "shared": "MemoryUSMShared", "host": "MemoryUSMHost"}


def _queue(where: Any) -> Any:
    """A queue from a filter string, a queue, a context, or a capsule of these."""
    dpctl = importlib.import_module("dpctl")
    if isinstance(where, str):
        return dpctl.SyclQueue(where) if where and not where.isdigit() else dpctl.SyclQueue()
    capsule = where._get_capsule() if hasattr(where, "_get_capsule") else where
    if capsule_name(capsule) == "SyclQueueRef":
        return dpctl.SyclQueue(capsule)
    context = dpctl.SyclContext(capsule)
    return dpctl.SyclQueue(context, context.get_devices()[0])


class _Sycl(Memory):
    name = "sycl"
    kinds = dict.fromkeys(_CLASSES, ONEAPI)
    package, install = "dpctl.memory", "dpctl"

    def place(self, view: ArrayView) -> Any:
        found = syclobj_of(view)
        return found._get_capsule() if found is not None else ""

    def accepts(self, device: Any) -> bool:
        return type(device).__module__.partition(".")[0] == "dpctl" and hasattr(device, "_get_capsule")

    def allocate(self, where: Any, kind: str, nbytes: int, align: int) -> Block:
        memory = self.library()
        with self.translating_errors(
            f"allocate {nbytes} bytes of kind {kind!r} on {where or 'the default device'}"
        ):
            queue = _queue(where)
            made = getattr(memory, _CLASSES[kind])(nbytes, alignment=align, queue=queue)
        return Block(int(made._pointer), self.device(kind, 0), Usm(made, queue))

    def device(self, kind: str, number: int) -> Device:
        return Device(ONEAPI, number, kind)

    def _taken(self, span: ArrayView) -> Any:
        with self.translating_errors("open the allocation"):
            return self.library().as_usm_memory(span)

    def read(self, span: ArrayView, room: Bytes) -> None:
        with self.translating_errors(f"copy {span.size} bytes"):
            self._taken(span).copy_to_host(room)

    def write(self, span: ArrayView, data: Bytes) -> None:
        with self.translating_errors(f"copy {span.size} bytes"):
            self._taken(span).copy_from_host(data)

    def move(self, target: ArrayView, source: ArrayView) -> None:
        with self.translating_errors(f"copy {target.size} bytes"):
            self._taken(target).copy_from_device(self._taken(source))


MEMORY = _Sycl()
