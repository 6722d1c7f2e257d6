"""Calls of functions with ``...`` whose further arguments no format tells: sorts of values, styles, what shows them."""

from __future__ import annotations

import ctypes
import inspect
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")

HEADER = """
#include <stdarg.h>
#include <stddef.h>
typedef enum { STORE_OK, STORE_BAD } store_status;
typedef enum { STORE_LONG, STORE_TEXT, STORE_REAL, STORE_FUNCTION, STORE_PLACE, STORE_SUM } store_option;
typedef long (*store_function)(long);
typedef struct store_s *store_t;
struct point { double x, y; };
/** Sets an option. */
store_status store_set(store_t store, store_option option, ...);
/** Asks for one. */
store_status store_get(store_t store, store_option option, ...);
store_status store_make(store_t *store, int flags, ...);
store_status store_free(store_t store);
int store_log(store_t store, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int store_list(const char *first, ...) __attribute__((sentinel));
void store_note(const char *message, ...);
"""
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store.h"
struct store_s { long number; char text[64]; double real; store_function function; };
store_status store_make(store_t *store, int flags, ...) {
  if (flags < 0) return STORE_BAD;
  *store = calloc(1, sizeof **store);
  va_list list;
  va_start(list, flags);
  while (flags--) (*store)->number += va_arg(list, int);
  va_end(list);
  return STORE_OK;
}
store_status store_free(store_t store) { return free(store), STORE_OK; }
store_status store_set(store_t s, store_option option, ...) {
  va_list list;
  va_start(list, option);
  switch (option) {
    case STORE_LONG: s->number = va_arg(list, long); break;
    case STORE_TEXT: strncpy(s->text, va_arg(list, const char *), 63); break;
    case STORE_REAL: s->real = va_arg(list, double); break;
    case STORE_FUNCTION: s->function = va_arg(list, store_function); break;
    default: va_end(list); return STORE_BAD;
  }
  va_end(list);
  return STORE_OK;
}
store_status store_get(store_t s, store_option option, ...) {
  va_list list;
  va_start(list, option);
  switch (option) {
    case STORE_LONG: *va_arg(list, long *) = s->function ? s->function(s->number) : s->number; break;
    case STORE_TEXT: *va_arg(list, const char **) = s->text; break;
    case STORE_REAL: *va_arg(list, double *) = s->real; break;
    case STORE_PLACE: *va_arg(list, struct point *) = (struct point){s->real, 2 * s->real}; break;
    case STORE_SUM: { struct point p = va_arg(list, struct point); *va_arg(list, double *) = p.x + p.y; break; }
    default: va_end(list); return STORE_BAD;
  }
  va_end(list);
  return STORE_OK;
}
int store_log(store_t s, const char *fmt, ...) {
  va_list list;
  va_start(list, fmt);
  int n = vsnprintf(s->text, sizeof s->text, fmt, list);
  va_end(list);
  return n;
}
int store_list(const char *first, ...) {
  va_list list;
  va_start(list, first);
  int n = 0;
  for (const char *one = first; one; one = va_arg(list, const char *)) n += strlen(one);
  va_end(list);
  return n;
}
void store_note(const char *message, ...) {}
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    (folder / "store.h").write_text(HEADER)
    (folder / "store.c").write_text(SOURCE)
    return folder


@pytest.fixture(scope="module")
def lib(files: Path) -> Any:
    return sb.bind(files / "store.h", sources=[files / "store.c"], language="c")


@pytest.fixture(scope="module")
def api(files: Path) -> Any:
    return sb.bind(files / "store.h", sources=[files / "store.c"], style="c_api", check=True)


@pytest.fixture
def store(api: Any) -> Any:
    made = api.store_make(0)
    yield made
    api.store_free(made)


def got(api: Any, store: Any, option: Any, dtype: Any) -> Any:
    place = np.zeros(1, dtype)
    assert api.store_get(store, option, place) is None
    return place[0]


def test_outputs_before_the_dots(api: Any) -> None:
    store = api.store_make(3, 10, np.int8(-4), ctypes.c_int(36))
    assert type(store) is api.store_s
    assert got(api, store, api.STORE_LONG, np.int64) == 42
    api.store_free(store)
    with pytest.raises(sb.StatusError, match="store_make"):
        api.store_make(-1)


@pytest.mark.parametrize(
    "value",
    [
        7,
        -7,
        2**63 - 1,
        -(2**63),
        True,
        np.int16(-3),
        np.uint64(9),
        ctypes.c_long(-(2**40)),
        ctypes.c_char(b"a"),
    ],
    ids=str,
)
def test_integers(api: Any, store: Any, value: Any) -> None:
    api.store_set(store, api.STORE_LONG, value)
    whole = value.value if hasattr(value, "value") else value
    assert got(api, store, api.STORE_LONG, np.int64) == (
        ord(whole) if isinstance(whole, bytes) else int(whole)
    )


def test_an_enumerator(api: Any, store: Any) -> None:
    api.store_set(store, api.STORE_LONG, api.STORE_SUM)
    assert got(api, store, api.STORE_LONG, np.int64) == 5


@pytest.mark.parametrize(
    "value", [2.5, np.float32(0.1), np.float16(1.5), np.float64(1e300), ctypes.c_float(0.25)]
)
def test_floats(api: Any, store: Any, value: Any) -> None:
    api.store_set(store, api.STORE_REAL, value)
    assert got(api, store, api.STORE_REAL, float) == float(getattr(value, "value", value))


@pytest.mark.parametrize(
    "value", ["é text", b"bytes", ctypes.c_char_p(b"c text"), ctypes.create_string_buffer(b"room")]
)
def test_texts(api: Any, store: Any, value: Any) -> None:
    api.store_set(store, api.STORE_TEXT, value)
    place = ctypes.c_char_p()
    api.store_get(store, api.STORE_TEXT, ctypes.byref(place))
    held = getattr(value, "value", value)
    assert place.value == (held.encode() if isinstance(held, str) else held)


def test_places(api: Any, store: Any) -> None:
    api.store_set(store, api.STORE_REAL, 1.25)
    value, address, point = ctypes.c_double(), np.zeros(1), api.point()
    api.store_get(store, api.STORE_REAL, ctypes.byref(value))
    api.store_get(store, api.STORE_REAL, sb.Pointer(address))
    api.store_get(store, api.STORE_PLACE, sb.Pointer(point))
    assert (value.value, address[0], point.x, point.y) == (1.25, 1.25, 1.25, 2.5)


def test_a_record_by_value(api: Any, store: Any) -> None:
    total = np.zeros(1)
    api.store_get(store, api.STORE_SUM, api.point(1.5, 2.0).value, total)
    assert total[0] == 3.5
    with pytest.raises(
        sb.ArgumentError, match=r"argument 3: .*sb.Pointer\(x\) is its address, x.value goes by value"
    ):
        api.store_get(store, api.STORE_PLACE, api.point())


def test_callbacks(api: Any, store: Any) -> None:
    seen = []

    def doubled(n: int) -> int:
        seen.append(threading.get_ident())
        return 2 * n

    with pytest.raises(
        sb.ArgumentError, match=r"argument 3: expected a pointer to a C function.*lib.its_typedef\(f\)"
    ):
        api.store_set(store, api.STORE_FUNCTION, doubled)
    kept = api.store_function(doubled)
    api.store_set(store, api.STORE_FUNCTION, kept)
    api.store_set(store, api.STORE_LONG, 21)
    assert got(api, store, api.STORE_LONG, np.int64) == 42
    assert seen == [threading.get_ident()]

    failing = api.store_function(lambda n: 1 // 0)
    api.store_set(store, api.STORE_FUNCTION, failing)
    with pytest.raises(ZeroDivisionError):
        api.store_get(store, api.STORE_LONG, np.zeros(1, np.int64))
    api.store_set(store, api.STORE_FUNCTION, ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(lambda n: n + 1))
    api.store_set(store, api.STORE_FUNCTION, None)
    assert got(api, store, api.STORE_LONG, np.int64) == 21


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (2**64, sb.RangeError, "argument 3: expected an integer of at most 64 bits"),
    (-(2**63) - 1, sb.RangeError, "at most 64 bits"),
    ([1, 2], sb.ArgumentError, r"argument 3: .*np.array\(x, dtype\)"),
    ((1,), sb.ArgumentError, r"np.array\(x, dtype\)"),
    ({}, sb.ArgumentError, "one by one"),
    (object(), sb.ArgumentError, "Nothing says which C type"),
    (print, sb.ArgumentError, "pointer to a C function"),
    (np.array(3), sb.ArgumentError, r"x.item\(\) is its number"),
    (np.zeros((4, 4))[:, 1], sb.ArrayError, "contiguous"),
    (np.datetime64("2020"), sb.ArgumentError, "C has no such numbers"),
    (np.timedelta64(3), sb.ArgumentError, "C has no such numbers"),
    (sb.float32x3(1, 2, 3), sb.ArgumentError, "pass its parts"),
    (sb.bfloat16(1), sb.ArgumentError, r"float\(x\)"),
    ("a\0b", sb.ArgumentError, "NUL"),
    (int, sb.ArgumentError, "Nothing says which C type"),
]


@pytest.mark.parametrize(
    ("value", "error", "words"), REFUSED, ids=[f"{n} {type(r[0]).__name__}" for n, r in enumerate(REFUSED)]
)
def test_refused(api: Any, store: Any, value: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=r"(?s)store_set\(\).*" + words):
        api.store_set(store, api.STORE_LONG, value)


def test_too_few(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"(?s)store_set\(\) got 1 argument.*\*args"):
        lib.store_set(None)


def test_by_name(api: Any, store: Any) -> None:
    with pytest.raises(sb.StatusError):  # no further argument is read for it
        api.store_set(option=api.STORE_SUM, store=store)
    with pytest.raises(sb.ArgumentError, match="'value'"):
        api.store_set(store, api.STORE_LONG, value=3)


def test_a_format_by_attribute(lib: Any, api: Any, store: Any) -> None:
    assert api.store_log(store, "%d-%s", 5, "x") == 3
    place = ctypes.c_char_p()
    api.store_get(store, api.STORE_TEXT, ctypes.byref(place))
    assert place.value == b"5-x"
    with pytest.raises(sb.ArgumentError, match=r"store_log\(\) argument 3: expected an integer"):
        api.store_log(store, "%d", 2.5)
    assert lib.store_log(sb.Pointer(store), "%5.1f", 2.25) == 5


def test_a_list_that_null_ends(lib: Any) -> None:
    assert lib.store_list("ab", None) == 2
    assert lib.store_list("ab", "cde", b"f", None) == 6
    for wrong in (("ab",), ("ab", "c"), ("ab", None, "c")):
        with pytest.raises(sb.ArgumentError, match="needs None at the end"):
            lib.store_list(*wrong)
    with pytest.raises(sb.ArgumentError, match="argument 3: text is due"):
        lib.store_list("ab", "c", 5, None)


def test_what_shows_it(lib: Any, api: Any) -> None:
    assert str(inspect.signature(lib.store_set)) == "(store, option, *args)"
    assert (lib.store_set.__name__, lib.store_set.__module__) == ("store_set", "store")
    assert "Sets an option." in lib.store_set.__doc__
    shown = str(sb.explain(lib, "store_set"))
    assert "store_option option, ...)" in shown
    assert "numbers, text, addresses" in shown
    assert "numbers, text, addresses" in str(sb.explain(lib.store_set))
    for library in (lib, api):
        assert pickle.loads(pickle.dumps(library.store_set)) is library.store_set


def test_plans_are_kept(api: Any, store: Any) -> None:
    api.store_set(store, api.STORE_LONG, 1)
    known = len(api.store_set._known)
    api.store_set(store, api.STORE_LONG, 2)
    api.store_set(store, api.STORE_LONG, np.int8(2))
    assert len(api.store_set._known) == known


def test_in_cxx(tmp_path: Path) -> None:
    lib = sb.compile("""
    #include <cstdarg>
    #include <stdexcept>
    namespace ns {
    int sum(int n, ...) {
      va_list list; va_start(list, n);
      int s = 0; while (n-- > 0) s += va_arg(list, int);
      va_end(list);
      if (s < 0) throw std::invalid_argument("below zero");
      return s;
    }
    double which(double x) { return x; }
    double which(const char *kinds, ...) {
      va_list list; va_start(list, kinds);
      double s = 0;
      for (; *kinds; ++kinds) s += *kinds == 'd' ? va_arg(list, double) : va_arg(list, long);
      va_end(list);
      return s;
    }
    struct S { static int count(int n, ...) { return n; } };
    const double &pick(const double &a, int, ...) { return a; }
    }
    """)  # fmt: skip
    assert lib.ns.sum(0) == 0
    assert lib.ns.sum(8, 1, 2, 3, 4, 5, 6, 7, np.int8(-8)) == 20
    with pytest.raises(ValueError, match="below zero"):
        lib.ns.sum(1, -5)
    assert lib.ns.which(2.5) == 2.5
    assert lib.ns.which("ddl", 1.5, 2.5, 3) == 7
    assert lib.ns.which("") == 0
    assert lib.ns.pick(1.5, 2, 3) == 1.5
    assert "variable number" in str(next(s for s in lib.__skipped__ if "count" in s.name))


def test_many_threads(lib: Any) -> None:
    errors: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for i in range(200):
                assert lib.store_list("x" * n, *["ab"] * (i % 20), None) == n + 2 * (i % 20)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_compiled_code(files: Path) -> None:
    numba = pytest.importorskip("numba")
    lib: Any = sb.bind(files / "store.h", sources=[files / "store.c"], target="numba", language="c")
    set_, log = lib.store_set, lib.store_log
    for call in (lambda: set_(None, 0, 5), lambda: log(None, "x")):
        with pytest.raises(Exception, match=r"from Python alone"):
            numba.njit(call)()
