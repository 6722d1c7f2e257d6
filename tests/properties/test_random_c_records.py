"""Random C structs and unions in ``style="c_api"``: what C writes Python reads, and the other way round."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
from typing import Any, NamedTuple

import pytest

import samebytes as sb
from samebytes.layouts import has_pointers
from samebytes.values.fields import has_compared_fields

COUNT = 60
RANGES = {
    "char": (-128, 127), "signed char": (-128, 127), "unsigned char": (0, 255), "short": (-(2**15), 2**15 - 1),
    "unsigned short": (0, 2**16 - 1), "int": (-(2**31) + 1, 2**31 - 1), "unsigned": (0, 2**32 - 1),
    "long": (-(2**63) + 1, 2**63 - 1), "unsigned long": (0, 2**64 - 1), "_Bool": (0, 1), "float": (-(2**20), 2**20),
    "double": (-(2**50), 2**50), "color_t": (0, 9), "sign_t": (-3, 4), "void *": (0, 2**47), "step_t": (0, 2**47),
}  # fmt: skip
NUMBERS = [name for name in RANGES if name not in ("void *", "step_t")]
BITS = {
    "int": 32,
    "unsigned": 32,
    "unsigned char": 8,
    "short": 16,
    "long": 64,
    "unsigned long": 64,
    "_Bool": 1,
}
PRELUDE = """#include <stddef.h>
typedef enum { RED, GREEN, BLUE = 5 } color_t;
typedef enum { LESS = -3, MORE = 4 } sign_t;
typedef int (*step_t)(int, void*);
"""


class Leaf(NamedTuple):
    """A number inside a record: how C and Python reach it, its type, and a value."""

    c: str
    python: tuple[Any, ...]
    type: str
    value: int


class Writer:
    """Random records; unions only have their first member written."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.records: list[tuple[str, list[Leaf]]] = []

    def often(self, *pairs: tuple[int, str]) -> str:
        return self.random.choices([text for _, text in pairs], [weight for weight, _ in pairs])[0]

    def leaf(self, name: str, type_: str, low: int, high: int, *index: Any) -> Leaf:
        value = self.random.choice([low, high, self.random.randint(low, high)])
        return Leaf(
            name + "".join(f"[{i}]" for i in index), (name, *([index] if index else [])), type_, value
        )

    def member(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        kinds = ["number", "array", "bits", "bits", "address", *["inside", "unnamed"] * (depth < 3)]
        return getattr(self, f"_{self.random.choice([*kinds, *['record'] * bool(self.records)])}")(
            name, depth
        )

    def _number(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        type_ = self.random.choice(NUMBERS)
        aligned = self.often((8, ""), (1, f" __attribute__((aligned({self.random.choice([2, 8, 32])})))"))
        return f"{type_} {name}{aligned};", [self.leaf(name, type_, *RANGES[type_])]

    def _array(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        type_ = self.random.choice([t for t in NUMBERS if t != "char"])  # an array of char is text
        shape = [self.random.randint(1, 3) for _ in range(self.random.randint(1, 3))]
        declared = f"{type_} {name}{''.join(f'[{n}]' for n in shape)};"
        return declared, [self.leaf(name, type_, *RANGES[type_], *(self.random.randrange(n) for n in shape))]

    def _bits(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        type_ = self.random.choice(list(BITS))
        width = self.random.randint(1, BITS[type_])
        signed = RANGES[type_][0] < 0
        limits = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
        gap = self.often((5, ""), (1, "int : 0; "), (1, "int : 3; "))
        return f"{gap}{type_} {name} : {width};", [self.leaf(name, type_, *limits)]

    def _address(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        type_ = self.random.choice(["void *", "step_t"])
        return f"{type_} {name};", [self.leaf(name, type_, *RANGES[type_])]

    def _unnamed(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        text, found = self.body(f"{name}_", depth + 1)
        return f"{text};", found

    def _inside(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        text, found = self.body("m", depth + 1)
        return f"{text} {name};", [Leaf(f"{name}.{f.c}", (name, *f.python), f.type, f.value) for f in found]

    def _record(self, name: str, depth: int) -> tuple[str, list[Leaf]]:
        type_, found = self.random.choice(self.records)
        count = self.random.randint(1, 3)
        at = self.random.randrange(count)
        inner = [Leaf(f"{name}[{at}].{f.c}", (name, at, *f.python), f.type, f.value) for f in found]
        return f"{type_} {name}[{count}];", inner

    def body(self, prefix: str, depth: int) -> tuple[str, list[Leaf]]:
        kind = self.often((4, "struct"), (1, "union"))
        members = [self.member(f"{prefix}{i}", depth) for i in range(self.random.randint(1, 4))]
        how = self.often((4, ""), (1, " __attribute__((packed))"), (1, " __attribute__((aligned(16)))"))
        found = members[0][1][:1] if kind == "union" else [leaf for _, leaves in members for leaf in leaves]
        return f"{kind}{how} {{ {' '.join(text for text, _ in members)} }}", found

    def add(self) -> str:
        text, found = self.body("f", 0)
        name = f"r{len(self.records)}_t"
        self.records.append((name, found))
        pack = self.random.choice([0, 0, 0, 1, 2])
        declared = f"typedef {text} {name};\n"
        return f"#pragma pack(push, {pack})\n{declared}#pragma pack(pop)\n" if pack else declared


def _functions(name: str, leaves: list[Leaf]) -> tuple[str, str]:
    def literal(leaf: Leaf) -> str:
        return f"({leaf.type}){leaf.value}{'ULL' if leaf.value >= 2**63 else 'LL'}"

    heads = [
        f"void fill_{name}({name} *r)", f"int check_{name}(const {name} *r)", f"size_t size_{name}(void)",
        f"size_t align_{name}(void)", f"{name} make_{name}(void)", f"int take_{name}({name} r)",
    ]  # fmt: skip
    bodies = [
        "".join(f"r->{leaf.c} = {literal(leaf)};" for leaf in leaves),
        "".join(f"if (r->{f.c} != {literal(f)}) return {i};" for i, f in enumerate(leaves, 1)) + "return 0;",
        f"return sizeof({name});", f"return _Alignof({name});",
        f"{name} r; __builtin_memset(&r, 0, sizeof r); fill_{name}(&r); return r;", f"return check_{name}(&r);",
    ]  # fmt: skip
    functions = [f"{head} {{ {body} }}\n" for head, body in zip(heads, bodies, strict=True)]
    return "".join(f"{head};\n" for head in heads), "".join(functions)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder, writer = tmp_path_factory.mktemp("records"), Writer(7)
    declared = "".join(writer.add() for _ in range(COUNT))
    heads, bodies = zip(*(_functions(*record) for record in writer.records), strict=True)
    (folder / "records.h").write_text(PRELUDE + declared + "".join(heads))
    (folder / "records.c").write_text('#include "records.h"\n' + "".join(bodies))
    library = folder / "librecords.so"
    flags = ("-shared", "-fPIC", "-O1", "-w", "-o", str(library))
    subprocess.run(["gcc", *flags, str(folder / "records.c")], check=True)
    return writer.records, sb.bind(folder / "records.h", library=str(library), style="c_api")


def _holder(record: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    for step in path[:-1]:
        record = getattr(record, step) if isinstance(step, str) else record[step]
    return record, path[-1]


def _get(record: Any, leaf: Leaf) -> int:
    holder, last = _holder(record, leaf.python)
    return int(getattr(holder, last) if isinstance(last, str) else holder[last])


class Own(int):
    """An integer that the core leaves to Python."""


def _put(record: Any, leaf: Leaf, kind: type[int]) -> None:
    holder, last = _holder(record, leaf.python)
    value = bool(leaf.value) if leaf.type == "_Bool" else kind(leaf.value)
    setattr(holder, last, value) if isinstance(last, str) else holder.__setitem__(last, value)


def test_nothing_is_left_out(made: Any) -> None:
    records, lib = made
    assert lib.__skipped__ == ()
    assert sum(len(leaves) for _, leaves in records) > COUNT


@pytest.mark.parametrize("number", range(COUNT))
def test_c_and_python_agree(made: Any, number: int) -> None:
    records, lib = made
    name, leaves = records[number]
    cls, call = getattr(lib, name), lambda what, *args: getattr(lib, f"{what}_{name}")(*args)
    assert (cls.c_sizeof(), sb.alignof(cls)) == (call("size"), call("align"))
    record, written, by_python = cls(), cls(), cls()
    call("fill", record)
    for leaf in leaves:
        assert _get(record, leaf) == leaf.value, leaf
        _put(written, leaf, int)
        _put(by_python, leaf, Own)
    assert call("check", written) == call("take", written) == 0
    equal = [by_python, written, call("make"), copy.deepcopy(record), copy.copy(record), record.replace()]
    if has_pointers(cls.__samebytes_type__):
        with pytest.raises(TypeError, match="it holds addresses of this process"):
            pickle.dumps(record)
    else:
        equal.append(pickle.loads(pickle.dumps(record)))
    assert [_get(one, leaf) for one in equal for leaf in leaves] == [
        leaf.value for _ in equal for leaf in leaves
    ]
    # Where a union is inside, an object is equal to itself alone.
    assert {one == record for one in equal} == {has_compared_fields(cls.__samebytes_type__)}
    assert cls.PROPERTIES() == tuple(dict(record)) == record.keys()
