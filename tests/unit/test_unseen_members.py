"""Public members that Python does not see: each is skipped with a reason, and asked for it says it; one library."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <memory>
#include <mutex>
#include <string>
#include <vector>
struct Plain { int x; long double far; void far_away(long double); private: int hidden; };
struct Fixed { int x; int& ref; const int bits : 3; };
struct Object { std::vector<std::unique_ptr<int>> rows; std::unique_ptr<int> one; std::mutex lock; std::string s = "s";
  int x = 4; ~Object() {} };
struct In { long double far; int near = 1; };
struct Derived : In { int d = 2; };
struct Over : In { int far = 5; };
struct Kept { int a = 0, b = 0; };
struct Used : private Kept { using Kept::a; int c = 3; ~Used() {} };
struct Opened : Kept { using Kept::b; int c = 3; ~Opened() {} };
template <class X> struct Box { X v; long double wide; int size() { return sizeof(X); } };
typedef Box<int> Ints;
union Mixed { std::string s; int i; Mixed() {} ~Mixed() {} };
struct Holds { Mixed u; int Kept::*member = nullptr; int z = 6; ~Holds() {} };
// C++ says that these can be copied, and refuses to.
struct Promises { std::vector<std::unique_ptr<int>> v; int n = 7; Promises() = default;
  Promises(const Promises&) = default; Promises& operator=(const Promises&) = default;
  Promises(Promises&&) = default; };
struct Nested { Promises inside; int k = 8; Nested() = default; Nested(const Nested&) = default; };
inline Promises make() { return Promises(); }
inline int number(const Promises& p) { return p.n; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        return sb.compile(SOURCE)


FIELDS = {
    "Plain::far": "long double has no counterpart",
    "Fixed::ref": "a reference inside another type",
    "Fixed::bits": "a const bit-field",
    "Object::rows": "can only be moved",
    "Object::one": "can only be moved",
    "In::far": "long double has no counterpart",
    "Box<int>::wide": "long double has no counterpart",
    "Holds::u": "a union that C++ code copies",
    "Holds::member": "a pointer to a member",
    "Promises::v": "can only be moved",
}


def test_each_is_skipped_once_with_its_reason(lib: Any) -> None:
    found = [(s.name, s.reason) for s in lib.__skipped__ if s.kind == "field"]
    assert {name for name, _ in found} == FIELDS.keys()
    assert len(found) == len(FIELDS)
    assert all(FIELDS[name] in reason for name, reason in found)


@pytest.mark.parametrize("name", [*FIELDS, "Derived::far", "Plain::far_away"])
def test_asked_for_it_says_why(lib: Any, name: str) -> None:
    owner, _, member = name.partition("::")
    cls = lib.__records__[owner]
    for holder in (cls, *([] if owner == "Fixed" else [cls()])):
        with pytest.raises(
            AttributeError, match=rf"'{member}' is declared in '.*' and not bound: .*{member}.*: ."
        ):
            getattr(holder, member)
        assert not hasattr(holder, member)
        assert member not in dir(holder)
        if holder is not cls:
            with pytest.raises(AttributeError, match="not bound"):
                setattr(holder, member, 1)
            with pytest.raises(AttributeError, match="not bound"):
                delattr(holder, member)


def test_what_is_bound_is_as_ever(lib: Any) -> None:
    assert (lib.Object().x, lib.Object().s, lib.Over().far, lib.Holds().z) == (4, "s", 5, 6)
    assert (lib.Used().a, lib.Used().c) == (0, 3)
    assert (lib.Derived().near, lib.Derived().d, lib.Ints().size()) == (1, 2, 4)
    assert (lib.Opened().a, lib.Opened().b) == (0, 0)
    assert {"x", "s"} <= set(dir(lib.Object()))


def test_a_class_derived_in_python_may_use_the_name(lib: Any) -> None:
    class Mine(lib.Plain):  # type: ignore[misc, name-defined]
        __slots__ = ()
        far = 3

    assert Mine().far == 3


def test_copies_that_cpp_promises_and_refuses(lib: Any) -> None:
    assert (lib.make().n, lib.number(lib.Promises()), lib.Nested().k) == (7, 7, 8)
    for made in (lib.Promises(), lib.Nested()):
        with pytest.raises(sb.ArgumentError, match="only moves such objects"):
            copy.copy(made)
    with pytest.raises(sb.ArgumentError):
        lib.Nested(lib.Nested())
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert reasons["Promises::Promises(const Promises &)"] == "it would copy what can only be moved"


def test_every_declaration_is_bound_or_skipped(lib: Any) -> None:
    model = lib.__model__
    parts = (model.functions, model.records, model.enums, model.constants, model.variables, model.aliases)
    assert model.exposed == sum(map(len, parts)) + len(model.templates) + len(model.skipped)


def test_a_class_that_lacks_fields_alone_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = sb.compile("struct OnlyFields { int x; long double far; };")
    assert [s.name for s in made.__skipped__] == ["OnlyFields::far"]


HOLDERS = """
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
class Deleted {
  int n;
public:
  explicit Deleted(int n) : n(n) {}
  Deleted(const Deleted&) = delete;
  Deleted(Deleted&&) = default;
};
class Moves { std::string n; public: Moves() {} Moves(Moves&&) noexcept {} };
class Assigns { std::string n; public: Assigns() {} Assigns& operator=(Assigns&&) = default; };
class Private { std::string n; Private(const Private&) {} public: Private() {} };
class Copies { std::string n; public: Copies() {} Copies(const Copies&) {} Copies(Copies&&) {} };
struct InVector { std::vector<Deleted> all; };
struct InMap { std::map<std::string, Assigns> all; };
struct InPair { std::pair<int, Moves> all; };
struct InOptional { std::optional<Moves> all; std::string s; };
struct InBoth { std::vector<std::pair<int, Deleted>> all; };
struct OfPrivate { std::vector<Private> all; };
struct OfCopies { std::vector<Copies> all; };
struct Points { std::vector<Deleted*> all; std::shared_ptr<Moves> one; std::vector<std::shared_ptr<Private>> two; };
"""


def test_containers_of_what_cannot_be_copied() -> None:
    made = sb.compile(HOLDERS)
    copied = {"OfCopies", "Points"}
    for name in [name for name in dir(made) if name.startswith(("In", "Of", "Points"))]:
        one = getattr(made, name)()
        if name in copied:
            assert type(copy.copy(one)) is type(one)
        else:
            with pytest.raises(sb.ArgumentError, match="only moves such objects"):
                copy.copy(one)


def test_what_the_compiler_refuses_costs_no_iteration() -> None:
    made = sb.compile("""
    struct Once {
      int n = 1;
      Once() {}
      Once(const Once&) = delete;
      Once(Once&&) = default;
      Once& operator++() { ++n; return *this; }
    };
    struct Three {
      int all[3] = {1, 2, 3};
      const int* begin() const { return all; }
      const int* end() const { return all + 3; }
    };
    """)
    assert list(made.Three()) == [1, 2, 3]
