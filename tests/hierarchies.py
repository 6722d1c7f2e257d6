"""Overload sets on a hierarchy of classes, each in C++ beside what C++ chooses of it."""

CLASSES = """
#include <type_traits>
#include <utility>
struct A { int a = 1; virtual ~A() {} };
struct B : A { int b = 2; };
struct C : B { int c = 3; };
struct D : C {};
struct X : A { int x = 4; };
struct Y : B, X {};
struct VA : virtual A {};
struct VB : VA {};
struct P { int p; };
struct Q : P { int q; };
struct R : Q { int r; };
"""
# An overload set: parameter lists.
SETS = {
    "reads": ("const A&", "const B&"),
    "writes": ("A&", "C&"),
    "mixed": ("A&", "const B&"),
    "mixed_too": ("const A&", "B&"),
    "own": ("B&", "const B&"),
    "points": ("A*", "B*"),
    "reads_from": ("const A*", "const C*"),
    "points_mixed": ("A*", "const B*"),
    "anywhere": ("void*", "A*"),
    "plain": ("P", "Q"),
    "plain_reads": ("const P&", "const R&"),
    "plain_points": ("const P*", "const Q*"),
    "plain_writes": ("P&", "const Q&"),
    "pair": ("const A&, const B&", "const B&, const A&"),
    "counted": ("const A&, double", "const B&, int"),
    "sides": ("const B&", "const X&"),
    "virtually": ("const A&", "const VA&"),
    "three": ("const A&", "const B&", "const C&"),
    "taken": ("const A&", "B&&"),
}
GIVEN = {
    **dict.fromkeys(SETS, tuple("ABCDXY")),
    **{name: tuple("PQR") for name in SETS if name.startswith("plain")},
    "virtually": ("A", "VA", "VB"),
    "pair": ("A, B", "B, A", "B, B", "C, C", "X, B"),
    "counted": ("C, int", "A, int", "A, double"),  # not C and double: for C++, that is an int, too
    # Not Y, which has two As: C++ chooses, and refuses what it has chosen.
    "anywhere": tuple("ABCDX"),
    "taken": tuple("ABCDX"),
}
CASES = [(name, given) for name in SETS for given in GIVEN[name]]


def _types(name, given):
    """The arguments' types as C++ has them: objects with names; their addresses where the set takes pointers."""
    sign = "*" if "*" in "".join(SETS[name]) else "&"
    return [g if g in ("int", "double") else g + sign for g in given.split(", ")]


def source():
    """The overloads, free and as methods, and for each case what C++ chooses: a number, or -1 for no choice."""
    text, answers = CLASSES, ""
    for name, lists in SETS.items():
        for i, parameters in enumerate(lists):
            text += f"inline int {name}({parameters}) {{ return {i}; }}\n"
            answers += f"inline std::integral_constant<int, {i}> {name}({parameters}) {{ return {{}}; }}\n"
        methods = "".join(f" int call({p}) {{ return {i}; }}" for i, p in enumerate(lists))
        text += f"struct M_{name} {{{methods} }};\n"
    answers += "template <class, class T> struct later { using type = T; };\n"
    for i, (name, given) in enumerate(CASES):
        values = ", ".join(f"std::declval<typename later<T, {t}>::type>()" for t in _types(name, given))
        answers += (
            f"template <class T, class = void> struct case{i} : std::integral_constant<int, -1> {{}};\n"
            f"template <class T> struct case{i}<T, std::void_t<decltype(answers::{name}({values}))>>"
            f" : decltype(answers::{name}({values})) {{}};\n"
        )
    every = ", ".join(f"answers::case{i}<int>::value" for i in range(len(CASES)))
    return f"{text}namespace answers {{\n{answers}}}\nint answer(int i) {{ int all[] = {{{every}}}; return all[i]; }}"


def arguments(lib, given):
    """A case's arguments in Python."""
    numbers = {"int": 1, "double": 1.5}
    return [numbers[g] if g in numbers else getattr(lib, g)() for g in given.split(", ")]
