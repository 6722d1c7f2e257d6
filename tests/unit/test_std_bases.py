"""Classes that derive from classes of ``std`` have what these have: ``what()``, ``code()``, the names of categories."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

from ..tables import each

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
struct Plain : std::exception {};
struct Text : std::runtime_error { using std::runtime_error::runtime_error; };
struct Deeper : Text { int depth = 2; explicit Deeper(const std::string& s) : Text(s) {} };
struct Logic : std::logic_error { explicit Logic(const char* s) : std::logic_error(s) {} };
struct Place : std::out_of_range { using std::out_of_range::out_of_range; };
struct Own : std::exception { const char* what() const noexcept override { return "own"; } };
struct Virtual : virtual std::exception { int n = 1; };
struct Both : Text { Both() : Text("both") {} virtual int what(int) const { return 1; } };
class Private : std::runtime_error { public: Private() : std::runtime_error("no") {} };
struct System : std::system_error { System() : std::system_error(2, std::generic_category(), "system") {} };
struct Category : std::error_category {
  const char* name() const noexcept override { return "mine"; }
  std::string message(int n) const override { return "number " + std::to_string(n); }
};
struct Tagged : std::input_iterator_tag { int n; };
inline std::string told(const std::exception& e) { return e.what(); }
inline std::string told_text(const std::runtime_error& e) { return e.what(); }
inline void fail(int which) {
  if (which == 0) throw Text("thrown");
  if (which == 1) throw std::runtime_error("plain");
  if (which == 2) throw Deeper("deep");
}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


VALUES = (
    ("lib.Plain().what()", "std::exception"),
    ("lib.Text('x').what()", "x"),
    ("lib.Deeper('d').what()", "d"),
    ("lib.Logic('l').what()", "l"),
    ("lib.Place('p').what()", "p"),
    ("lib.Own().what()", "own"),
    ("lib.Virtual().what()", "std::exception"),
    ("lib.System().what()", "system: No such file or directory"),
    ("lib.Category().name()", "mine"),
    ("lib.Category().message(7)", "number 7"),
    ("lib.Tagged(3).n", 3),
    ("lib.told(lib.Place('p'))", "p"),
    ("lib.told_text(lib.Deeper('d'))", "d"),
    ("lib.told_text(lib.std.runtime_error('r'))", "r"),
    ("issubclass(lib.Deeper, lib.std.runtime_error)", True),
    ("issubclass(lib.std.runtime_error, lib.std.exception)", True),
    ("hasattr(lib.Private(), 'what')", False),
    ("hasattr(lib.std, 'input_iterator_tag')", False),
)


@each("expression, value", VALUES)
def test_members_of_the_base_are_there(lib: Any, expression: str, value: object) -> None:
    assert eval(expression, {"lib": lib}) == value


def test_a_name_of_its_own_hides_the_base_s(lib: Any) -> None:
    assert lib.Both().what(1) == 1
    with pytest.raises(TypeError):
        lib.Both().what()


def test_another_base_is_refused(lib: Any) -> None:
    with pytest.raises(TypeError, match=r"expected an object of std::runtime_error"):
        lib.told_text(lib.Logic("l"))


def test_python_derives_from_them(lib: Any) -> None:
    class Mine(lib.std.exception):  # type: ignore[misc, name-defined]
        def what(self) -> str:
            return "of Python"

    assert lib.told(Mine()) == "of Python"


def test_what_is_thrown_has_it_too(lib: Any) -> None:
    with pytest.raises(lib.Text.exception) as error:
        lib.fail(2)
    assert (error.value.what(), error.value.depth) == ("deep", 2)
    with pytest.raises(RuntimeError) as plain:  # of a class of std: the built-in exception, as ever
        lib.fail(1)
    assert (type(plain.value), plain.value.args) == (RuntimeError, ("plain",))  # type: ignore[comparison-overlap]
    assert lib.Text.exception.__mro__[2:4] == (RuntimeError, Exception)
    with pytest.raises(AttributeError, match=r"class std::runtime_error is a RuntimeError of Python's"):
        lib.std.runtime_error.exception  # noqa: B018
