"""Pairs of classes of one name in two libraries, one respect changed or none, in each form of passing.

``class_pairs.py SEED COUNT``: an object of the first library's class goes to the second's functions. Where the classes
are the same it is taken, and C++ reads it right; where they differ the call is refused. The end says ``wrong: []``.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

import samebytes as sb

HEAD = """
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
"""
TYPES = (
    "int",
    "short",
    "double",
    "char",
    "long",
    "float",
    "bool",
    "unsigned",
    "int*",
    "const char*",
    "void*",
)
# A function of a class C, and how Python calls it with an object of the other library's.
FORMS: dict[str, tuple[str, Callable[[Any, Any, Any], Any]]] = {
    "value": ("int f(C x) { return x.key; }", lambda f, x, lib: f(x)),
    "const reference": ("int f(const C& x) { return x.key; }", lambda f, x, lib: f(x)),
    "reference": ("int f(C& x) { return x.key; }", lambda f, x, lib: f(x)),
    "rvalue": ("int f(C&& x) { return x.key; }", lambda f, x, lib: f(x)),
    "pointer": ("int f(C* x) { return x->key; }", lambda f, x, lib: f(x)),
    "const pointer": ("int f(const C* x) { return x->key; }", lambda f, x, lib: f(x)),
    "shared": ("int f(std::shared_ptr<C> x) { return x->key; }", lambda f, x, lib: f(x)),
    # The first library has its objects inside of Python's: the second's own copy can be taken over.
    "unique": (
        "int f(std::unique_ptr<C> x) { return x->key; }",
        lambda f, x, lib: f(getattr(lib, type(x).__name__)(x)),
    ),
    "list": ("int f(const std::vector<C>& x) { return x[0].key; }", lambda f, x, lib: f([x])),
    "list of pointers": ("int f(std::vector<C*> x) { return x[0]->key; }", lambda f, x, lib: f([x])),
    "optional": ("int f(std::optional<C> x) { return x->key; }", lambda f, x, lib: f(x)),
    "pair": ("int f(std::pair<int, C> x) { return x.second.key; }", lambda f, x, lib: f((1, x))),
    "callable": ("int f(std::function<C*()> g) { return g()->key; }", lambda f, x, lib: f(lambda: x)),
}


def _changed(rng: random.Random, parts: list[str], base: str, head: str) -> tuple[list[str], str, str]:
    """The same parts with one change, of which each is another class to C++."""
    made = [*parts]
    at = rng.randrange(len(made))
    kind = rng.choice(
        ("type", "order", "added", "hidden", "removed", "array", "base", "aligned", "virtual", "name")
    )
    field = f"extra{rng.randrange(100)}"
    if kind == "order" and len(made) > 1 and made[0] != made[1]:
        made[0], made[1] = made[1], made[0]
    elif kind == "added":
        made.insert(at, f"int {field} = 1;")
    elif kind == "hidden":
        made.append(f"private: double {field} = 2; public:")
    elif kind == "removed" and len(made) > 1:
        made.remove(rng.choice([part for part in made if " key" not in part]))
    elif kind == "array":
        made.append(f"char {field}[3] = {{}};")
    elif kind == "base":
        base = "Two" if base == "One" else "One"
    elif kind == "aligned":
        head = "struct alignas(32)"
    elif kind == "virtual":
        made.append("virtual int more() { return 1; }")
    elif kind == "name":
        made.append(f"short {field} = 3;")
    else:
        made.append(f"long {field} = 4;")
    return made, base, head


def _class(rng: random.Random, number: int) -> tuple[str, str, bool]:
    """A class as one library has it and as the other has it, and whether they are the same."""
    name = f"C{number}"
    parts = [f"{rng.choice(TYPES)} m{i} = {{}};" for i in range(rng.randrange(1, 5))]
    parts.insert(rng.randrange(len(parts) + 1), f"int key = {number + 40};")
    if rng.random() < 0.3:
        parts.append("private: int hidden = 5; public:")
    if rng.random() < 0.3:
        parts.append("virtual int self() const { return key; }")
    if rng.random() < 0.3:
        parts.append("int plain() const { return key; }")
    base, head = rng.choice(("", "", "One", "Two")), "struct"

    def text(parts: list[str], base: str, head: str) -> str:
        derives = f" : {base}" if base else ""
        return f"{head} {name}{derives} {{ {' '.join(parts)} virtual ~{name}() {{}} }};"

    same = rng.random() < 0.3
    old = text(parts, base, head)
    return old, old if same else text(*_changed(rng, parts, base, head)), same


def run(seed: int, count: int) -> tuple[int, int, list[str]]:
    """How many calls were taken and refused, and what was wrong."""
    rng = random.Random(seed)
    pairs = [_class(rng, number) for number in range(count)]
    bases = HEAD + "struct One { int one = 1; };\nstruct Two { double two = 2; };\n"
    made = "".join(f"inline C{i}* make{i}() {{ return new C{i}; }}\n" for i in range(count))
    functions = "".join(
        f"namespace n{form} {{ inline {text.replace('f(', f'f{i}(').replace('C', f'C{i}')} }}\n"
        for i in range(count)
        for form, (text, _) in enumerate(FORMS.values())
    )
    first = sb.compile(bases + "\n".join(old for old, _, _ in pairs) + "\n" + made, name=f"first_{seed}")
    second = sb.compile(
        bases + "\n".join(new for _, new, _ in pairs) + "\n" + functions, name=f"second_{seed}"
    )
    taken = refused = 0
    wrong = []
    for i, (old, new, same) in enumerate(pairs):
        for form, (words, (_, call)) in enumerate(FORMS.items()):
            f = getattr(getattr(second, f"n{form}"), f"f{i}")
            try:
                got = call(f, getattr(first, f"C{i}")(), second)
            except sb.Error as error:
                refused += 1
                if same:
                    wrong.append(f"{words}: refused though the same: {old}: {error}")
                continue
            taken += 1
            if not same or got != i + 40:
                wrong.append(f"{words}: {got}: {old} | {new}")
    return taken, refused, wrong


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    taken, refused, wrong = run(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{taken} taken, {refused} refused")
    print("wrong:", wrong[:20])
