"""Random types over the whole grammar: every compiler that is found agrees on every size, alignment and offset."""

import random
from dataclasses import replace

import pytest

from samebytes.errors import CompileError, MissingDependency
from samebytes.layouts import compute, round_up
from samebytes.layouts.dialects import dialect_names, find_dialect
from samebytes.layouts.dialects.declaration import definitions, questions
from samebytes.layouts.oracle import judges
from samebytes.types import (
    ELEMENTS,
    SCALARS,
    VOID,
    Array,
    CArray,
    Const,
    Enum,
    Field,
    Named,
    Pointer,
    Struct,
    Tuple,
    Vector,
)
from samebytes.types.wrapped import align, atomic

pytestmark = pytest.mark.full  # it takes long

SEEDS, BATCH = (11, 12), 110
NUMBERS = [SCALARS[name] for name in SCALARS]
VECTORS = [Vector(SCALARS[e], n) for e in ELEMENTS for n in (1, 2, 3, 4)]
INTEGERS = [t for t in NUMBERS if t.kind in ("int", "uint") and t.name != "char"]


class Grammar:
    """Draws types; every struct and enumeration has a name of its own."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.prefix = f"T{seed}"
        self.count = 0

    def name(self):
        self.count += 1
        return f"{self.prefix}_{self.count}"

    def struct(self, depth=0):
        fields = tuple(Field(f"f{i}", self.type(depth)) for i in range(self.random.randint(1, 6)))
        align = self.random.choice([None, None, None, 1, 2, 8, 16, 32, 64])
        space = self.random.choice(["", "", "ns::", "ns::inner::"])
        return Struct(space + self.name(), fields, align=align)

    def type(self, depth):
        kinds = ["number"] * 4 + ["vector"] * 4 + ["pointer", "array", "enum", "atomic"]
        if depth < 3:
            kinds += ["carray", "struct", "struct", "tuple", "aligned"]
        return getattr(self, f"draw_{self.random.choice(kinds)}")(depth)

    def draw_number(self, _):
        return self.random.choice(NUMBERS)

    def draw_vector(self, _):
        return self.random.choice(VECTORS)

    def draw_pointer(self, _):
        return Pointer(
            self.random.choice([VOID, SCALARS["float32"], Const(SCALARS["char"]), Named(self.name())])
        )

    def draw_array(self, _):
        dtype = self.random.choice([SCALARS["float32"], Const(SCALARS["int8"]), VECTORS[-1]])
        return Array(dtype, self.random.randint(0, 5))

    def draw_enum(self, _):
        low = {"int": -1, "uint": 1}
        kind = self.random.choice(INTEGERS)
        name = self.name()
        return Enum(name, kind, ((f"{name}_a", low[kind.kind]), (f"{name}_b", 5)), self.random.random() < 0.5)

    def draw_atomic(self, _):
        return atomic(
            self.random.choice([*NUMBERS, *VECTORS, Pointer(VOID)]), align=self.random.choice([None, 16])
        )

    def draw_carray(self, depth):
        return CArray(
            self.type(depth + 1), tuple(self.random.choices((1, 2, 3), k=self.random.randint(1, 2)))
        )

    def draw_struct(self, depth):
        return self.struct(depth + 1)

    def draw_tuple(self, depth):
        return Tuple.of(self.type(depth + 1) for _ in range(self.random.randint(1, 4)))

    def draw_aligned(self, depth):
        inner = self.random.choice([*NUMBERS, *VECTORS, self.struct(depth + 1)])
        return align(inner, 2 ** self.random.randint(0, 6))


def batch(seed):
    """One struct that holds the whole batch."""
    grammar = Grammar(seed)
    return Struct("All", tuple(Field(f"s{i}", grammar.struct()) for i in range(BATCH)))


def found(dialect):
    """The judges of the dialect whose compilers are there."""
    for judge in judges(dialect):
        try:
            judge.find()
        except MissingDependency:
            continue
        yield judge


@pytest.mark.parametrize(
    "seed", [SEEDS[0], *(pytest.param(seed, marks=pytest.mark.full) for seed in SEEDS[1:])]
)
@pytest.mark.parametrize("dialect", dialect_names())
def test_random_types(dialect, seed):
    table, everything = find_dialect(dialect), batch(seed)
    facts = [(q.expression, int(q.expected)) for q in questions(everything, table)]
    text = definitions(everything, table)
    asked = 0
    for judge in found(dialect):
        try:
            assert judge.disputed(text, facts) == {}, judge.name
        except MissingDependency:
            continue
        asked += 1
    if not asked:
        pytest.skip(f"no compiler for {dialect}")
    assert len(facts) > 10 * BATCH


@pytest.mark.parametrize("dialect", dialect_names())
def test_random_kernel_arguments(dialect):
    table, everything = find_dialect(dialect), batch(SEEDS[0])
    types, expected, end = [], [], 0
    for field in everything.fields:
        layout = compute(field.type, table)
        for type_, size, least in ((SCALARS["char"], 1, 1), (field.type, layout.size, layout.align)):
            expected.append((round_up(end, least), size))
            types.append(type_)
            end = expected[-1][0] + size
        if end > 3000:
            break
    askable = [judge for judge in found(dialect) if judge.arguments]
    if not askable:
        pytest.skip(f"no compiler says how kernels of {dialect} receive arguments")
    for judge in askable:
        try:
            told = judge.arguments(definitions(everything, table), [table.spell(t) for t in types])
        except MissingDependency as error:
            pytest.skip(str(error))
        assert told == expected


@pytest.mark.parametrize("dialect", dialect_names())
def test_every_mutated_number_is_disputed(dialect):
    """Each judge sees the wrong numbers among many right ones, and says the right ones."""
    table = find_dialect(dialect)
    type_ = Grammar(99).struct()
    while len(compute(type_, table).fields) < 5:
        type_ = Grammar(len(str(type_)) + 100).struct()
    right = [(q.expression, int(q.expected)) for q in questions(type_, table)]
    places = set(random.Random(5).sample(range(len(right)), 5))
    facts = [
        (expression, (number + 1 if number != 1 else 0) if i in places else number)
        for i, (expression, number) in enumerate(right)
    ]
    for judge in found(dialect):
        try:
            told = judge.disputed(definitions(type_, table), facts)
        except MissingDependency:
            continue
        assert told == {i: right[i][1] for i in places}


@pytest.mark.parametrize("dialect", dialect_names())
def test_a_refused_definition_is_no_answer(dialect):
    """A field's wrong type leaves nothing to measure: no number is made up from what the compiler recovers to."""
    table, type_ = find_dialect(dialect), Struct("Whole", (Field("a", SCALARS["float64"]),))
    text = definitions(type_, table).replace("double a;", "no_such_type a;")
    for judge in found(dialect):
        with pytest.raises(CompileError, match="no_such_type"):
            judge.disputed(text, [(q.expression, int(q.expected)) for q in questions(type_, table)])


def test_batches_differ():
    assert replace(batch(11), name="x") != replace(batch(12), name="x")
