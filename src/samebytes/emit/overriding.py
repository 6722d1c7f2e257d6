"""The C++ class between one of C++'s and those that Python derives from it: each virtual function asks Python first.

Its table has a ``std::function`` for each of them, empty where C++'s own runs; all objects of one class of Python's
share one table, and an object without one is C++'s alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from ..frozen import frozen
from ..model.symbols import OVERRIDING
from ..toolchain.verifying import digest
from ..types import Handle, Virtual
from ..types.naming import BENEATH, split_name

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
// What Python gives in place of what C++ refers to: for each thread as long as the object, or until it is asked again.
template <class T> class kept {
 public:
  kept() {}
  kept(const kept&) {}
  kept& operator=(const kept&) { return *this; }
  const T& operator()(T&& value) {
    const std::lock_guard<std::mutex> held(lock_);
    std::unique_ptr<T>& place = places_[std::this_thread::get_id()];
    if (place) put(place, static_cast<T&&>(value), std::is_move_assignable<T>());
    else place.reset(new T(static_cast<T&&>(value)));
    return *place;
  }
 private:
  using place_of = std::unique_ptr<T>;
  static void put(place_of& place, T&& value, std::true_type) { *place = static_cast<T&&>(value); }
  static void put(place_of& place, T&& value, std::false_type) { place.reset(new T(static_cast<T&&>(value))); }
  std::mutex lock_;
  std::map<std::thread::id, std::unique_ptr<T>> places_;
};
struct kept_text : kept<std::string> {
  const char* operator()(const char* text) { return text ? kept<std::string>::operator()(text).c_str() : text; }
};
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
# What Python has as a value: a reference to one is to what the object keeps.
_VALUES = (
    "basic_string vector list deque map multimap unordered_map unordered_multimap set multiset unordered_set "
    "unordered_multiset pair tuple optional variant array complex shared_ptr bitset filesystem::path"
).replace(" ", "|")
_NUMBER = r"(?:(?:un)?signed |char|short|int|long|float|double|bool| )+"
_REFERENCE = re.compile(rf"const (std::(?:{_VALUES})\b.*|{_NUMBER}) &")
_VIEW = re.compile(r"std::basic_string_view(<.*>)")
_TEXT = "const char *"


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
        *(
            f"#include <{name}>"
            for name in ("functional", "map", "memory", "mutex", "string", "thread", "type_traits")
        ),
        f"namespace {SPACE} {{",
        _HELPERS,
        f"struct {made};",
        f"struct {table} {{",
        f"  ~{table}() {{}}",
        *(f"  std::function<{_called(slot.virtual, made)}> {slot.name};" for slot in found),
        "};",
        f"struct {made} : ::{base} {{",
        f"  using ::{base}::{split_name(struct.name)[-1].partition('<')[0]};",
        *_constructors(struct, made, base),
        f"  void {ATTACH}(const {table}& samebytes_to, unsigned long samebytes_is_over,",
        "      unsigned long samebytes_ends) {",
        "    samebytes_over = reinterpret_cast<bool (*)()>(samebytes_is_over);",
        "    samebytes_watch.object = this;",
        "    samebytes_watch.ended = reinterpret_cast<void (*)(const void*)>(samebytes_ends);",
        "    samebytes_table = &samebytes_to;",
        "  }",
        *(line for slot in found if _has_own(slot.virtual) for line in _owns(slot.virtual, found)),
        " private:",
        f"  static const {table}* samebytes_none() {{",
        f"    static const {table}* const none = new {table}();",
        "    return none;",
        "  }",
        f"  const {table}* samebytes_table = samebytes_none();",
        "  static bool samebytes_not_yet() { return true; }",
        "  bool (*samebytes_over)() = samebytes_not_yet;",
        *(f"  mutable {keep} {_KEPT}{slot.name};" for slot in found if (keep := _keep(slot.virtual))),
        *(_override(slot, made) for slot in found),
        "  watch samebytes_watch;",
        "};",
        *([f"inline void {TAKE}(std::unique_ptr<{made}>) {{}}"] if given else []),
        "}",
        "",
    ]
    return Overriding(made, table, found, "\n".join(lines))


def _constructors(struct: Handle, made: str, base: str) -> list[str]:
    """The protected constructors, which ``using`` leaves so."""
    found = [f for member in struct.protected if not member.name for f in member.functions]
    lines = [] if not found or any(not f.arguments for f in found) else [f"  {made}() = default;"]
    for function in found:
        named = all(function.names) and len(set(function.names)) == len(function.names)
        names = function.names if named else tuple(f"samebytes_{i}" for i in range(len(function.names)))
        types = [f"as_is<{argument}>::type" for argument in function.arguments]
        written = [f"as_is<{argument}>::type" for argument in function.written]
        taken = ", ".join(f"{type_} {name}" for type_, name in zip(written, names, strict=True))
        given = ", ".join(
            f"static_cast<{type_} &&>({name})" for type_, name in zip(types, names, strict=True)
        )
        lines.append(f"  {made}({taken}) : ::{base}({given}) {{}}")
    return lines


def own_name(virtual: Virtual) -> str:
    """The function that is C++'s own, of all its overloads."""
    if virtual.name.isidentifier():
        return OWN + virtual.name
    return OWN_OPERATOR + virtual.method.strip("_")


def _has_own(virtual: Virtual) -> bool:
    return virtual.access != _PRIVATE and not virtual.pure


_KEPT = "samebytes_kept_"


def kept_value(virtual: Virtual) -> str:
    """What Python gives where a function's result refers to it, and the object keeps it; empty where it keeps none."""
    if virtual.enumeration:
        return virtual.enumeration
    if found := _REFERENCE.fullmatch(virtual.result):
        return found[1]
    found = _VIEW.fullmatch(virtual.result)
    return f"std::basic_string{found[1]}" if found else ""


def _keep(virtual: Virtual) -> str:
    value = kept_value(virtual)
    return f"kept<{value}>" if value else "kept_text" * (virtual.result == _TEXT)


def _called(virtual: Virtual, made: str) -> str:
    result = kept_value(virtual) or f"asked<{virtual.result}>::type"
    return f"{result} ({', '.join([f'{made} &', *virtual.arguments])})"


def fewer(virtual: Virtual) -> list[tuple[str, ...]]:
    """The parameters of calls that leave the rest to C++'s default arguments."""
    count = len(virtual.arguments)
    return [virtual.arguments[:n] for n in range(count - virtual.defaults, count)]


def _owns(virtual: Virtual, known: Collection[Slot]) -> list[str]:
    """C++'s own function, also for calls with fewer arguments, where no other has just those."""
    others = {slot.virtual.arguments for slot in known if slot.virtual.name == virtual.name}
    given = [replace(virtual, arguments=a) for a in fewer(virtual) if a not in others]
    return [_own(each) for each in (virtual, *given)]


def _parameters(virtual: Virtual) -> str:
    return ", ".join(f"as_is<{a}>::type samebytes_{i}" for i, a in enumerate(virtual.written))


def _head(virtual: Virtual, name: str) -> str:
    parameters = _parameters(virtual)
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
    told = f"samebytes_table->{slot.name}({given})"
    kept = f"{_KEPT}{slot.name}({told})" if _keep(virtual) else told
    asked = f"if (samebytes_table->{slot.name} && !samebytes_over()) return {kept};"
    own = _own_call(virtual) if _has_own(virtual) else f"nothing<as_is<{virtual.result}>::type>(0)"
    return f"{_head(virtual, virtual.name)} override {{ {asked} return {own}; }}"
