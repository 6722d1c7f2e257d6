"""What cppyy's test_crossinheritance.py is about: Python classes that derive from C++'s.

They override its virtual functions; what C++ cannot ask Python about is refused when the class is made, by the
function's name.
"""

from __future__ import annotations

import gc
import pathlib
from types import ModuleType

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

# The class, the functions of Python's, what is asked of an object, and the answer.
OVERRIDDEN = [
    ("Base", {"value": lambda self: self.m + 13}, lambda lib, o: lib.Base.call_value(o), 55),
    ("Base", {"sum": lambda self, v: 100 * v}, lambda lib, o: lib.Base.call_sum(o, 3), 300),
    ("Abstract", {"value": lambda self: 13}, lambda lib, o: lib.call_abstract(o), 13),
    ("Concrete", {"value": lambda self: 13}, lambda lib, o: lib.call_abstract(o), 13),
    ("TmplDerived", {"value": lambda self: 28}, lambda lib, o: o.value(), 28),
    ("Countable", {"call": lambda self: 13}, lambda lib, o: lib.shared(o).call(), 13),
    ("Countable", {"call": lambda self: 13}, lambda lib, o: lib.call_all([o]), 42),  # copies of Countable
    ("HiddenCopy", {"who": lambda self: "mine"}, lambda lib, o: lib.call_who(o), "mine"),
    ("ProtectedCopy", {"who": lambda self: "mine"}, lambda lib, o: o.who(), "mine"),
    ("X1", {"x": lambda self: 5}, lambda lib, o: lib.call_x(o), 5),
    ("GivesConst", {"give": lambda self: self.mine}, lambda lib, o: lib.call_give(o).text, "mine"),
    ("VDerived", {"calc1": lambda self: 77}, lambda lib, o: (lib.callback1(o), lib.callback2(o)), (77, 2)),
    ("VDerived", {"calc2": lambda self: 78}, lambda lib, o: (lib.callback1(o), lib.callback2(o)), (1, 78)),
    ("ByValue", {"extra": lambda self, d: d.value + 1}, lambda lib, o: o.func(lib.Data(13)), 27),
    ("Words", {"big": lambda self: 2**64 - 1}, lambda lib, o: lib.call_big(o), 2**64 - 1),
    ("B", {"func": lambda self: 5}, lambda lib, o: lib.invoked(o), 5),
    ("Tree", {"f2": lambda self: "mine"}, lambda lib, o: lib.call_fs(o), "f1mine"),
    ("Leaf", {"f2": lambda self: "mine"}, lambda lib, o: lib.call_fs(o), "leaf1mine"),
    ("Inner", {"f1": lambda self: "mine"}, lambda lib, o: lib.call_fs(o), "minef2"),
]


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    with pytest.warns(sb.BindWarning, match="are not bound"):
        return sb.bind(
            pathlib.Path(__file__).with_name("crossinheritance.hpp"),
            arg_intent={
                "make_it": {"return": "owned"},
                "delete_it": {"a": "owned"},
                "from_pool": {"return": sb.owned("pooled")},
            },
        )


@pytest.mark.behaviour("test01_override_function", "test03_override_function_abstract_base")
@pytest.mark.behaviour("test10_python_in_templates", "test11_python_in_make_shared")
@pytest.mark.behaviour(
    "test16_cctor_access_controlled",
    "test23_const_byvalue_return",
    "test32_by_value_arguments",
    "test39_returning_multi_keyword_types",
)
@pytest.mark.parametrize(("name", "methods", "ask", "answer"), OVERRIDDEN)
def test_cpp_calls_what_python_overrides(lib, name, methods, ask, answer):
    mine = type("Mine", (getattr(lib, name),), methods)
    mine.mine = lib.Valued("mine")
    assert ask(lib, mine()) == answer


@pytest.mark.behaviour("test05_override_overloads", "test06_const_methods")
def test_one_method_has_all_overloads(lib):
    class Mine(lib.Base):
        def sum_all(self, *values):
            return 1000 + super().sum_all(*values)

        def value(self):
            return lib.Base.value(self) + 1

    one = Mine(7)
    assert (one.sum_all(1), one.sum_all(1, 2), lib.Base.call_value(one)) == (1008, 1010, 8)


@pytest.mark.behaviour("test04_arguments")
def test_arguments_by_reference(lib):
    seen = []

    class Mine(lib.Base):
        def take(self, other, place):
            seen.append((other.m, type(place)))
            super().take(other, place)

    assert lib.call_take(Mine(5)) == 7
    assert seen == [(5, sb.Pointer)]


@pytest.mark.behaviour("test08_error_handling")
def test_what_python_raises_goes_through_cpp(lib):
    def fail(self):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        lib.call_abstract(type("Mine", (lib.Abstract,), {"value": fail})())
    with pytest.raises(sb.ArgumentError, match=r"value\(\) returned what C\+\+ does not take"):
        lib.call_abstract(type("Mine", (lib.Abstract,), {"value": lambda self: "text"})())


@pytest.mark.behaviour(
    "test28_cross_deep", "test37_deep_tree", "test17_deep_hierarchy", "test18_abstract_hierarchy"
)
def test_overriding_however_deep(lib):
    class First(lib.Tree):
        def own(self):
            return self.f1() + "!"

    class Second(First):
        pass

    assert Second().own() == "f1!"
    assert lib.call_fs(Second()) == "f1f2"
    third = type("Third", (Second,), {"f2": lambda self: "mine"})
    assert lib.call_fs(third()) == "f1mine"
    fourth = type("Fourth", (third,), {"f1": lambda self: "last"})
    assert (lib.call_fs(fourth()), fourth().own()) == ("lastmine", "last!")
    assert type("Mine", (lib.Deep,), {"fun1": lambda self: 5})("a").fun2() == 5
    half = type("Half", (lib.Calc,), {"first": lambda self: 1})
    with pytest.raises(
        TypeError, match=r"Half makes no object: it is abstract, as it lacks Calc::second\(\)"
    ):
        half()


@pytest.mark.behaviour("test19_cpp_side_multiple_inheritance")
def test_overriding_of_a_class_with_two_bases(lib):
    one = type("Mine", (lib.Both,), {"x": lambda self: 1, "y": lambda self: 2})(27, 88)
    assert (lib.call_x(one), lib.call_y(one), one.m1, one.m2) == (1, 2, 27, 88)
    assert lib.cycle_second(one) is one


@pytest.mark.behaviour("test30_access_and_overload")
def test_protected_functions(lib):
    mine = type("Mine", (lib.Protects,), {"hidden": lambda self, *i: super(mine, self).hidden(*i) + 1})
    assert (mine().hidden(4), mine().hidden(4, 1), mine().ask()) == (5, 6, 4)


@pytest.mark.behaviour("test07_templated_base")
def test_a_class_that_a_template_makes(lib):
    assert (
        type("Mine", (lib.TmplInt,), {"value": lambda self: super(type(self), self).value() + 1})().value()
        == 43
    )
    assert lib.call_value(type("Mine", (lib.TmplInt,), {"value": lambda self: 13})()) == 13


@pytest.mark.behaviour("test15_object_returns")
def test_objects_of_python_s_classes_are_returned(lib):
    class Mine(lib.Makes):
        def make(self):
            return Mine()

        def who(self):
            return "Mine"

    made = lib.call_make(Mine())
    assert type(made) is Mine
    assert made.who() == "Mine"


@pytest.mark.behaviour("test09_interface_checking")
def test_a_result_is_checked(lib):
    mine = type("Mine", (lib.Deep,), {"fun1": lambda self: 2**31})
    with pytest.raises(OverflowError):
        mine("a").fun2()


@pytest.mark.behaviour("test20_basic_multiple_inheritance", "test29_cross_deep_multi")
@pytest.mark.behaviour("test21_multiple_inheritance_with_constructors")
@pytest.mark.behaviour("test22_multiple_inheritance_with_defaults")
@pytest.mark.behaviour("test25_default_ctor_and_multiple_inheritance")
def test_two_bases_of_cpp(lib):
    class Mine(lib.X1, lib.X2):
        def __init__(self, *args):
            super().__init__(*args)

        def x(self):
            return self.m1 + 100

        def y(self):
            return super().y() + 200

    class Deep(Mine):
        def x(self):
            return super().x() + 1000

    for args, answer in (((), (113, 267)), (((1,), (2,)), (101, 202)), (((), (2,)), (113, 202))):
        assert (lib.call_x(Mine(*args)), lib.call_y(Mine(*args))) == answer
        assert (lib.call_x(Deep(*args)), lib.call_y(Deep(*args))) == (answer[0] + 1000, answer[1])
    moves = type("Moving", (lib.Moves, lib.Base), {"value": lambda self: 9})()
    assert (moves.n(), lib.Base.call_value(moves)) == (4, 9)


@pytest.mark.behaviour("test29_cross_deep_multi")
def test_bases_that_are_bytes_are_joined(lib):
    one = type("Mine", (lib.X2, lib.NoVirtualDestructor, lib.X1), {"y": lambda self: self.a + self.get()})()
    assert (lib.call_y(one), lib.call_x(one), one.a) == (6, 13, 3)


@pytest.mark.behaviour("test29_cross_deep_multi")
def test_bases_of_python_s_are_joined_with_cpp_s(lib):
    class Plain:
        __slots__ = ()

        def x(self):
            return 66

    class First(lib.X1):
        def x(self):
            return super().x() + 20

    class Second(lib.X2):
        def y(self):
            return 44

    answers = {
        (First, lib.X2): (33, 67),
        (lib.X1, Second): (13, 44),
        (First, Second): (33, 44),
        (lib.X1, Plain): (13, None),
        (Plain, lib.X1): (66, None),
    }
    for bases, (x, y) in answers.items():
        one = type("Mine", bases, {})()
        assert (lib.call_x(one), None if y is None else lib.call_y(one)) == (x, y)
        further = type("Further", bases, {"x": lambda self: 88})()
        assert lib.call_x(further) == 88


@pytest.mark.behaviour("test20_basic_multiple_inheritance", "test29_cross_deep_multi")
@pytest.mark.behaviour("test19_cpp_side_multiple_inheritance")
def test_two_bases_that_cpp_joins(lib):
    class Helper:
        __slots__ = ()

        def twice(self):
            return 2 * self.x()

    class Mine(Helper, lib.Both):
        pass

    one = Mine(27, 88)
    assert (one.m1, one.m2, one.x(), one.y(), one.twice()) == (27, 88, 27, 9, 54)
    assert (lib.call_x(one), lib.call_y(one)) == (27, 9)
    assert lib.cycle_second(one) is one


@pytest.mark.behaviour("test02_constructor")
def test_a_constructor_of_python_s_own(lib):
    class Mine(lib.Base):
        def __init__(self, own):
            super().__init__(5)
            self.own = own

        def value(self):
            return super().value() + self.own

    class Holds(lib.Base):
        def __init__(self, own):
            self.own = own

    assert (lib.Base.call_value(Mine(3)), Mine(3).m) == (8, 5)
    twice = type("Twice", (Mine,), {"__init__": lambda self: Mine.__init__(self, 1)})
    assert lib.Base.call_value(twice()) == 6
    assert Holds(3).own == 3

    class Made(lib.Base):
        def __new__(cls, own):
            return super().__new__(cls, 2 * own)

    assert lib.Base.call_value(Made(4)) == Made(4).m == 8


@pytest.mark.behaviour("test07_templated_base", "test01_override_function")
def test_objects_of_python_s_classes(lib):
    class Mine(lib.Base):
        def more(self, own):
            return own + self.m

    for one, m in ((Mine(), 42), (Mine(27), 27), (Mine(i=3), 3)):
        assert one.more(2) == m + 2
        assert lib.Base.call_value(one) == one.value() == m
        assert lib.Base.call_sum(one, 3) == one.sum(3) == m + 3
        assert (one.sum_all(1), one.sum_all(1, 2)) == (m + 1, m + 3)
        assert isinstance(one, lib.Base)
        assert "Mine" in repr(one)
    assert type("MineOfTemplate", (lib.TmplInt,), {})().value() == 42
    assert lib.TmplDerived().value() == 27


@pytest.mark.behaviour("test03_override_function_abstract_base")
@pytest.mark.behaviour("test26_no_default_ctor", "test34_no_ctors_in_base")
def test_what_cpp_cannot_make_python_cannot(lib):
    reasons = {
        "Abstract": r"it is abstract, as it lacks [\w:]+\(.*: C\+\+ makes only objects of classes derived from it",
        "NoDefault": "got 0 arguments; its overloads take",
        "Deleted": "got 0 arguments; it takes",
        "PrivateDefault": "got 0 arguments; it takes",
        "ProtectedDefault": "got 0 arguments; it takes",
    }
    for name, reason in reasons.items():
        mine = type("Mine", (getattr(lib, name),), {})
        classes = (getattr(lib, name), mine)
        for cls in classes[:1] if name == "ProtectedDefault" else classes:
            with pytest.raises(TypeError, match=reason):
                cls()
    assert type("Mine", (lib.ProtectedDefault,), {})().two() == 2

    mine = type("Mine", (lib.Concrete,), {})
    assert mine(88).m == 88
    assert lib.call_abstract(mine()) == 27


@pytest.mark.behaviour(
    "test12a_counter_test", "test12_python_shared_ptr_memory", "test10_python_in_templates"
)
def test_objects_end_once(lib):
    class Mine(lib.Countable):
        def more(self):
            return self.call() + 42

    before = lib.Countable.n
    one = Mine()
    assert lib.Countable.n == before + 1
    again = lib.shared(one)
    assert again == one
    assert (one.more(), again.call()) == (84, 42)
    del one
    gc.collect()
    assert lib.Countable.n == before + 1
    del again
    gc.collect()
    assert lib.Countable.n == before
    assert lib.call_all([Mine(), lib.Countable()]) == 84
    gc.collect()
    assert lib.Countable.n == before


@pytest.mark.behaviour(
    "test13_virtual_dtors_and_del", "test24_non_copyable", "test16_cctor_access_controlled"
)
@pytest.mark.parametrize(
    "name", ["NoVirtualDestructor", "Countable", "Moves", "HiddenCopy", "ProtectedCopy", "TmplInt"]
)
def test_deriving_needs_neither_virtual_destructor_nor_copies(lib, name):
    cls = getattr(lib, name)
    mine = type("Mine", (cls,), {"own": lambda self: 5})
    one = mine()
    assert isinstance(one, cls)
    assert one.own() == 5
    del one
    gc.collect()


@pytest.mark.behaviour("test14_protected_access", "test30_access_and_overload", "test38_protected_data")
def test_protected_members(lib):
    class Mine(lib.Protects):
        def __init__(self, *args):
            super().__init__(*args)
            self.own = 13
            self.was = self.data
            self.data = 42

    one = Mine()
    assert (one.was, one.own, one.data, one.get(), one.get_virtual()) == (101, 13, 42, 42, 42)
    assert (one.call3(5), one.hidden(2), one.hidden(2, 3), lib.Protects().get()) == (5, 2, 5, 101)
    assert "data" in dir(Mine())
    made = type("Plain", (lib.ProtectsMore,), {})(5, 7, 9)
    assert (made.x, made.y, made.z, made.s, made.t, made.sum()) == (5, 7, 9, "Hello", "World", 21)
    for name in ("data", "call3", "hidden"):
        assert not hasattr(lib.Protects(), name)
        with pytest.raises(
            AttributeError, match=f"Protects.{name} is protected: only classes that Python derives"
        ):
            getattr(lib.Protects, name)
    with pytest.raises(sb.ArgumentError, match="got 2 arguments"):
        one.call3(1, 2)  # private


@pytest.mark.behaviour("test15_object_returns")
def test_results_are_of_their_real_class(lib):
    for cls, name in ((lib.Makes, "Makes"), (lib.MakesMore, "MakesMore")):
        made = lib.call_make(cls())
        assert type(made) is cls
        assert made.who() == name


@pytest.mark.behaviour(
    "test23_const_byvalue_return",
    "test32_by_value_arguments",
    "test39_returning_multi_keyword_types",
    "test28_cross_deep",
    "test37_deep_tree",
)
def test_virtual_functions_of_cpp(lib):
    assert lib.GivesConst().give().text == lib.call_give(lib.GivesConst()).text == "abc"
    assert lib.ByValue().func(lib.Data(13)) == 39
    assert (lib.Deep("a").fun1(), lib.Deep("a").fun2()) == (0, 0)
    assert (lib.Leaf().f1(), lib.Leaf().f2(), lib.call_fs(lib.Leaf())) == ("leaf1", "f2", "leaf1f2")


@pytest.mark.behaviour("test27_interfaces")
def test_virtual_bases(lib):
    class Mine(lib.VDerived):
        pass

    for one in (lib.VDerived(), Mine()):
        assert lib.cycle_virtual(one) is one
        assert (one.calc1(), one.calc2(), lib.callback1(one), lib.callback2(one)) == (1, 2, 1, 2)


@pytest.mark.behaviour("test31_object_rebind")
def test_objects_come_back_as_they_were(lib):
    class Mine(lib.ComponentWithValue):
        def more(self):
            return self.get() + 12

    assert lib.Component.count == 0
    built = lib.build_component(42)
    assert type(built) is lib.ComponentWithValue
    assert built.get() == 42
    one = Mine(27)
    for cycle in (lib.cycle_component, lib.cycle_ref):
        assert cycle(one) is one
        assert cycle(built) is built
    assert (one.more(), lib.Component.count) == (39, 2)
    del built, one
    gc.collect()
    assert lib.Component.count == 0


@pytest.mark.behaviour("test33_direct_base_methods")
def test_methods_of_a_base_by_name(lib):
    assert (lib.A().func(), lib.B().func(), lib.A.func(lib.A())) == (1, 2, 1)
    assert lib.A.func(lib.B()) == lib.invoked(lib.B()) == 2  # as &A::func, which is virtual
    with pytest.raises(TypeError, match="expected an object of B"):
        lib.B.func(lib.A())


@pytest.mark.behaviour("test35_deletion", "test36_custom_destruct")
@pytest.mark.parametrize("methods", [{}, {"func": lambda self: 9}], ids=["plain", "overriding"])
def test_objects_that_cpp_deletes(lib, methods):
    ended: list[int] = []
    mine = type("Mine", (lib.A,), methods | {"__del__": lambda self: ended.append(id(self))})
    for one, answer in ((lib.make_it(), 2), (lib.B(), 2), (mine(), methods.get("func", lambda self: 1)(0))):
        assert one.func() == answer
        lib.delete_it(one)
        with pytest.raises(sb.IntentError, match=r"It is gone"):
            lib.invoked_a(one)
    assert not ended
    name = id(one)
    del one
    gc.collect()
    assert ended == [name]
    lib.delete_it(mine())
    gc.collect()
    assert len(ended) == 2


@pytest.mark.behaviour("test35_deletion")
def test_cpp_deletes_what_python_gives_alone(lib):
    one = type("Mine", (lib.A,), {})()
    with pytest.raises(sb.IntentError, match="Python made it"):
        lib.pooled(one)
    assert one.func() == 1
