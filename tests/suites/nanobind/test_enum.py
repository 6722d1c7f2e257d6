"""nanobind's test_enum.py in our words: scoped and unscoped enumerations, flags, and odd names of enumerators."""

from __future__ import annotations

import enum

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]

SOURCE = r"""
#include <cstdint>
#include <string>
#include <type_traits>
/** Which one it is. */
enum class Which : std::uint32_t { A, B, C = 0xffffffffu };
enum class Signed : std::int32_t { A, B, C = -1 };
enum Plain { First, Second };
enum class Bits : std::uint64_t { A = 1, B = 2, C = 4, All = 0xffffffffffffffffull };
constexpr Bits operator|(Bits a, Bits b) { return Bits(std::uint64_t(a) | std::uint64_t(b)); }
constexpr Bits operator&(Bits a, Bits b) { return Bits(std::uint64_t(a) & std::uint64_t(b)); }
constexpr Bits operator^(Bits a, Bits b) { return Bits(std::uint64_t(a) ^ std::uint64_t(b)); }
enum class Odd { name, value, extra };
std::uint32_t number(Which w) { return std::uint32_t(w); }
std::int32_t signed_number(Signed s) { return std::int32_t(s); }
std::uint64_t bits(Bits b) { return std::uint64_t(b); }
int plain(Plain p) { return p; }
Which which(std::uint32_t n) { return Which(n); }
Bits some(std::uint64_t n) { return Bits(n); }
std::string overloaded(Which) { return "Which"; }
std::string overloaded(Signed) { return "Signed"; }
std::string overloaded(int) { return "int"; }
int odd(Odd o = Odd::name) { return int(o); }
Plain next(Plain p) { return p == First ? Second : First; }
struct Holder { Which which = Which::A; Which get() const { return which; } };
struct Wrapper {
  enum Value { Alpha, Beta, Gamma };
  Wrapper(Value v) : value(v) {}
  operator Value() const { return value; }
  explicit operator bool() const = delete;
  Value get() const { return value; }
 private:
  Value value;
};
int of_wrapper(const Wrapper& w) { return w.get(); }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, std="c++17", name="nb_enum")


@pytest.mark.behaviour("test01_unsigned_enum")
def test_an_enumeration_without_sign(lib):
    cls = lib.Which
    assert issubclass(cls, enum.Enum)
    assert [(m.name, m.value) for m in cls] == [("A", 0), ("B", 1), ("C", 0xFFFFFFFF)]
    assert cls(0xFFFFFFFF) is cls.C
    assert cls(cls.B) is cls.B
    assert "Which one it is." in cls.__doc__
    assert [lib.number(m) for m in cls] == [0, 1, 0xFFFFFFFF]
    assert lib.which(1) is cls.B
    assert lib.which(0xFFFFFFFF) is cls.C
    # C++ has enumerators without a name, and they cross; Python's class has none for what nobody gave it
    assert lib.number(lib.which(5)) == 5
    with pytest.raises(sb.RangeError, match="Its numbers are 0 to 4294967295"):
        lib.number(2**32)


@pytest.mark.behaviour("test02_signed_enum")
def test_an_enumeration_with_sign(lib):
    cls = lib.Signed
    assert [(m.name, int(m.value)) for m in cls] == [("A", 0), ("B", 1), ("C", -1)]
    assert cls(-1) is cls.C
    assert lib.signed_number(cls.C) == -1


@pytest.mark.behaviour("test03_enum_arithmetic")
def test_enumerators_are_integers_of_python_and_keep_their_class_in_cpp(lib):
    second = lib.Plain.Second
    assert (second + 2, 2.5 + second, second << second, -second, second & ~second) == (3, 3.5, 2, -1, 0)
    assert isinstance(lib.Which.B, enum.IntEnum)
    assert lib.overloaded(lib.Which.B) == "Which"
    assert lib.overloaded(lib.Which.B + 1) == "int"
    with pytest.raises(TypeError, match="unsupported operand"):
        second >> 1.0
    with pytest.raises(TypeError, match="unsupported operand"):
        second - "1"


@pytest.mark.behaviour("test04_enum_export")
def test_unscoped_enumerators_are_names_of_their_scope(lib):
    assert lib.First is lib.Plain.First
    assert lib.Second == 1
    assert not hasattr(lib, "B")


@pytest.mark.behaviour("test05_enum_property")
def test_fields_and_results_are_enumerators(lib):
    held = lib.Holder()
    assert held.which is lib.Which.A
    held.which = lib.Which.B
    assert held.get() is lib.Which.B
    with pytest.raises(sb.ArgumentError, match="expected Which"):
        held.which = lib.Signed.B


@pytest.mark.behaviour("test08_enum_comparisons")
def test_they_compare_as_numbers_and_choose_overloads_as_what_they_are(lib):
    second = lib.Plain.Second
    for number in (0, 0.5, 1, 1.5, 2):
        assert (second == number, second < number, number >= second) == (number == 1, number > 1, number >= 1)
    assert second != "1"
    with pytest.raises(TypeError):
        second < "1"  # noqa: B015
    assert lib.overloaded(lib.Which.B) == "Which"
    assert lib.overloaded(lib.Signed.B) == "Signed"
    assert lib.overloaded(lib.Plain.Second) == "int"
    assert lib.overloaded(1) == "int"


@pytest.mark.behaviour("test06_enum_flag")
def test_flags_are_what_cpps_operators_make_of_them(lib):
    a, b, c = lib.Bits.A, lib.Bits.B, lib.Bits.C
    assert lib.bits(a | b) == 3
    assert lib.bits((a | b) & a) == 1
    assert lib.bits((a | b) ^ a) == 2
    assert (a | b | c) == lib.some(7)
    assert lib.Bits.All.value == 2**64 - 1
    assert lib.bits(lib.Bits.All) == 2**64 - 1
    assert lib.bits(lib.some(8)) == 8  # C++ allows what no enumerator names


@pytest.mark.behaviour("test09_enum_methods")
def test_functions_of_cpps_take_and_give_enumerators(lib):
    assert lib.next(lib.First) is lib.Second
    assert lib.plain(lib.next(lib.Second)) == 0


@pytest.mark.behaviour("test11_enum_name_value_members")
def test_enumerators_named_name_and_value(lib):
    assert [lib.odd(m) for m in lib.Odd] == [0, 1, 2]
    assert lib.odd() == 0
    found = {m._name_: m._value_ for m in lib.Odd}
    assert sorted(found.values()) == [0, 1, 2]
    assert {n.rstrip("_") for n in found} == {"name", "value", "extra"}


@pytest.mark.behaviour("test13_no_implicit_self_conversion")
def test_the_object_of_a_method_is_never_converted(lib):
    beta = lib.Wrapper.Beta
    wrapper = lib.Wrapper(beta)
    assert wrapper.get() == lib.Wrapper.get(wrapper) == beta
    assert lib.of_wrapper(beta) == 1  # a parameter is
    with pytest.raises(TypeError):
        lib.Wrapper.get(beta)
