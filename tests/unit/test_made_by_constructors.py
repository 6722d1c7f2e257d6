"""A tuple is a record where C++'s braces set its members; what constructors make, only they make."""

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
#include <array>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>
struct Plain { int a, b; };
struct Initial { int a = 3, b = 4; };
struct Defaulted { int a, b; Defaulted() = default; };
struct Of { int a, b; Of(int x, int y) : a(10 * x), b(10 * y) {} };
struct Explicit { int a, b; explicit Explicit(int x, int y) : a(10 * x), b(10 * y) {} };
struct Base { int a; Base(int x = 1) : a(10 * x) {} };
struct Derived : Base { int b; };
struct Inherits : Base { int b = 2; using Base::Base; };
struct Bare { int a; };
struct Further : Bare { int b; };
class Hidden { Hidden(int x, int y) : a(10 * x), b(10 * y) {}
  public: int a, b; static Hidden made() { return {1, 2}; } };
struct Templated { int a, b; template <class T> Templated(T x, T y) : a(10 * int(x)), b(10 * int(y)) {} };
template <class T> struct Box { T a, b; Box(T x, T y) : a(10 * x), b(10 * y) {} };
using Boxed = Box<int>;
template <class T> struct Bag { T a, b; };
using Bagged = Bag<int>;
"""
CLASSES = ["Plain", "Initial", "Defaulted", "Of", "Explicit", "Derived", "Inherits", "Further", "Hidden", "Templated",
           "Boxed", "Bagged"]  # fmt: skip
for _cls in CLASSES:
    SOURCE += f"""
struct In{_cls} {{ {_cls} one; }};
inline int by_value_{_cls}({_cls} x) {{ return x.a; }}
inline int by_reference_{_cls}(const {_cls}& x) {{ return x.a; }}
inline int of_vector_{_cls}(const std::vector<{_cls}>& x) {{ return x[0].a; }}
inline int of_optional_{_cls}(const std::optional<{_cls}>& x) {{ return x->a; }}
inline int of_pair_{_cls}(const std::pair<{_cls}, int>& x) {{ return x.first.a; }}
inline int of_member_{_cls}(const In{_cls}& x) {{ return x.one.a; }}
inline bool is_aggregate_{_cls}() {{ return std::is_aggregate<{_cls}>::value; }}
"""
CALLS = {
    "by_value": lambda x: x,
    "by_reference": lambda x: x,
    "of_vector": lambda x: [x],
    "of_optional": lambda x: x,
    "of_pair": lambda x: (x, 1),
    "of_member": lambda x: (x,),
}

# Those of the constructor, where they are not two numbers.
ARGUMENTS = {"Defaulted": (), "Derived": (), "Inherits": ()}


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, std="c++17")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("cls", CLASSES)
def test_a_tuple_of_fields(lib, cls, call):
    function = getattr(lib, f"{call}_{cls}")
    # Derived is an aggregate whose base has a constructor: its braces are {{x}, y}.
    aggregate = getattr(lib, f"is_aggregate_{cls}")() and cls != "Derived"
    for given in ((1, 2), [1, 2]):
        if aggregate:
            assert function(CALLS[call](given)) == 1
        else:
            with pytest.raises(sb.ArgumentError) as raised:
                function(CALLS[call](given))
            name = getattr(lib, cls).__name__
            advice = f"{name}(*x) makes one, by C++'s constructors"
            if cls == "Derived":  # C++ declares no constructor of its own
                advice = "Derived() makes one, and its members can be assigned"
            assert advice in str(raised.value)


def test_what_is_advised(lib):
    x = (1, 2)
    assert [
        getattr(lib, f"by_value_{cls}")(getattr(lib, cls)(*x)) for cls in ("Of", "Explicit", "Boxed")
    ] == [10] * 3
    assert lib.by_value_Hidden(lib.Hidden.made()) == 10


@pytest.mark.parametrize("cls", CLASSES)
def test_members_and_copies(lib, cls):
    """What C++ made is given and set as it is, its value included."""
    made = lib.Hidden.made() if cls == "Hidden" else getattr(lib, cls)(*ARGUMENTS.get(cls, (1, 2)))
    holder = getattr(lib, f"In{cls}")(made)
    assert holder.one == made
    holder.one = made
    assert getattr(lib, f"by_value_{cls}")(made.value) == made.a
    if not getattr(lib, f"is_aggregate_{cls}")() or cls == "Derived":
        with pytest.raises(sb.ArgumentError, match=r"by C\+\+'s constructors|its members can be assigned"):
            holder.one = (1, 2)
    else:
        holder.one = (1, 2)
        assert holder.one.a == 1


def test_a_constructor_that_is_not_bound(lib):
    with pytest.raises(sb.ArgumentError):
        lib.Hidden(1, 2)
    with pytest.raises(sb.ArgumentError):
        lib.Hidden((1, 2))
