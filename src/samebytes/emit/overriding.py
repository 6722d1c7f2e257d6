"""The C++ class between one of C++'s and those that Python derives from it: each virtual function asks Python first.

Its table has a ``std::function`` for each of them, empty where C++'s own runs; all objects of one class of Python's
share one table, and an object without one is C++'s alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ..frozen import frozen
from ..model.symbols import OVERRIDING
from ..toolchain.verifying import digest
from ..types import Handle, Virtual
from ..types.naming import BENEATH

SPACE, OWN, ATTACH = OVERRIDING, "samebytes_own_", "samebytes_attach"
# Before what an operator is called in Python.
OWN_OPERATOR = "samebytes_own_operator_"
# What nobody calls: it says that C++ may take the objects over, which decides where they lie.
TAKE = "samebytes_take"
_PRIVATE = 3
# What a pure function gives when Python has ended; of what has no default, an empty std::function raises the error.
_HELPERS = """\
template <class T> struct as_is { using type = T; };
// What Python gives in place of a result: it gives no references but to objects.
template <class T> struct asked { using type = T; };
template <class T> struct asked<T &> { using type = std::reference_wrapper<T>; };
template <class R>
typename std::enable_if<std::is_void<R>::value || std::is_default_constructible<R>::value, R>::type nothing(int) {
  return R();
}
template <class R> R nothing(long) { return std::function<typename asked<R>::type()>()(); }
// Says when the object that it is a member of ends; a copy of that is another object, of which nobody asks.
struct watch {
  const void* object = nullptr;
  void (*ended)(const void*) = nullptr;
  watch() {}
  watch(const watch&) {}
  watch& operator=(const watch&) { return *this; }
  ~watch() { if (ended) ended(object); }
};"""
_OTHERS = re.compile(r"\W+")


@frozen
class Slot:
    """One virtual function in the table.

    Attributes
    ----------
    name : str
        Of the table's member.
    """

    name: str
    virtual: Virtual


def slots(struct: Handle, privates: Collection[str]) -> tuple[Slot, ...]:
    """The virtual functions that classes of Python's may override, those that are private where they are named."""
    chosen = [v for v in struct.virtuals if _is_open(v, privates)]
    return tuple(Slot(f"f{i}", v) for i, v in enumerate(chosen))


def _is_open(virtual: Virtual, privates: Collection[str]) -> bool:
    reached = virtual.access != _PRIVATE or virtual.pure or virtual.name in privates
    return reached and not virtual.final and not virtual.barred


@frozen
class Overriding:
    """The class for one class of C++'s.

    Attributes
    ----------
    object, table : str
        The names of the class and of its table, without their namespace.
    slots : tuple of Slot
    text : str
    """

    object: str
    table: str
    slots: tuple[Slot, ...]
    text: str


def overriding(struct: Handle, privates: Collection[str], library: str, given: bool) -> Overriding:
    """The class, its table, and what each function is without Python.

    Parameters
    ----------
    library : str
        Tells the classes of several libraries apart.
    given : bool
        Whether a ``std::unique_ptr`` may take its objects over.
    """
    found = slots(struct, privates)
    base = struct.spelling or struct.name
    said = digest(repr((library, base, found, given)).encode())[:12]
    made = f"{_OTHERS.sub('_', struct.short_name)}{BENEATH}{said}"
    table = f"table_{said}"
    lines = [
        "#include <functional>",
        "#include <memory>",
        f"namespace {SPACE} {{",
        _HELPERS,
        f"struct {made};",
        f"struct {table} {{",
        f"  ~{table}() {{}}",
        *(f"  std::function<{_called(slot.virtual, made)}> {slot.name};" for slot in found),
        "};",
        f"struct {made} : ::{base} {{",
        f"  using ::{base}::{struct.short_name.partition('<')[0]};",
        f"  void {ATTACH}(const {table}& samebytes_to, unsigned long samebytes_is_over,",
        "      unsigned long samebytes_ends) {",
        "    samebytes_over = reinterpret_cast<bool (*)()>(samebytes_is_over);",
        "    samebytes_watch.object = this;",
        "    samebytes_watch.ended = reinterpret_cast<void (*)(const void*)>(samebytes_ends);",
        "    samebytes_table = &samebytes_to;",
        "  }",
        *(_own(slot.virtual) for slot in found if _has_own(slot.virtual)),
        " private:",
        f"  static const {table}* samebytes_none() {{",
        f"    static const {table}* const none = new {table}();",
        "    return none;",
        "  }",
        f"  const {table}* samebytes_table = samebytes_none();",
        "  static bool samebytes_not_yet() { return true; }",
        "  bool (*samebytes_over)() = samebytes_not_yet;",
        *(_override(slot, made) for slot in found),
        "  watch samebytes_watch;",
        "};",
        *([f"inline void {TAKE}(std::unique_ptr<{made}>) {{}}"] if given else []),
        "}",
        "",
    ]
    return Overriding(made, table, found, "\n".join(lines))


def own_name(virtual: Virtual) -> str:
    """The function that is C++'s own, of all its overloads."""
    if virtual.name.isidentifier():
        return OWN + virtual.name
    return OWN_OPERATOR + virtual.method.strip("_")


def _has_own(virtual: Virtual) -> bool:
    return virtual.access != _PRIVATE and not virtual.pure


def _called(virtual: Virtual, made: str) -> str:
    return f"asked<{virtual.result}>::type ({', '.join([f'{made} &', *virtual.arguments])})"


def _head(virtual: Virtual, name: str) -> str:
    parameters = ", ".join(f"as_is<{a}>::type samebytes_{i}" for i, a in enumerate(virtual.arguments))
    promise = " noexcept" * virtual.noexcept
    return f"  auto {name}({parameters}) {virtual.qualifiers}{promise} -> as_is<{virtual.result}>::type"


def _given(virtual: Virtual) -> list[str]:
    return [f"static_cast<as_is<{a}>::type &&>(samebytes_{i})" for i, a in enumerate(virtual.arguments)]


def _own_call(virtual: Virtual) -> str:
    return f"this->::{virtual.home}::{virtual.name}({', '.join(_given(virtual))})"


def _own(virtual: Virtual) -> str:
    return f"{_head(virtual, own_name(virtual))} {{ return {_own_call(virtual)}; }}"


def _override(slot: Slot, made: str) -> str:
    virtual = slot.virtual
    given = ", ".join([f"const_cast<{made} &>(*this)", *_given(virtual)])
    asked = f"if (samebytes_table->{slot.name} && !samebytes_over()) return samebytes_table->{slot.name}({given});"
    own = _own_call(virtual) if _has_own(virtual) else f"nothing<as_is<{virtual.result}>::type>(0)"
    return f"{_head(virtual, virtual.name)} override {{ {asked} return {own}; }}"
