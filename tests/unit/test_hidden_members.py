"""A member of a derived class hides its base's of the same name, whatever the two are."""

import itertools

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

# What declares the name, in a class whose number is N, and what Python reads of an object of that class.
KINDS = {
    "enumerator": ("enum E@ { name = N };", lambda cls, one: cls.name),
    "static constant": ("static const int name = N;", lambda cls, one: cls.name),
    "constexpr": ("static constexpr int name = N;", lambda cls, one: cls.name),
    "static variable": ("inline static int name = N;", lambda cls, one: cls.name),
    "static method": ("static int name() { return N; }", lambda cls, one: cls.name()),
    "method": ("int name() const { return N; }", lambda cls, one: one.name()),
    "virtual method": ("virtual int name() const { return N; }", lambda cls, one: one.name()),
    "member": ("int name = N;", lambda cls, one: one.name),
    "text": ("std::string name = std::to_string(N);", lambda cls, one: int(one.name)),
}
# In a class that is passed by value, and in one that Python holds by a handle.
EXTRA = {"plain": "", "handle": "~@() {} std::string keeps;"}
# C++ refuses what is virtual in the base and static below.
_REFUSED = ("virtual method", "static method")
PAIRS = [
    (f"P{i}", base, derived, extra)
    for i, (base, derived, extra) in enumerate(itertools.product(KINDS, KINDS, EXTRA))
    if (base, derived) != _REFUSED
]


def _class(name, kind, number, extra, base=""):
    member = KINDS[kind][0].replace("@", name).replace("N", str(number))
    return f"struct {name} {base} {{ {EXTRA[extra].replace('@', name)} {member} }};\n"


@pytest.fixture(scope="module")
def lib():
    source = "#include <string>\n"
    for name, base, derived, extra in PAIRS:
        source += _class(f"B{name}", base, 12, extra)
        source += _class(f"D{name}", derived, 13, extra, f": B{name}")
    return sb.compile(source)


@pytest.mark.parametrize(("name", "base", "derived", "extra"), PAIRS)
def test_the_derived_class_s_own(lib, name, base, derived, extra):
    first, last = getattr(lib, f"B{name}"), getattr(lib, f"D{name}")
    assert KINDS[base][1](first, first()) == 12
    assert KINDS[derived][1](last, last()) == 13
    assert KINDS[base][1](first, first()) == 12
