"""What callables get for references to numbers: of a const T& and a T&& the number itself, as of a T."""

from __future__ import annotations

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_callbacks.py is the quick one

TYPES = {
    "int": "-7", "unsigned char": "200", "char": "'c'", "signed char": "-3", "bool": "true", "double": "2.5",
    "float": "0.5f", "long": "1L << 40", "unsigned long": "~0ul", "short": "-300", "Mood": "Mood::angry", "Old": "high",
    "wchar_t": "L'x'", "char16_t": "u'y'",
}  # fmt: skip
ROWS = "".join(
    f"""
inline void value{i}(const std::function<void({t})>& f) {{ f({x}); }}
inline void cref{i}(const std::function<void(const {t}&)>& f) {{ f({x}); }}
inline void rref{i}(std::function<void({t}&&)> f) {{ f({x}); }}
inline int cpointer{i}(int (*f)(const {t}&, {t}&&)) {{ return f({x}, {x}); }}
"""
    for i, (t, x) in enumerate(TYPES.items())
)
SOURCE = f"""
#include <functional>
#include <vector>
enum class Mood : short {{ calm, angry = -5 }};
enum Old {{ low, high = 7 }};
{ROWS}
template <class T> class Tree {{
  T t;
 public:
  explicit Tree(T t) : t(t) {{}}
  void visit(const std::function<void(const T&)>& f) const {{ f(t); }}
}};
using Ints = Tree<int>;
inline int change(std::function<void(int&)> f) {{ int x = 3; f(x); return x; }}
inline double mean(std::function<double(const double&, const double&)> f) {{ return f(1, 2); }}
"""


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


@pytest.mark.parametrize("row", range(len(TYPES)), ids=list(TYPES))
def test_they_get_what_a_value_is(lib: sb.Library, row: int) -> None:
    got: list[object] = []
    getattr(lib, f"value{row}")(got.append)
    getattr(lib, f"cref{row}")(got.append)
    getattr(lib, f"rref{row}")(got.append)
    getattr(lib, f"cpointer{row}")(lambda a, b: got.extend([a, b]) or 1)
    first = got[0]
    assert len(got) == 5
    assert all(type(one) is type(first) and one == first for one in got)


def test_of_a_class_template(lib: sb.Library) -> None:
    got: list[int] = []
    lib.Ints(5).visit(got.append)
    assert got == [5]
    assert lib.mean(lambda a, b: (a + b) / 2) == 1.5


def test_what_cpp_may_change_is_a_pointer(lib: sb.Library) -> None:
    got: list[object] = []
    assert lib.change(got.append) == 3
    assert isinstance(got[0], sb.Pointer)
