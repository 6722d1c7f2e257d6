"""Every operator of C++, member and free, plain and template: by Python's sign, by its own name, or skipped."""

from __future__ import annotations

from types import ModuleType

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "&",
    "|",
    "<",
    ">",
    "<<",
    ">>",
    "==",
    "!=",
    "<=",
    ">=",
    "&&",
    "||",
    ",",
    "->*",
]
ASSIGNING = ["+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>="]
UNARY = ["~", "!", "+", "-", "*", "&", "++", "--"]
LACKING = ["&&", "||", ",", "->*"]  # of Python, of two operands
MEMBERS = [
    *(f"double operator{sign}(int i) const {{ return n + i; }}" for sign in BINARY),
    *(f"double operator{sign}(int i) {{ return n + i; }}" for sign in [*ASSIGNING, "[]", "()", "="]),
    *(f"double operator{sign}() {{ return n; }}" for sign in UNARY),
    *(f"double operator{sign}(int) {{ return -n; }}" for sign in ("++", "--")),
    "By* operator->() { return this; }",
    *(
        f"void* operator {word}(std::size_t size) {{ return ::operator new(size); }}"
        for word in ("new", "new[]")
    ),
    *(f"void operator {word}(void* p) {{ ::operator delete(p); }}" for word in ("delete", "delete[]")),
]
FREE = [
    *(
        f"inline double operator{sign}(Free& a, int i) {{ return a.n + i; }}"
        for sign in [*BINARY, *ASSIGNING]
    ),
    *(f"inline double operator{sign}(Free& a) {{ return a.n; }}" for sign in UNARY if sign != "&"),
    *(f"inline double operator{sign}(Free& a, int) {{ return -a.n; }}" for sign in ("++", "--")),
]
TEMPLATES = [f"template <class T> double operator{sign}(T t) const {{ return n + t; }}" for sign in BINARY]
FREE_TEMPLATES = [
    f"template <class T> double operator{sign}(const FreeTemplate& a, T t) {{ return a.n + t; }}"
    for sign in BINARY
]
LINE = "\n"
CODE = f"""
#include <cstddef>
struct By {{
  int n = 3;
  ~By() {{}}
  {LINE.join(MEMBERS)}
}};
struct Free {{ int n = 3; ~Free() {{}} }};
{LINE.join(FREE)}
inline int operator""_times(unsigned long long v) {{ return 2 * static_cast<int>(v); }}
struct Template {{
  int n = 3;
  {LINE.join(TEMPLATES)}
}};
struct FreeTemplate {{ int n = 3; }};
{LINE.join(FREE_TEMPLATES)}
"""


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    with pytest.warns(sb.BindWarning, match="C.. calls it when it makes and destroys objects"):
        return sb.compile(CODE)


@pytest.mark.parametrize("sign", [*BINARY, *ASSIGNING, "[]", "()", "="])
def test_members_with_an_operand(lib: ModuleType, sign: str) -> None:
    assert getattr(lib.By(), f"operator{sign}")(4) == 7


@pytest.mark.parametrize("sign", UNARY)
def test_members_without(lib: ModuleType, sign: str) -> None:
    assert getattr(lib.By(), f"operator{sign}")() == 3


@pytest.mark.parametrize("sign", [*BINARY, *ASSIGNING])
def test_functions_of_two(lib: ModuleType, sign: str) -> None:
    assert getattr(lib, f"operator{sign}")(lib.Free(), 4) == 7


@pytest.mark.parametrize("sign", [sign for sign in UNARY if sign != "&"])
def test_functions_of_one(lib: ModuleType, sign: str) -> None:
    assert getattr(lib, f"operator{sign}")(lib.Free()) == 3


@pytest.mark.parametrize("sign", ["++", "--"])
def test_what_stands_behind(lib: ModuleType, sign: str) -> None:
    assert getattr(lib.By(), f"operator{sign}")(0) == getattr(lib, f"operator{sign}")(lib.Free(), 0) == -3


@pytest.mark.parametrize("sign", LACKING)
def test_templates_of_what_python_lacks(lib: ModuleType, sign: str) -> None:
    assert getattr(lib.Template(), f"operator{sign}")(4.5) == 7.5
    assert getattr(lib, f"operator{sign}")(lib.FreeTemplate(), 4.5) == 7.5


@pytest.mark.parametrize("sign", [sign for sign in BINARY if sign not in LACKING])
def test_templates_of_what_python_has(lib: ModuleType, sign: str) -> None:
    assert eval(f"a {sign} 4.5", {"a": lib.Template()}) == 7.5
    assert eval(f"a {sign} 4.5", {"a": lib.FreeTemplate()}) == 7.5


def test_the_rest(lib: ModuleType) -> None:
    by = lib.By()
    assert getattr(by, "operator->")() is by
    assert getattr(lib, 'operator""_times')(4) == 8
    skipped = {str(s.name).partition("(")[0]: s.reason for s in lib.__skipped__}
    words = [f"By::operator {word}" for word in ("new", "new[]", "delete", "delete[]")]
    assert [skipped[word] for word in words] == ["C++ calls it when it makes and destroys objects"] * 4
