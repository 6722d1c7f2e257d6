"""nanobind's test_classes.py in our words: how objects of classes are made, kept, derived, converted and ended."""

from __future__ import annotations

import gc
import pathlib
import pickle
import pydoc
import threading
import weakref

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]


@pytest.fixture(scope="module")
def library():
    return sb.bind(pathlib.Path(__file__).with_name("classes.hpp"), std="c++17")


@pytest.fixture
def lib(library):
    gc.collect()
    library.reset()
    return library


def tally(lib):
    """What C++ counted of Clicker's constructors, assignments and ends: those that are not 0."""
    gc.collect()
    return {name: count for name, count in dict(lib.told()).items() if count}


@pytest.mark.behaviour("test01_signature")
@pytest.mark.behaviour("test29_pydoc")
def test_documents_are_what_cpp_declares(lib):
    assert lib.Clicker.__doc__ == "A counter of clicks."
    assert (
        lib.Clicker.clicks.__doc__
        == "Clicker.clicks() -> int32\n    int Clicker::clicks() const\n\nHow many clicks."
    )
    assert (
        lib.Clicker().set.__doc__ == "Clicker.set(clicks: int32) -> None\n    void Clicker::set(int clicks)"
    )
    overloads = lib.Clicker.kind.__doc__.splitlines()
    assert overloads[::2] == ["Clicker.kind(arg0: int32) -> str", "Clicker.kind(arg0: float32) -> str"]
    for text in ("A counter of clicks.", "How many clicks.", "Clicker.set(clicks: int32) -> None"):
        assert text in pydoc.plain(pydoc.render_doc(lib.Clicker))


@pytest.mark.behaviour("test02_static_overload")
def test_static_overloads(lib):
    assert (lib.Clicker.kind(1), lib.Clicker.kind(1.0), lib.Clicker().kind(2)) == ("int", "float", "int")


@pytest.mark.behaviour("test03_instantiate")
def test_each_object_is_made_and_ended_once(lib):
    first, second = lib.Clicker(), lib.Clicker(10)
    assert (first.clicks(), first.sum(1, 2, 3, 4, 5, 6, 7), second.clicks()) == (5, 33, 10)
    del first, second
    assert tally(lib) == {"plain": 1, "by_value": 1, "ended": 2}


@pytest.mark.behaviour("test04_double_init", refused=True)
def test_an_object_is_not_made_again(lib):
    clicker = lib.Clicker()
    with pytest.raises(
        TypeError, match=r"Clicker.__init__\(\) makes no object anew: .* Clicker\(...\) makes another"
    ):
        clicker.__init__(3)
    assert clicker.clicks() == 5


@pytest.mark.behaviour("test05_rv_policy")
@pytest.mark.behaviour("test28_copy_rvp")
def test_what_a_function_gives_back(lib):
    clicker = lib.Clicker()
    assert clicker.self() is clicker
    assert clicker.none() is None
    del clicker
    assert tally(lib) == {"plain": 1, "ended": 1}
    lib.reset()
    assert lib.Clicker.taken().clicks() == 10
    assert tally(lib) == {"by_value": 1, "ended": 1}
    lib.reset()
    assert lib.Clicker.moved().clicks() == 11
    assert tally(lib) == {"by_value": 1, "ended": 1}
    shared = lib.Clicker.shared()
    lib.reset()
    assert lib.Clicker.shared() == shared
    assert tally(lib) == {}
    copied = lib.Clicker.copied()
    assert (copied == shared, copied.clicks()) == (False, 12)
    del copied
    assert tally(lib) == {"copies": 1, "ended": 1}


@pytest.mark.behaviour("test06_reference_internal")
@pytest.mark.behaviour("test30b_property_policy_override")
def test_a_member_keeps_its_object(lib):
    pair = lib.Pair()
    first, second = pair.first, pair.second
    copy = pair.first_copy()
    copy.set(123)
    pair.first_ref().set(6)
    del pair, copy
    assert tally(lib) == {"plain": 2, "copies": 1, "ended": 1}
    del second
    assert first.clicks() == 6
    assert tally(lib) == {"plain": 2, "copies": 1, "ended": 1}
    del first
    assert tally(lib) == {"plain": 2, "copies": 1, "ended": 3}


@pytest.mark.behaviour("test06c_init_not_list_initialization")
def test_a_number_is_no_list_of_one(lib):
    assert (lib.Count(1).value, lib.Count([1]).value, lib.Count([1, 2]).value) == (1, -1, -1)


@pytest.mark.behaviour("test07_big")
def test_big_and_aligned_objects(lib):
    assert {bytes(one.data) for one in [lib.Big() for _ in range(200)]} == {b"\xff" * 1024}
    assert len([lib.Aligned() for _ in range(200)]) == 200  # the constructor looks where it is


@pytest.mark.behaviour("test08_inheritance")
def test_derived_classes(lib):
    cow, owl, snow = lib.Cow("moo"), lib.Owl("hoo"), lib.SnowOwl("brr")
    assert (cow.name(), cow.sound(), owl.name(), snow.sound()) == ("Cow", "moo", "Owl", "brr")
    assert isinstance(cow, lib.Beast)
    assert isinstance(snow, lib.Owl)
    assert not isinstance(cow, lib.Owl)
    assert [lib.says(one) for one in (cow, owl, snow)] == ["Cow says moo", "Owl says hoo", "Owl says brr"]
    assert all(lib.same_beast(one) is one for one in (cow, owl, snow))
    assert lib.same_cow(cow) is cow
    with pytest.raises(
        sb.ArgumentError, match=r"expected an object of Cow, .*got <.*Owl at 0x\w+> \(.*Owl\)$"
    ):
        lib.same_cow(owl)


@pytest.mark.behaviour("test09_method_vectorcall")
def test_cpp_calls_functions_and_methods(lib):
    class Listener:
        def heard(self, *given):
            self.given = given

    out, listener = [], Listener()
    lib.call5(lambda *given: out.append(given))
    lib.call5(listener.heard)
    assert [*out, listener.given] == [(1, 2, "hello", True, 4)] * 2
    with pytest.raises(sb.ArgumentError, match=r"It takes \(a, b\); C\+\+ passes 5 arguments"):
        lib.call5(lambda a, b: None)


@pytest.mark.behaviour("test10_trampoline", "test11_trampoline_failures", "test51_constexpr_trampoline")
def test_python_overrides_virtual_functions(lib):
    class Mine(lib.Cow):
        def sound(self):
            return super().sound() + "!"

    mine = Mine("moo")
    assert lib.says(mine) == "Cow says moo!"
    assert lib.same_beast(mine) is mine
    assert lib.same_cow(mine) is mine
    half = type("Half", (lib.Beast,), {"name": lambda self: "mine"})
    with pytest.raises(TypeError, match="Half makes no object: it is abstract, as it lacks Beast::"):
        half()
    with pytest.raises(sb.ArgumentError, match="abstract"):
        type("Mine", (lib.Beast,), {})()
    assert lib.call_get(lib.Constexpr(4)) == 1
    assert lib.call_get(type("Mine", (lib.Constexpr,), {"get": lambda self: 7})(4)) == 7


@pytest.mark.behaviour("test12_large_pointers")
def test_any_address(lib):
    for address in (*range(1, 10), *range(2**64 - 10, 2**64)):
        there = lib.at(address)
        assert isinstance(there, lib.Empty)
        assert lib.address(there) == address
    assert lib.at(0) is None
    assert lib.address() == lib.address(None) == 0


@pytest.mark.behaviour("test13_implicitly_convertible", refused=True)
def test_implicit_conversions(lib):
    given = [(lib.FromA(1), 11), (lib.FromB(2), 102), (lib.FromB2(3), 103), (5, 10005)]
    for one, expected in given:
        assert lib.of_sum(one) == expected
        assert lib.Sum(one).value == lib.of_sum(lib.Sum(one)) == lib.of_optional(lib.Sum(one)) == expected
        with pytest.raises(sb.ArgumentError, match=r"of_optional\(\) argument 1 's'.* Sum\(...\) makes one"):
            lib.of_optional(one)
        with pytest.raises(sb.ArgumentError, match="expected an object of Sum, a Pointer or None"):
            lib.of_pointer(one)  # C++ makes no temporary of which it could take the address
    with pytest.raises(sb.ArgumentError, match=r"expected an object of Sum, got NotFrom\(c=4\)"):
        lib.of_sum(lib.NotFrom(4))  # explicit
    assert lib.of_sum(lib.Sum(lib.NotFrom(4))) == 1004
    made = lib.Sum(5)
    assert lib.Sum(made).value == lib.of_sum(made) == lib.of_pointer(made) == 10005
    assert lib.of_optional(None) == lib.of_pointer(None) == -1


@pytest.mark.behaviour("test14_operators")
def test_operators(lib):
    class Reflects:
        def __radd__(self, other):
            return "reflected"

    a, b = lib.Int(1), lib.Int(2)
    assert str(a + b) == "3"
    assert str(a - 2) == "-1"
    with pytest.raises(TypeError, match=r"operator-\(\) argument 1 'j': expected float32, got Int"):
        a - b
    before = a
    a += b
    assert (a is before, str(a), str(b)) == (True, "3", "2")
    assert (lib.Int(1) == lib.Int(1), lib.Int(1) != lib.Int(1), lib.Int(1) == lib.Int(2)) == (
        True,
        False,
        False,
    )
    assert a + Reflects() == "reflected"


@pytest.mark.behaviour("test15_keep_alive_nbtype")
def test_what_refers_to_an_object_keeps_it(lib):
    shows = lib.Shows(lib.Clicker(9))
    assert tally(lib) == {"by_value": 1}
    assert shows.clicks() == 9
    del shows
    assert tally(lib) == {"by_value": 1, "ended": 1}


class Answer:
    asks = None

    def __call__(self):
        return 8


@pytest.mark.behaviour("test16_keep_alive_custom")
def test_what_asks_a_callable_keeps_it(lib):
    answer = Answer()
    there = weakref.ref(answer)
    asks = lib.Asks(answer)
    del answer
    assert asks.call() == 8
    del asks
    gc.collect()
    assert (there(), lib.Asks.alive) == (None, 0)
    asks = lib.Asks(lambda: 1)
    asks.put(lambda: 2)  # which C++ alone has from now on
    gc.collect()
    assert asks.call() == 2


@pytest.mark.behaviour("test27b_bound_method_gc")
def test_a_circle_through_cpp_is_opened_by_a_weak_reference(lib):
    answer = Answer()
    there = weakref.ref(answer)
    answer.asks = lib.Asks(lambda: there()())
    assert gc.is_tracked(answer.asks)
    assert gc.is_tracked(answer.asks.call)
    assert answer.asks.call() == 8
    del answer
    gc.collect()
    assert (there(), lib.Asks.alive) == (None, 0)
    answer = Answer()
    there = weakref.ref(answer)
    answer.asks = asks = lib.Asks(answer)
    del answer
    gc.collect()
    assert asks.call() == 8  # what C++ alone has, the collector does not see
    asks.put(lambda: 2)
    del asks
    gc.collect()
    assert (there(), lib.Asks.alive) == (None, 0)


@pytest.mark.behaviour("test17_name_qualname_module")
@pytest.mark.behaviour("test35_method_introspection")
def test_names(lib):
    function = lib.free_function
    assert (function.__module__, function.__name__) == (lib.__name__, "free_function")
    for cls, name in ((lib.Outer, "Outer"), (lib.Outer.Inner, "Outer.Inner")):
        assert (cls.__module__, cls.__qualname__, cls.__name__) == (
            lib.__name__,
            name,
            name.rpartition(".")[2],
        )
        assert (cls.f.__module__, cls.f.__name__, cls().f.__name__) == (lib.__name__, "f", "f")
    assert lib.Outer.Inner.f.__qualname__ == lib.Outer.Inner().f.__qualname__ == "Outer.Inner.f"
    assert lib.Outer.f.__qualname__ == lib.Outer().f.__qualname__ == "Outer.f"
    clicker = lib.Clicker(5)
    bound = clicker.clicks
    assert bound() == bound.__call__() == 5
    assert hash(bound) == bound.__hash__()
    assert repr(bound).startswith("<bound method Clicker.clicks of <")
    assert bound.__self__ is clicker
    assert bound.__func__ is lib.Clicker.clicks
    assert (bound.__qualname__, bound.__doc__) == ("Clicker.clicks", lib.Clicker.clicks.__doc__)


@pytest.mark.behaviour("test18_static_properties")
@pytest.mark.behaviour("test49_static_property_override")
def test_static_variables(lib):
    assert (lib.Static.value, lib.Static2.value) == (23, 23)
    lib.Static.value += 1
    assert (lib.Static.value, lib.Static.get(), lib.Static2.get()) == (24, 24, 24)
    lib.Static2.value = 50
    assert (lib.Static.value, lib.Static.get(), lib.Static2.get()) == (50, 50, 50)
    with pytest.raises(AttributeError, match=r"Static.value is bound to C\+\+ and cannot be deleted"):
        del lib.Static.value
    lib.Static.value = 23
    assert (lib.StaticX.x, lib.StaticX2.x, lib.StaticX2().x) == (42, 43, 43)
    assert (lib.StaticX.y(), lib.StaticX2.y()) == (1, 2)


@pytest.mark.behaviour("test21_type_callback")
def test_the_length_is_what_cpp_says(lib):
    assert len(lib.Row()) == 123


@pytest.mark.behaviour("test25_none_arg")
def test_none_is_a_null_pointer_and_no_object(lib):
    assert lib.is_null(None) is lib.is_null(c=None) is True
    assert lib.is_null(lib.Clicker()) is False
    with pytest.raises(sb.ArgumentError, match="expected an object of Clicker, got None"):
        lib.of_ref(None)


@pytest.mark.behaviour("test26_is_final")
def test_final_classes(lib):
    for base in (lib.Last, lib.LastHandle):
        with pytest.raises(TypeError, match=rf"derives from {base.__name__}, which C\+\+ declares final"):
            type("Mine", (base,), {})


@pytest.mark.behaviour("test27_dynamic_attr", "test44_dynamic_attr_has_dict")
def test_objects_of_python_s_classes_have_attributes(lib):
    one = type("Mine", (lib.Clicker,), {})(1)
    one.extra = 1
    one.extra += 1
    assert one.__dict__ == {"extra": 2}


@pytest.mark.behaviour("test42_weak_references")
def test_an_object_is_cpp_s_bytes_alone(lib):
    for one in (lib.Clicker(1), lib.Int(1)):
        with pytest.raises(AttributeError, match="has no attribute 'extra'"):
            one.extra = 1
        with pytest.raises(AttributeError, match="has no attribute '__dict__'"):
            one.__dict__  # noqa: B018
        assert weakref.ref(one)() is one


@pytest.mark.behaviour("test50_weakref_with_slots_subclass")
def test_classes_of_python_s_have_slots_and_weak_references(lib):
    one = type("Mine", (lib.Clicker,), {"__slots__": ("hello",)})(1)
    one.hello = 3
    assert one.hello == 3
    other = type("Mine", (lib.Clicker,), {"__slots__": ("hello", "__weakref__")})(1)
    assert weakref.ref(other)() is other


@pytest.mark.behaviour("test30_property_assignment_instance", refused=True)
def test_a_member_that_is_an_object_changes_by_its_methods(lib):
    pair = lib.Pair()
    with pytest.raises(sb.ArgumentError, match=r"field 'first' is a C.. object: only its methods change it"):
        pair.first = lib.Clicker(123)
    pair.first.set(123)
    assert (pair.first.clicks(), pair.second.clicks()) == (123, 5)


@pytest.mark.behaviour("test31_cycle")
def test_a_member_that_shares_its_own_class(lib):
    link = lib.Link()
    link.value = link
    assert link.value == link
    link.value = None  # a cycle in C++ is C++'s to open
    assert link.value is None


@pytest.mark.behaviour("test32_type_checks")
def test_isinstance(lib):
    assert [isinstance(one, lib.Clicker) for one in (5, lib.Clicker(), lib.Plus(lib.Clicker()))] == [
        False,
        True,
        True,
    ]


@pytest.mark.behaviour("test33_polymorphic_downcast")
def test_an_object_is_of_the_class_that_it_is_of(lib):
    assert type(lib.plain()) is lib.Base0  # without a virtual function nothing tells
    assert type(lib.poly()) is lib.PolySub
    assert isinstance(lib.unseen(), lib.Poly)


@pytest.mark.behaviour("test34_trampoline_optimization")
def test_cpp_calls_its_own_whatever_python_s_class_says(lib):
    cow, own = lib.Cow("moo"), lib.Cow.name
    try:
        lib.Cow.name = lambda self: "Max"
        assert (cow.name(), lib.says(cow)) == ("Max", "Cow says moo")
    finally:
        lib.Cow.name = own
    assert cow.name() == "Cow"


@pytest.mark.behaviour("test38_pickle", refused=True)
def test_objects_of_cpp_are_not_pickled(lib):
    with pytest.raises(TypeError, match=r"cannot pickle Clicker: it is a C.. object and no bytes"):
        pickle.dumps(lib.Clicker(123))
    assert pickle.loads(pickle.dumps(lib.Int(3))).i == 3  # bytes are


@pytest.mark.behaviour("test41_implicit_conversion_keep_alive")
def test_a_temporary_lives_as_long_as_what_refers_to_it(lib):
    clicker = lib.Clicker(5)
    same = lib.plus_same(clicker)
    del clicker
    assert (type(same), same.clicks()) == (lib.Plus, 6)
    assert tally(lib) == {"by_value": 2}  # and what the temporary was made of, to which it might refer
    del same
    assert tally(lib) == {"by_value": 2, "ended": 2}
    assert lib.plus_value(lib.Clicker(5)).clicks() == 106


@pytest.mark.behaviour("test43_union")
def test_unions(lib):
    either = lib.Either()
    either.i = 42
    assert either.i == 42
    either.f = 2.125
    assert (either.f, either.i) == (2.125, 0x40080000)


@pytest.mark.behaviour("test45_hidden_base")
def test_members_of_a_base_behind_a_table_of_virtual_functions(lib):
    derived = lib.Derived()
    assert (derived.value, derived.polymorphic()) == (10, 10)
    derived.value = 5
    assert derived.get() == 5
    derived.put(20)
    assert (derived.value, derived.answer(), derived.polymorphic()) == (20, 200, 20)


@pytest.mark.behaviour("test46_custom_new")
@pytest.mark.behaviour("test47_inconstructible")
def test_factories(lib):
    one, same, other = lib.Unique.make(10), lib.Unique.make("10"), lib.Unique.make(20)
    assert (one == same, hash(one) == hash(same), one == other) == (True, True, False)
    assert (one.lookups(), other.lookups()) == (2, 1)
    del one
    gc.collect()
    assert lib.Unique.make(10).lookups() == 3
    del same
    gc.collect()
    assert lib.Unique.make(10).lookups() == 1
    with pytest.raises(sb.ArgumentError, match="it is private"):
        lib.Unique(3)
    with pytest.raises(sb.ArgumentError, match=r"Single\(\) makes no object: it has no constructor"):
        lib.Single()


@pytest.mark.behaviour("test47b_state_warning_as_error")
def test_no_object_is_there_before_it_is_made(lib):
    assert lib.Clicker.__new__(lib.Clicker).clicks() == 5
    assert lib.Clicker.__new__(lib.Clicker, 8).clicks() == 8
    for cls in (lib.Unique, lib.Never):
        with pytest.raises(sb.ArgumentError, match=r"got 0 arguments|makes no object"):
            cls.__new__(cls)
    with pytest.raises(TypeError, match="not safe"):
        object.__new__(lib.Clicker)


@pytest.mark.behaviour("test52_noncopyable")
@pytest.mark.behaviour("test53_never_destruct")
def test_what_cpp_alone_makes_and_ends(lib):
    assert lib.Single.instance().get() == 42
    never = lib.Never.make()
    never.set(5)
    assert never.var() == lib.Never.make().var() == 5
    with pytest.raises(sb.ArgumentError, match="its destructor is not public"):
        lib.Never()


@pytest.mark.behaviour("test54_pooled")
@pytest.mark.behaviour("test55_pooled_churn")
@pytest.mark.behaviour("test56_pooled_bounded")
def test_each_of_many_objects_is_ended(lib):
    lib.Pooled.clear()
    for i in range(1000):
        assert lib.Pooled(i).get() == i
    assert lib.Pooled.stats() == (1000, 1000)
    many = [lib.Pooled(i) for i in range(32)]
    assert [one.get() for one in many] == [*range(32)]
    del many
    assert lib.Pooled.stats() == (1032, 1032)
    assert (lib.Pooled(10) + 5).get() == 15
    assert lib.Pooled.stats() == (1034, 1034)


@pytest.mark.behaviour("test59_pooled_threaded")
def test_each_of_many_threads_objects_is_ended(lib):
    def work():
        for i in range(2000):
            one = lib.Pooled(i)
            wrong.extend([i] * ((one + 5).get() != i + 5 or one.get() != i))

    lib.Pooled.clear()
    wrong = []
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    del threads, thread
    assert wrong == []
    assert lib.Pooled.stats() == (2 * 8 * 2000, 2 * 8 * 2000)


@pytest.mark.behaviour("test65_init_subclass_setattr", refused=True)
@pytest.mark.behaviour("test66_uninitialized_type_use", refused=True)
def test_classes_that_python_derives(lib):
    class Told(lib.Cow):
        def __init_subclass__(cls, **options):
            super().__init_subclass__(**options)
            cls.foo, cls.one = 123, cls("moo")

    class Named:
        def __set_name__(self, owner, name):
            owner.bar, owner.one = name, owner("moo")

    derived, named = type("Derived", (Told,), {}), type("Derived", (lib.Cow,), {"descr": Named()})
    assert (derived.foo, named.bar) == (123, "descr")
    for cls in (derived, named):
        assert isinstance(cls.one, cls)
        assert lib.says(cls.one) == "Cow says moo"
    for bases in ((Named, lib.Cow), (lib.Cow, Named)):
        with pytest.raises(TypeError, match="Named, whose instances have attributes of their own"):
            type("Mixed", bases, {})
    with pytest.raises(
        TypeError, match=r"class Bare needs __slots__ = \(\): its instances are C\+\+ objects"
    ):
        type.__new__(type(lib.Cow), "Bare", (lib.Cow,), {})("moo")
