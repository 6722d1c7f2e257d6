"""pybind11's test_multiple_inheritance.py in our words: classes of several bases, in C++ and in Python."""

from __future__ import annotations

import gc

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <memory>
#include <string>
struct Left { int l; explicit Left(int l) : l(l) {} int left() const { return l; } };
struct Right { int r; explicit Right(int r) : r(r) {} int right() const { return r; } };
struct Pair : Left, Right { Pair(int l, int r) : Left(l), Right(r) {} };
struct Below : Pair { Below(int l, int r) : Pair(l, r) {} };
inline int right_of(const Right* r) { return r->right(); }

// With a destructor: objects, and no bytes.
struct LeftObject {
  int l;
  explicit LeftObject(int l) : l(l) {}
  virtual ~LeftObject() {}
  int left() const { return l; }
};
struct RightObject {
  int r;
  explicit RightObject(int r) : r(r) {}
  virtual ~RightObject() {}
  int right() const { return r; }
};
class PairObject : LeftObject, public RightObject {
public:
  PairObject(int l, int r) : LeftObject(l), RightObject(r) {}
};
inline int right_of_object(RightObject* r) { return r->right(); }
inline int right_of_shared(const std::shared_ptr<RightObject>& r) { return r->right(); }

struct Plain { std::string plain() { return "plain"; } };
struct Static1 { static std::string f1() { return "f1"; } static int v1; };
struct Static2 { static std::string f2() { return "f2"; } static int v2; };
struct Mix1 : Plain, Static1, Static2 { static std::string name() { return "Mix1"; } static int v; };
struct Mix2 : Static1, Plain, Static2 { static std::string name() { return "Mix2"; } static int v; };
inline int Static1::v1 = 1;
inline int Static2::v2 = 2;
inline int Mix1::v = 12;
inline int Mix2::v = 12;
inline int values() { return Static1::v1 * 100 + Static2::v2 * 10; }

struct A1 { int a = 1; virtual ~A1() = default; };
struct A2 { int b = 2; virtual ~A2() = default; };
struct C : A1, A2 {};
struct D : C {};
inline A1* first_of_c(C* c) { return c; }
inline A2* second_of_c(C* c) { return c; }
inline A1* first_of_d(D* d) { return d; }
inline A2* second_of_d(D* d) { return d; }
inline A1* c_as_first() { static C c; return &c; }
inline A2* c_as_second() { static C c; return &c; }
inline A1* d_as_first() { static D d; return &d; }
inline A2* d_as_second() { static D d; return &d; }
struct A3 { int c = 3; virtual ~A3() = default; };
inline C* hidden_as_c() { struct E : A3, D {}; static E e; return &e; }
inline A2* hidden_as_second() { struct E : A3, D {}; static E e; return &e; }

struct Top { int t = 1; virtual ~Top() = default; Top* top() { return this; } int get_t() const { return t; } };
struct Arm1 : virtual Top { int a1 = 2; Arm1* arm1() { return this; } int t_of_arm1() const { return t; } };
struct Arm2 : virtual Top { int a2 = 3; Arm2* arm2() { return this; } int t_of_arm2() const { return t; } };
struct Bottom : Arm1, Arm2 { int z = 4; int sum() const { return t + a1 + a2 + z; } };

struct V1 { int v1 = 1; virtual ~V1() = default; int v1_by_v1() const { return v1; } };
struct V2 : virtual V1 { int v2 = 2; int v1_by_v2() const { return v1; } int v2_by_v2() const { return v2; } };
struct V3 : virtual V2 { int v3 = 3; int v1_by_v3() const { return v1; } int v2_by_v3() const { return v2; } };
struct V4 : virtual V2 { int v4 = 4; int v1_by_v4() const { return v1; } int v2_by_v4() const { return v2; } };
struct V5 : virtual V3, virtual V4 {
  int v5 = 5;
  int v1_by_v5() const { return v1; }
  int v2_by_v5() const { return v2; }
  int v3_by_v5() const { return v3; }
  int v4_by_v5() const { return v4; }
};
struct V6 : virtual V5 { int v6 = 6; int v1_by_v6() const { return v1; } int v5_by_v6() const { return v5; } };
inline void set_v1(V1& v, int n) { v.v1 = n; }
inline void set_v2(V2& v, int n) { v.v2 = n; }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.mark.behaviour("test_multiple_inheritance_cpp")
def test_two_bases_of_cxx(lib):
    one = lib.Below(3, 4)
    assert (one.left(), one.right(), lib.right_of(one)) == (3, 4, 4)
    assert lib.Below.__mro__[1:4] == (lib.Pair, lib.Left, lib.Right)


@pytest.mark.behaviour("test_multiple_inheritance_mix1", refused=True)
@pytest.mark.behaviour("test_multiple_inheritance_mix2", refused=True)
@pytest.mark.parametrize("name", ["Right", "RightObject"])
def test_a_class_of_python_beside_one_of_cxx(lib, name):
    cls = getattr(lib, name)
    full = type("Full", (), {"__init__": lambda self, i: setattr(self, "i", i)})
    for bases in ((full, cls), (cls, full)):
        with pytest.raises(TypeError, match="whose instances have attributes of their own"):
            type("Mine", bases, {})
    bare = type("Bare", (), {"__slots__": (), "twice": lambda self: 2 * self.right()})
    for bases in ((bare, cls), (cls, bare)):
        assert type("Mine", bases, {})(4).twice() == 8


@pytest.mark.behaviour("test_multiple_inheritance_python", "test_multiple_inheritance_python_many_bases")
def test_two_classes_of_cxx_are_bases(lib):
    class Mine(lib.LeftObject, lib.RightObject):
        def __init__(self, left, right):
            lib.LeftObject.__init__(self, left)
            lib.RightObject.__init__(self, right)

    class Further(type("One", (lib.LeftObject,), {}), type("Two", (lib.RightObject,), {})):
        def __init__(self):
            super().__init__((5,), (6,))

    for made, left, right in ((Mine(3, 4), 3, 4), (Further(), 5, 6)):
        assert (made.left(), made.right(), made.l, made.r) == (left, right, left, right)
        assert lib.right_of_object(made) == lib.right_of_shared(made) == right


@pytest.mark.behaviour("test_multiple_inheritance_python")
def test_two_classes_of_bytes_are_joined_by_python(lib):
    for mine in (
        type("Mine", (lib.Left, lib.Right), {}),
        type("Mine", (type("One", (lib.Left,), {}), type("Two", (lib.Right,), {})), {}),
    ):
        one = mine(lib.Left(3), lib.Right(4))
        assert (one.left(), one.right(), one.l, one.r) == (3, 4, 3, 4)
        assert lib.right_of(one) == 4
    one = type("Mine", (lib.A1, lib.Left), {})(lib.A1(), lib.Left(5))
    assert (one.a, one.l, one.left()) == (1, 5, 5)


@pytest.mark.behaviour("test_multiple_inheritance_virtbase")
def test_a_derived_class_of_python_goes_as_a_second_base(lib):
    mine = type("Mine", (lib.PairObject,), {})(3, 4)
    assert not isinstance(mine, lib.LeftObject)  # a private base
    assert mine.right() == lib.right_of_object(mine) == lib.right_of_shared(mine) == 4
    assert lib.right_of(type("Mine", (lib.Pair,), {})(3, 4)) == 4


@pytest.mark.behaviour("test_mi_static_properties")
@pytest.mark.parametrize("name", ["Mix1", "Mix2"])
def test_static_members_of_several_bases(lib, name):
    cls = getattr(lib, name)
    one = cls()
    assert (one.plain(), one.f1(), one.f2(), one.name()) == ("plain", "f1", "f2", name)
    lib.Static1.v1, lib.Static2.v2, cls.v = 1, 2, 12
    assert (one.v1, one.v2, one.v) == (1, 2, 12)
    cls.v1 = 3  # that of the base, as in C++
    assert (lib.Static1.v1, lib.values() // 100) == (3, 3)
    one.v2, one.v = 0, 0
    assert (lib.Static2.v2, cls.v, lib.values() // 10 % 10) == (0, 0, 0)
    lib.Static1.v1, lib.Static2.v2, lib.Mix1.v, lib.Mix2.v = 1, 2, 12, 12


@pytest.mark.behaviour("test_mi_unaligned_base")
def test_a_base_that_comes_back_is_the_object(lib):
    c, d = lib.C(), lib.D()
    for back in (lib.first_of_c(c), lib.second_of_c(c)):
        assert type(back) is lib.C
        assert back == c
    for back in (lib.first_of_d(d), lib.second_of_d(d)):
        assert type(back) is lib.D
        assert back == d
    back = lib.second_of_d(d)
    del c, d
    gc.collect()
    assert (back.a, back.b) == (1, 2)  # which a view keeps


@pytest.mark.behaviour("test_mi_base_return")
@pytest.mark.parametrize(("name", "cls"), [("c", "C"), ("d", "D")])
def test_a_base_that_cxx_returns_is_what_it_is(lib, name, cls):
    for place in ("first", "second"):
        one = getattr(lib, f"{name}_as_{place}")()
        assert type(one) is getattr(lib, cls)
        assert (one.a, one.b) == (1, 2)


@pytest.mark.behaviour("test_mi_base_return")
def test_of_a_class_that_nobody_can_name(lib):
    for one in (lib.hidden_as_c(), lib.hidden_as_second()):
        assert isinstance(one, lib.A2)
        assert one.b == 2
    assert lib.hidden_as_c().a == 1


@pytest.mark.behaviour("test_diamond_inheritance")
def test_all_ways_lead_to_the_object(lib):
    d = lib.Bottom()
    for same in (
        d.arm1(),
        d.arm2(),
        d.top(),
        d.arm1().top(),
        d.arm2().top(),
        d.arm1().arm2().top().arm1().top(),
    ):
        assert type(same) is lib.Bottom
        assert same == d
    d.top().t = 10
    assert (d.sum(), d.t_of_arm1(), d.t_of_arm2(), d.get_t()) == (19, 10, 10, 10)


def _check(one, level):
    """Each member, and each as a base's method sees it."""
    for n in range(1, level + 1):
        if hasattr(one, f"v{n}"):
            assert getattr(one, f"v{n}") == n
    for name in dir(one):
        if "_by_" in name:
            assert getattr(one, name)() == int(name[1])


@pytest.mark.behaviour("test_pr3635_diamond_b")
@pytest.mark.behaviour("test_pr3635_diamond_c")
@pytest.mark.behaviour("test_pr3635_diamond_d0")
@pytest.mark.behaviour("test_pr3635_diamond_d1")
@pytest.mark.behaviour("test_pr3635_diamond_e")
@pytest.mark.behaviour("test_pr3635_diamond_f")
@pytest.mark.parametrize("level", range(1, 7))
def test_members_of_virtual_bases(lib, level):
    cls = getattr(lib, f"V{level}")
    one = cls()
    bases = {1: [1], 2: [1, 2], 3: [1, 2, 3], 4: [1, 2, 4], 5: [1, 2, 3, 4, 5], 6: [1, 2, 3, 4, 5, 6]}[level]
    assert [getattr(one, f"v{n}") for n in bases] == bases
    assert len([name for name in dir(one) if "_by_" in name]) == [1, 3, 5, 5, 11, 13][level - 1]
    _check(one, level)
    assert all(issubclass(cls, getattr(lib, f"V{n}")) for n in bases)
    lib.set_v1(one, 11)
    assert (one.v1, one.v1_by_v1(), getattr(one, f"v1_by_v{level}")()) == (11, 11, 11)
    if level > 1:
        one.v2 = 22
        assert (one.v2, one.v2_by_v2()) == (22, 22)
        lib.set_v2(one, 23)
        assert one.v2 == 23


@pytest.mark.behaviour("test_python_inherit_from_mi")
def test_python_derives_from_many(lib):
    class Mine(lib.V6):
        g = 7

        def all(self):
            return (self.v1, self.v2, self.v3, self.v4, self.v5, self.v6, self.g)

    one = Mine()
    assert one.all() == (1, 2, 3, 4, 5, 6, 7)
    lib.set_v2(one, 20)
    assert one.all()[1] == one.v2_by_v5() == 20
