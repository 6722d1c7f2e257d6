"""DeviceArray: an array in memory of its own, or at an address, on any device (HIP Python, "DeviceArray")."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _native
from ...arrays.memory import find_memory, memory_of
from ...arrays.view import ArrayView, Device
from . import configuring, transfer
from .allocation import allocated, memory_like
from .method_errors import names_method
from .pointer_rule import pointing, shown_view, stands, words_of
from .shown_array import HIP, ShownArray


class DeviceArray(ShownArray):
    """A pointer to an array on a device: allocated by the device's own library, or described by its producer.

    Parameters
    ----------
    obj : object
        Asked in this order: None (null); a ``Pointer``, an int, a ``ctypes.c_void_p``: an address alone, without shape
        and type until :meth:`configure` says them; an object with the CUDA Array Interface, a buffer,
        DLPack, SUAI or ``__array_interface__``: its memory, shape and type. A DeviceArray gives its own.
    device : str or Device
        Where an address alone is; HIP's first device unless said otherwise.

    Raises
    ------
    ArgumentError, RangeError
        If the object stands for no address.

    Notes
    -----
    :meth:`empty`, :meth:`zeros`, :meth:`from_host` and :meth:`asarray` allocate. Slices share the memory and keep it
    alive; it is given back once, by the function of the library that allocated it. All protocols show the array.
    """

    def __init__(self, obj: Any = None, *, device: Any = HIP) -> None:
        at = device if isinstance(device, Device) else transfer.device_named(device)
        seen = obj._array if isinstance(obj, _native.Shown) else None
        if not (obj is None or stands(obj)):
            with words_of(type(self)):
                seen = shown_view(obj)
        if seen is not None:
            found: tuple[Any, ...] = seen.ptr, seen
        elif isinstance(obj, _native.Pointer):  # it says itself what it keeps, and whether that is const
            found = (obj,)
        else:
            found = pointing(obj, adapter=type(self).__name__)
        self._array = None
        super().__init__(*found)
        self._at, self._array = at, seen

    # --- memory of its own

    @classmethod
    @names_method(".empty()")
    def empty(
        cls, shape: Any, dtype: Any = np.float64, *, device: Any = "cpu", kind: str | None = None,
        align: int | None = None, order: str = "C", strides: Any = None,
    ) -> DeviceArray:  # fmt: skip
        """An array with elements of any value.

        Parameters
        ----------
        shape : int or tuple of int
            Elements.
        dtype : object
            A NumPy dtype, a type of ours, a vector, an ``@sb.struct`` class …
        device : object
            ``"cpu"`` (NumPy), ``"cuda:0"`` (cuda.core), ``"hip:0"`` (HIP Python), ``"sycl"`` or ``"sycl:"`` and a
            filter string (dpctl), a view's ``device``, or a dpctl queue.
        kind : str, optional
            ``"device"``, ``"shared"`` (managed) or ``"host"`` (pinned); by default the device's first.
        align : int, optional
            Bytes, a power of two; at least the type's own, and 64 on the host.
        order : str
            ``"C"`` or ``"F"``.
        strides : tuple of int, optional
            Elements, in place of ``order``.

        Raises
        ------
        MissingDependency
            If the device's library is not installed.
        AllocationError
            If it gives no memory.
        """
        return cls._of(allocated(shape, dtype, *find_memory(device), kind, align, order, strides))

    @classmethod
    @names_method(".zeros()")
    def zeros(cls, shape: Any, dtype: Any = np.float64, **how: Any) -> DeviceArray:
        """An array of zero bytes, gaps between strides included; ``how`` as for :meth:`empty`."""
        made = cls.empty(shape, dtype, **how)
        transfer.clear(made._view())
        return made

    @classmethod
    @names_method(".from_host()")
    def from_host(cls, obj: Any, dtype: Any = None, **how: Any) -> DeviceArray:
        """A copy of an array on the host; ``how`` as for :meth:`empty`."""
        array = transfer.host_copy(obj, dtype)
        made = cls.empty(array.shape, array.dtype if dtype is None else dtype, **how)
        made.copy_from_host(array)
        return made

    @classmethod
    @names_method(".asarray()")
    def asarray(cls, obj: Any, *, device: Any = None, **how: Any) -> DeviceArray:
        """The array itself where it is on that device (or no device is named), else a copy there."""
        if isinstance(obj, cls):
            seen: ArrayView | None = obj._view()
        else:
            with words_of(cls):
                seen = None if isinstance(obj, list | tuple | int | float | complex) else shown_view(obj)
        if seen is None:
            return cls.from_host(obj, device="cpu" if device is None else device, **how)
        if device is None or (find_memory(device)[0] is memory_of(seen.device) and not how):
            return obj if isinstance(obj, cls) else cls._of(seen)
        made = cls.empty(seen.shape, transfer.words_for(seen), device=device, **how)
        made.copy_from_host(transfer.to_host(seen))
        return made

    @names_method(".configure()")
    def configure(
        self, *, shape: Any = None, typestr: Any = None, strides: Any = None, itemsize: int | None = None,
        stream: Any = configuring.UNCHANGED, read_only: bool | None = None, _force: bool = False,
    ) -> DeviceArray:  # fmt: skip
        """Say anew which array is at the address; what is not named stays. Nothing changes if anything is refused.

        Parameters
        ----------
        shape : int or tuple of int
            Elements.
        typestr : str or dtype
            The element type, as NumPy names it: ``"<f4"``, ``"float32"``.
        strides : tuple of int
            Bytes, as in the CUDA Array Interface; C order where only the shape is named.
        itemsize : int
            Bytes of an element; alone, it makes the elements raw bytes.
        stream : int or None
            On which the data is ready; None: it is.
        read_only : bool
        _force : bool
            The number of bytes may change: needed where nothing says how many there are.

        Returns
        -------
        DeviceArray
            This one.

        Raises
        ------
        ArrayError
            If these contradict each other or the bytes that are there.
        """
        said = configuring.Redescription(shape, typestr, strides, itemsize, stream, read_only)
        self._array = configuring.configured(self, self._at, said, force=_force)
        return self

    # --- copies

    @names_method(".copy()")
    def copy(self) -> DeviceArray:
        """The elements in new memory of the same device, in C order."""
        seen = self._view()
        made = memory_like(seen)
        transfer.move(made, seen)
        return self._of(made)

    @names_method(".copy_to_host()")
    def copy_to_host(self, out: Any = None) -> np.ndarray[Any, Any]:
        """The elements as a NumPy array: a new one, or ``out``, of the same shape and dtype."""
        return transfer.to_host(self._view(), out)

    @names_method(".copy_from_host()")
    def copy_from_host(self, obj: Any) -> DeviceArray:
        """Overwrite the elements with those of an array on the host, of the same shape and dtype; a list is converted.

        Raises
        ------
        ArrayError
            If shape or dtype differ, or this array is read-only.
        """
        transfer.from_host(self._view(), obj)
        return self
