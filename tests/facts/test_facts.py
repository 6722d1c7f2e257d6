"""Recorded facts: what each compiler said of each spelling, against our tables, and asked again where it is there.

``SAMEBYTES_RECORD_FACTS=1 pytest tests/facts`` writes the records of the compilers that are found.
"""

import csv
import json
import os
import re
from pathlib import Path

import pytest

from samebytes.errors import CompileError, MissingDependency
from samebytes.layouts.dialects import dialect_names, find_dialect, layout
from samebytes.layouts.oracle import find_judge, judge_names
from samebytes.types import ELEMENTS, SCALARS, VOID, Vector

pytestmark = pytest.mark.full  # it takes long

HERE = Path(__file__).parent
RECORD = bool(os.environ.get("SAMEBYTES_RECORD_FACTS"))
NUMBERS = [SCALARS[name] for name in SCALARS]
VECTORS = [Vector(SCALARS[e], n) for e in ELEMENTS for n in (1, 2, 3, 4)]
TYPES = {str(t): t for t in [*NUMBERS, *VECTORS]} | {"None": VOID}
JUDGES = [(judge, dialect) for judge in judge_names() for dialect in find_judge(judge).dialects]
# nvcc compiles some thousand questions for the device and for the host, one after the other.
ASKED = [pytest.param(*row, marks=pytest.mark.full) if row[0] == "nvcc" else row for row in JUDGES]


def written(dialect):
    """The rows of the dialect's table of facts: spelling -> (Python name, source, size, align, offset)."""
    with open(HERE / f"{dialect}.tsv") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {
            r["cxx"]: (r["python"], r["source"], int(r["size"]), int(r["align"]), int(r["offset_in_char_T"]))
            for r in rows
        }


def tabled(dialect):
    """The rows of the dialect's own table: spelling -> Python names."""
    table, found = find_dialect(dialect), {}
    for name, type_ in TYPES.items():
        if name != "None":
            found.setdefault(table.spell(type_), []).append(name)
    return found


def record_path(judge):
    return HERE / f"{judge}.json"


def record(judge):
    path = record_path(judge)
    return json.loads(path.read_text()) if path.exists() else None


def preamble(dialect, spellings):
    table = find_dialect(dialect)
    includes = sorted({i for t in [*NUMBERS, *VECTORS] if (i := table.include(t))} | {*table.assertions()[0]})
    lines = [f"#include {i}" for i in includes] + [(HERE / f"{dialect}.hpp").read_text()]
    lines += ["template <class T> struct after { char c; T t; };"]
    return "\n".join(lines + [f"using row_{i} = {s};" for i, s in enumerate(spellings)])


def ask(judge, dialect, spellings):
    """Size, alignment and offset after a char of each spelling that this compiler's headers have."""
    spellings = list(spellings)
    offsetof = find_dialect(dialect).assertions()[1]
    while True:
        questions = [
            text
            for i in range(len(spellings))
            for text in (f"sizeof(row_{i})", f"alignof(row_{i})", f"{offsetof}(after<row_{i}>, t)")
        ]
        try:
            told = find_judge(judge).answers(preamble(dialect, spellings), questions)
        except CompileError as error:
            unknown = {int(i) for i in re.findall(r"using row_(\d+) =", error.output)}
            if not unknown:
                raise
            spellings = [s for i, s in enumerate(spellings) if i not in unknown]
            continue
        return {s: told[3 * i : 3 * i + 3] for i, s in enumerate(spellings)}


@pytest.mark.requirement("F.1", "F.2", "V.11")
@pytest.mark.parametrize(("judge", "dialect"), ASKED)
def test_the_compiler_still_says_so(judge, dialect):
    try:
        version = find_judge(judge).find()
        host = judge not in ("nvrtc", "nvcc")
        asked = [*tabled(dialect), *(s for s, row in written(dialect).items() if host or row[1] != "host")]
        told = ask(judge, dialect, dict.fromkeys(asked))
    except MissingDependency as error:
        pytest.skip(str(error))
    if RECORD:
        rows = ",\n".join(f"  {json.dumps(s)}: {json.dumps(told[s])}" for s in sorted(told))
        head = f'"compiler": {json.dumps(version)},\n "dialect": {json.dumps(dialect)}'
        record_path(judge).write_text(f'{{{head},\n "size, align, offset after a char": {{\n{rows}\n }}}}\n')
    known = record(judge)["size, align, offset after a char"]
    assert {s: n for s, n in told.items() if s in known} == {s: n for s, n in known.items() if s in told}
    assert set(told) >= set(tabled(dialect))


@pytest.mark.parametrize(("judge", "dialect"), JUDGES)
def test_the_record_and_our_table_agree(judge, dialect):
    found = record(judge)
    assert found is not None, f"no record of {judge}: run with SAMEBYTES_RECORD_FACTS=1 where it is installed"
    assert found["dialect"] == dialect
    told = found["size, align, offset after a char"]
    for spelling, names in tabled(dialect).items():
        for name in names:
            mine = layout(TYPES[name], dialect)
            assert told[spelling] == [mine.size, mine.align, mine.align], (name, spelling)
    for spelling, (_, _, *numbers) in written(dialect).items():
        assert told.get(spelling, numbers) == numbers, spelling


@pytest.mark.requirement("N.1", "B.1", "B.2", "B.4", "F.1", "F.2", "V.11")
@pytest.mark.parametrize("dialect", dialect_names())
def test_every_written_row_with_a_python_name_agrees(dialect):
    for spelling, (name, _, size, align, offset) in written(dialect).items():
        if name:
            mine = layout(TYPES[name], dialect)
            assert (mine.size, mine.align, mine.align) == (size, align, offset), spelling


def test_the_table_of_cuda_is_whole():
    named = {name for name, *_ in written("cuda").values() if name}
    assert named <= set(TYPES)
    # What it lacks: builtin spellings, and what CUDA has no type for, which stands in samebytes/cuda.hpp.
    lacking = set(TYPES) - named - {"char", "float32", "float64"}
    assert all(re.fullmatch(r"(float16|bfloat16|float8e4m3|float8e5m2)x[134]", name) for name in lacking)
