"""As test_changed_while_read.py, of what C takes by lists, structures and further arguments."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

_spec = importlib.util.spec_from_file_location(
    "changed", Path(__file__).with_name("test_changed_while_read.py")
)
assert _spec is not None
assert _spec.loader is not None
changed = sys.modules["changed"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(changed)

TENSOR = """
typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct {
  void* data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t* shape; int64_t* strides;
  uint64_t byte_offset;
} DLTensor;
"""
HEADER = f"""
#include <stddef.h>
#include <stdint.h>
{TENSOR}
double of_further(int n, ...);
double of_extra(void** extra, const double* later);
double of_params(void** kernelParams, const double* later);
double of_pointers(double** list, const double* later);
double of_tensor(const DLTensor* x, const double* later);
double of_written(DLTensor* x, const double* later);
"""
SOURCE = """
#include <stdarg.h>
#include "listed.h"
static double four(const double* p) { return p[0] + p[1] + p[2] + p[3]; }
double of_further(int n, ...) {
  va_list all;
  va_start(all, n);
  const double* p = va_arg(all, const double*);
  (void)va_arg(all, void*);
  va_end(all);
  return four(p);
}
double of_extra(void** extra, const double* later) { return four(*(double**)extra[1]); }
double of_params(void** params, const double* later) { return four(*(double**)params[0]); }
double of_pointers(double** list, const double* later) { return four(list[0]); }
double of_tensor(const DLTensor* x, const double* later) { return four((const double*)x->data); }
double of_written(DLTensor* x, const double* later) {
  for (int i = 0; i < 4; ++i) ((double*)x->data)[i] = 7;
  return 4;
}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("listed")
    (folder / "listed.h").write_text(HEADER)
    (folder / "listed.c").write_text(SOURCE)
    made = folder / "liblisted.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, folder / "listed.c"], check=True)
    return sb.bind(folder / "listed.h", library=made, style="c_api")


# What is called with an array, and with the object whose conversion changes the array.
CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "further": lambda lib, x, later: lib.of_further(2, x, later),
    "further Pointer": lambda lib, x, later: lib.of_further(2, sb.Pointer(x), later),
    "extra": lambda lib, x, later: lib.of_extra([x], later),
    "extra by its own list": lambda lib, x, later: lib.of_extra([x, later], None),
    "extra of a Pointer": lambda lib, x, later: lib.of_extra([sb.Pointer(x)], later),
    "LaunchExtra": lambda lib, x, later: lib.of_extra(sb.LaunchExtra([x]), later),
    "parameters": lambda lib, x, later: lib.of_params([x], later),
    "parameters by their own list": lambda lib, x, later: lib.of_params([x, later], None),
    "KernelParams": lambda lib, x, later: lib.of_params(sb.KernelParams([x]), later),
    "list": lambda lib, x, later: lib.of_pointers([x], later),
    "list of a Pointer": lambda lib, x, later: lib.of_pointers([sb.Pointer(x)], later),
    "ListOfPointer": lambda lib, x, later: lib.of_pointers(sb.ListOfPointer([sb.Pointer(x)]), later),
    "DLTensor": lambda lib, x, later: lib.of_tensor(x, later),
    "DLTensor of a view": lambda lib, x, later: lib.of_tensor(sb.view(x), later),
    "written DLTensor": lambda lib, x, later: lib.of_written(x, later),
}


@pytest.mark.parametrize("change", changed.CHANGES)
@pytest.mark.parametrize("later", changed.LATER)
@pytest.mark.parametrize("call", CALLS)
def test_a_later_argument_resizes_an_earlier_one(lib, call, later, change):
    quiet = changed.Disturbed(lambda x: None)
    assert CALLS[call](lib, quiet.x, changed.LATER[later](quiet)) in (4, (4,))
    for _ in range(2):
        disturbed = changed.Disturbed(changed.CHANGES[change])
        given = changed.LATER[later](disturbed)

        def run(x: Any = disturbed.x, given: Any = given) -> Any:
            found = CALLS[call](lib, x, given)
            return found[0] if isinstance(found, tuple) else found

        changed.outcome(run, disturbed)
        assert disturbed.there, "nothing ran"


def test_pointers_that_own_each_other_cost_little(lib):
    kept = sb.Pointer(np.ones(4))
    for _ in range(3000):
        kept = sb.ListOfPointer(sb.Pointer(int(kept), owner=(kept, kept)))
    assert lib.of_params(sb.KernelParams([sb.Pointer(int(kept), owner=kept)]), None) in (4, (4,))


def test_a_list_that_grows_while_its_elements_are_read() -> None:
    lib = sb.compile(
        """
        #include <vector>
        enum class Color : int { red, green };
        long count(const std::vector<Color>& colors) { return long(colors.size()); }
        """
    )
    colors = [lib.Color.red, lib.Color.green]

    def grow(self: Any) -> int:
        colors.extend([lib.Color.red] * 1000)
        return 1

    lib.Color._value_ = property(grow)
    assert lib.count(colors) == 2
    assert len(colors) > 2


class Late:
    """A number in an array of no dimensions, which does something when it is looked at."""

    def __init__(self, value: int, act: Callable[[], Any]) -> None:
        self.array, self.act = np.array(value, "i4"), act

    @property
    def shape(self) -> tuple[int, ...]:
        self.act()
        return ()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.array


@pytest.mark.parametrize("change", [lambda x: x.append(9), lambda x: x.pop(), list.clear])
def test_a_list_that_changes_while_it_becomes_a_part_of_a_value(change: Callable[[list[Any]], Any]) -> None:
    lib = sb.compile(
        """
        #include <utility>
        #include <vector>
        struct Rows { int a[3]; int b[3]; };
        inline long count(const std::vector<std::pair<int, int>>& v) { return long(v.size()); }
        inline int pair(std::pair<int, int> p) { return 10 * p.first + p.second; }
        """
    )

    def rows(values: list[int]) -> list[Any]:
        made: list[Any] = []
        made.extend([Late(values[0], lambda: len(made) == len(values) and change(made)), *values[1:]])
        return made

    made = lib.Rows(rows([1, 2, 3]), rows([4, 5, 6]))
    assert (tuple(made.a), tuple(made.b)) == ((1, 2, 3), (4, 5, 6))
    assert lib.pair(rows([1, 2])) == 12
    pairs: list[Any] = [(1, 2), (3, 4)]
    pairs[0] = (Late(1, lambda: pairs.append(pairs[0])), 2)
    assert lib.count(pairs) == 2
    assert sb.pack(rows([1, 2, 3]), sb.int32x3) == bytes(sb.int32x3(1, 2, 3))


def test_a_list_of_a_launch_that_grows_while_its_arguments_are_looked_at() -> None:
    late = Late(3, lambda: args.append(1))
    args: list[Any] = [late]
    assert isinstance(sb.KernelParams(args, types=[sb.int32]), sb.Pointer)
    assert args == [late, *[1] * (len(args) - 1)]
    assert len(args) > 1
