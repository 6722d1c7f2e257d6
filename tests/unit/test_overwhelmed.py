"""What says nothing about the object that is asked, as RecursionError, passes through a protocol once and unchanged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <samebytes/array.hpp>
#include <map>
#include <string>
#include <vector>
struct R { int a; double b; };
inline double array(samebytes::array<const double, 1> a) { return a.size(); }
inline double pointer(const double* a) { return 1; }
inline double many(const std::vector<double>& a) { return a.size(); }
inline double named(const std::map<int, double>& a) { return a.size(); }
inline int whole(int x) { return x; }
inline double real(double x) { return x; }
inline double either(int x) { return x; }
inline double either(double x) { return x; }
inline double either(const std::vector<double>& x) { return x.size(); }
inline int record(R x) { return x.a; }
inline int text(const std::string& s) { return s.size(); }
struct Box { double d; std::vector<double> v; Box() {} ~Box() {} explicit Box(double d) : d(d) {} };
"""

# By name: whether it is an attribute, or a method.
ATTRIBUTES = [
    "__array_interface__",
    "__cuda_array_interface__",
    "__sycl_usm_array_interface__",
    "__dlpack_device__",
    "__dlpack__",
    "dtype",
    "shape",
    "__fspath__",
]
METHODS = [
    "__dlpack__",
    "__index__",
    "__float__",
    "__len__",
    "__iter__",
    "__getitem__",
    "__array__",
    "__getattr__",
]


class Stop(BaseException):
    """No Exception, as KeyboardInterrupt."""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def _box(lib: Any, value: Any) -> None:
    lib.Box().v = value


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    **{
        name: lambda lib, value, name=name: getattr(lib, name)(value)  # type: ignore[misc]
        for name in ("array", "pointer", "many", "named", "whole", "real", "either", "record", "text", "Box")
    },
    "field": _box,
    "view": lambda lib, value: sb.view(value),
    "pack": lambda lib, value: sb.pack(value, sb.float64),
    "list": lambda lib, value: lib.many([1.0, value]),
}


def _asked(name: str, method: bool, answer: Callable[[], Any]) -> tuple[Any, list[int]]:
    """An object, and how often it was asked."""
    asked: list[int] = []

    def get(self: Any, *args: Any, **kwargs: Any) -> Any:
        asked.append(1)
        return answer()

    members: dict[str, Any] = {name: get if method else property(get)}
    if name == "__dlpack__":
        members["__dlpack_device__"] = lambda self: (1, 0)
    elif name == "__dlpack_device__":
        members["__dlpack__"] = lambda self, **kwargs: np.zeros(3).__dlpack__()
    return type("Asked", (), members)(), asked


ASKED = [*((name, False) for name in ATTRIBUTES), *((name, True) for name in METHODS)]


def _raised(call: Callable[[], Any]) -> BaseException | None:
    try:
        call()
    except BaseException as error:
        return error
    return None


@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyboardInterrupt, Stop])
@pytest.mark.parametrize("call", CALLS)
def test_it_passes_through_once(lib: Any, call: str, error: type[BaseException]) -> None:
    for name, method in ASKED:

        def answer() -> Any:
            raise error("from the object")

        obj, asked = _asked(name, method, answer)
        raised = _raised(lambda: CALLS[call](lib, obj))  # noqa: B023
        if isinstance(raised, sb.Error) or raised is None:
            assert not asked, name
        else:
            assert (type(raised), str(raised), len(asked)) == (error, "from the object", 1), name


@pytest.mark.parametrize("call", ["array", "pointer", "many", "either", "view"])
@pytest.mark.parametrize("name", ["__array_interface__", "__cuda_array_interface__", "__dlpack__"])
def test_an_object_that_asks_for_itself(lib: Any, call: str, name: str) -> None:
    obj, asked = _asked(name, name == "__dlpack__", lambda: CALLS[call](lib, obj))
    with pytest.raises(RecursionError):
        CALLS[call](lib, obj)
    assert 10 < len(asked) < 2000  # once at each level of the stack, and not twice at each


def test_other_errors_are_the_objects(lib: Any) -> None:
    def answer() -> Any:
        raise LookupError("no such array")

    obj, _ = _asked("__array_interface__", False, answer)
    with pytest.raises((sb.Error, LookupError), match="no such array"):
        lib.array(obj)
