"""``a[i] = x`` where a class has several ``operator[]``: C++ chooses that by ``a`` and ``i``, and assigns then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

from ..tables import each

# Each operator[] says which one it is; and what g++ does, a function for each row.
CODE = r"""
#include <string>
inline int& said() { static int n = 0; return n; }
inline int last() { return said(); }
inline void reset() { said() = 0; }
enum Key { k0, k1 };
#define ELEMENT(N, TYPE, GIVEN) TYPE e##N{}; TYPE& operator[](GIVEN) { said() = N; return e##N; }
struct OneBase { ELEMENT(1, int, int) };
struct OtherBase { ELEMENT(2, double, double) };
struct Longs { ELEMENT(1, int, int) ELEMENT(2, long, long) };
struct Keys { ELEMENT(1, int, int) ELEMENT(2, int, Key) };
struct Floats { ELEMENT(1, int, int) ELEMENT(2, double, double) };
struct Published : OneBase, OtherBase { using OneBase::operator[]; using OtherBase::operator[]; };
struct Beside : OneBase { using OneBase::operator[]; ELEMENT(3, int, Key) };
struct Private : private OneBase { using OneBase::operator[]; };
struct Read { ELEMENT(1, int, int) long operator[](long) { said() = 2; return 0; } };
struct Constant { ELEMENT(1, int, int) double e2 = 0; double& operator[](int) const; };
inline double& Constant::operator[](int) const { said() = 2; return const_cast<double&>(e2); }
struct Place { int* p; Place& operator=(int n) { *p = n; return *this; } operator int() const { return *p; } };
struct Places { int e1 = 0; Place operator[](int) { said() = 1; return {&e1}; } ELEMENT(2, int, const char*) };
template <class T> struct Made { ELEMENT(1, int, int) ELEMENT(2, int, T) };
using MadeFloats = Made<double>;
template <class T> struct Over : Made<T> { using Made<T>::operator[]; ELEMENT(3, int, const std::string&) };
using OverFloats = Over<double>;
struct Templated { ELEMENT(1, int, int) double e2 = 0;
  template <class T> double& operator[](T) { said() = 2; return e2; } };
#define GCC(NAME, CLASS, KEY, VALUE) inline int NAME() { CLASS a; reset(); a[KEY] = VALUE; return last(); }
"""
INT, LONG, DOUBLE = (2, "2"), (np.int64(2), "2L"), (2.5, "2.5")
WRITTEN = [  # the class, the key and the value in Python and in C++
    *[("Longs", key, value) for key in (INT, LONG) for value in (INT, LONG)],
    ("Keys", INT, INT), ("Keys", (1, "k1"), INT), ("Keys", LONG, INT),
    ("Floats", INT, INT), ("Floats", DOUBLE, INT), ("Floats", DOUBLE, DOUBLE),
    ("Published", INT, INT), ("Published", DOUBLE, DOUBLE), ("Published", DOUBLE, INT),
    ("Beside", INT, INT), ("Beside", (1, "k1"), INT), ("Private", INT, INT),
    ("Read", INT, INT), ("Constant", INT, INT),
    ("Places", INT, INT), ("Places", ("a", '"a"'), INT),
    ("MadeFloats", INT, INT), ("MadeFloats", DOUBLE, INT),
    ("OverFloats", INT, INT), ("OverFloats", DOUBLE, INT), ("OverFloats", ("a", '"a"'), INT),
    ("Templated", INT, INT),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    asked = (f"GCC(gcc{i}, {cls}, {key}, {value})" for i, (cls, (_, key), (_, value)) in enumerate(WRITTEN))
    return sb.compile(CODE + "\n".join(asked))


@each("row", range(len(WRITTEN)))
def test_the_subscript_chooses_as_in_gcc(lib: Any, row: int) -> None:
    name, (key, cxx), (value, _) = WRITTEN[row]
    expected = getattr(lib, f"gcc{row}")()
    made = getattr(lib, name)()
    key = lib.Key(key) if cxx == "k1" else key
    for _ in range(2):  # also as the core remembers it
        lib.reset()
        made[key] = value
        assert lib.last() == expected
        assert made[key] == value
        assert lib.last() == expected


@each(
    "name, key, value, words",
    [
        ("Read", np.int64(2), 5, r"means long Read::operator\[\]\(long arg0\): C\+\+ assigns nothing"),
        ("Floats", 2, 2.5, r"argument 2 'value': expected int32"),  # and not the element of 2.0
        ("Constant", 2, 2.5, r"argument 2 'value': expected int32"),
        ("Published", np.int64(2), 5, r"is ambiguous"),
        ("Templated", np.int64(2), 5, r"C\+\+ may mean a template"),
    ],
)
def test_no_other_one_is_written(lib: Any, name: str, key: Any, value: Any, words: str) -> None:
    made = getattr(lib, name)()
    for _ in range(2):
        lib.reset()
        with pytest.raises(sb.ArgumentError, match=words):
            made[key] = value
        assert lib.last() == 0
        made[2] = 3  # which the core remembers
        assert lib.last() == 1
