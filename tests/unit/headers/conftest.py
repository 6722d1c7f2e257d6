"""How the tests of headers read text, judge what was read with g++, and show a model as text."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from samebytes.model.module import Constant, Module
from samebytes.model.signature import Parameter, Signature
from samebytes.read import header as reader
from samebytes.toolchain.headers import INCLUDE
from samebytes.types import MISSING, Enum, Handle, Struct, Vector

COMPILERS = {"c++": ("g++", "cpp"), "c": ("gcc", "c")}


@cache
def system_includes() -> tuple[str, ...]:
    command = ["g++", "-E", "-v", "-x", "c++", "/dev/null"]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    listing = (
        report.partition("search starts here:\n#include <...>")[2] or report.partition("#include <...>")[2]
    )
    listing = listing.partition("\n")[2].partition("End of search list")[0]
    return tuple(line.strip() for line in listing.splitlines())


def read_file(path: Path, **options: object) -> Module:
    options.setdefault("include_dirs", (INCLUDE,))
    return reader.read_header(path, system_includes=system_includes(), **options)  # type: ignore[arg-type]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Module]:
    """Reads a text as a file of its own directory."""

    def reader(text: str, name: str = "source.hpp", **options: object) -> Module:
        path = tmp_path / name
        path.write_text(text)
        return read_file(path, **options)

    return reader


@pytest.fixture(scope="session")
def include() -> Path:
    """Where samebytes' own C++ headers are."""
    return Path(INCLUDE)


@pytest.fixture(scope="session")
def read_header() -> Callable[..., Module]:
    """Reads a header by path or by the name that ``#include`` finds."""
    return lambda name, **options: read_file(Path(name), **options)


@pytest.fixture(scope="session")
def count() -> Callable[[Module], int]:
    """How many declarations are bound or skipped: as many as are exposed."""

    def counted(module: Module) -> int:
        bound = (module.functions, module.records, module.enums, module.constants, module.variables)
        return sum(map(len, (*bound, module.aliases, module.templates, module.skipped)))

    return counted


# --- the judge: every fact of a model as an assertion that the compiler checks


def _cxx_facts(module: Module) -> Iterator[str]:
    yield "#include <cstddef>\n#include <type_traits>\ntemplate <class T> struct samebytes_as { using type = T; };"
    for i, struct in enumerate(module.records):
        yield f"using record{i} = {struct.spelling};"
        assert struct.fixed is not None
        yield f"static_assert(sizeof(record{i}) == {struct.fixed.size}, {struct.name!r});".replace("'", '"')
        yield f"static_assert(alignof(record{i}) == {struct.fixed.align});"
        handle = isinstance(struct, Handle)
        yield f"static_assert({'true' if handle else f'std::is_trivially_copyable<record{i}>::value'});"
        for field in struct.fields:
            if not field.bit_width:
                yield f"static_assert(offsetof(record{i}, {field.name}) == {field.offset});"
            yield f"static_assert(std::is_same<decltype(record{i}::{field.name}), {field.spelling}>::value);"
    for enum in module.enums:
        yield f"static_assert(sizeof({enum.spelling}) == {enum.underlying.size});"
        for name, value in enum.members:
            if "decltype" not in enum.spelling:
                literal = f"{value}ull" if value > 2**63 else f"{value}"
                yield f"static_assert({enum.spelling}::{name} == static_cast<{enum.spelling}>({literal}));"
    # A const variable of a floating-point type is a constant expression only where it is constexpr.
    for constant in (c for c in module.constants if c.spelling not in ("const float", "const double")):
        yield f'static_assert({_equals(constant)}, "{constant.qualified}");'
    for i, function in enumerate(_functions(module)):
        yield _reached(i, function)


def _functions(module: Module) -> list[Signature]:
    return [function for function in module.functions if function.kind != "macro"]


def _macros(module: Module) -> Iterator[str]:
    """The types of macros that are expressions; they come before the macros of other names are taken back."""
    for i, macro in enumerate(f for f in module.functions if f.kind == "macro"):
        if module.language == "c":
            same = f"__typeof__(((void)0, ({macro.name}))), __typeof__({macro.result_spelling})"
            yield f'_Static_assert(__builtin_types_compatible_p({same}), "{macro.name}");'
        else:
            yield f"inline {macro.result_spelling} macro{i}() {{ return {macro.name}; }}"


def _spellings(function: Signature) -> str:
    return ", ".join([*(p.spelling for p in function.arguments), *(["..."] if function.variadic else [])])


def _reached(i: int, function: Signature) -> str:
    if function.expression:
        return ""  # it has no address; the library's own shims prove what it gives
    parameters = _spellings(function)
    if function.braces:
        given = ", ".join(f"std::declval<{p.spelling}>()" for p in function.arguments)
        made = f"decltype({function.result_spelling}{function.braces}{given}}})"
        return f"static_assert(std::is_same<{made}, {function.result_spelling}>::value);"
    if function.kind == "constructor":
        types = ", ".join([function.result_spelling, *(p.spelling for p in function.arguments)])
        return f"static_assert(std::is_constructible<{types}>::value);"
    home = f"{function.home}::" if function.kind == "method" else ""
    return (
        f"using result{i} = {function.result_spelling}; result{i} ({home}*const function{i})({parameters})"
        f" {function.qualifiers} = &::{function.qualified};"
    )


def _c_facts(module: Module) -> Iterator[str]:
    yield "#include <stddef.h>"
    for struct in module.records:
        assert struct.fixed is not None
        yield f'_Static_assert(sizeof({struct.spelling}) == {struct.fixed.size}, "");'
        yield f'_Static_assert(_Alignof({struct.spelling}) == {struct.fixed.align}, "");'
        for field in struct.fields:
            if not field.bit_width:
                yield f'_Static_assert(offsetof({struct.spelling}, {field.name}) == {field.offset}, "");'
                same = f"__typeof__((({struct.spelling} *)0)->{field.name}), __typeof__({field.spelling})"
                yield f'_Static_assert(__builtin_types_compatible_p({same}), "");'
    # In C the value of a const variable is no constant expression.
    for constant in (c for c in module.constants if not c.spelling.startswith("const ")):
        yield f'_Static_assert({_equals(constant)}, "{constant.qualified}");'
    for i, function in enumerate(_functions(module)):
        parameters = _spellings(function) or "void"
        yield f"typedef __typeof__({function.result_spelling}) result{i};"
        yield f"typedef result{i} function{i}({parameters});"
        same = f"function{i}, __typeof__({function.qualified})"
        yield f'_Static_assert(__builtin_types_compatible_p({same}), "");'


def _equals(constant: Constant) -> str:
    """An assertion's condition: the constant has the value that was read."""
    name, value = constant.qualified, constant.value
    if isinstance(value, str):
        octal = "".join(f"\\{byte:03o}" for byte in value.encode("utf-8", "surrogateescape"))
        return f'__builtin_strcmp((const char*){name}, "{octal}") == 0'
    if isinstance(value, float):
        if math.isnan(value):
            return f"__builtin_isnan({name})"
        literal = f"{'-' if value < 0 else ''}__builtin_inf()" if math.isinf(value) else value.hex()
        return f"(double){name} == {literal}"
    if isinstance(value, bool):
        return f"(bool){name} == {str(value).lower()}"
    if value >= 2**63:
        return f"(unsigned long long)({name}) == {value}ull"
    literal = "(-9223372036854775807ll - 1)" if value == -(2**63) else f"{value}ll"
    return f"(long long)({name}) == {literal}"


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., None]:
    """Fails unless the compiler confirms every size, offset, field type and function type of a model."""

    def check(module: Module, main: str | Path, flags: tuple[str, ...] = ()) -> None:
        compiler, suffix = COMPILERS[module.language]
        facts = _cxx_facts(module) if module.language == "c++" else _c_facts(module)
        file = tmp_path / f"judge.{suffix}"
        # A macro may take a function's or a field's name.
        fields = {field.name for record in module.records for field in record.fields}
        hidden = [f"#undef {name}" for name in {f.name for f in _functions(module)} | fields]
        file.write_text("\n".join([f'#include "{main}"', *_macros(module), *hidden, *facts, ""]))
        command = [compiler, "-fsyntax-only", "-w", f"-I{INCLUDE}", *flags, str(file)]
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr + "\n" + file.read_text()

    return check


# --- a model as text


def show(module: Module) -> str:
    """A model as the golden files hold it: one line per fact."""
    lines = [f"language {module.language}, exposed {module.exposed}"]
    for function in module.functions:
        lines += _function(function)
    for struct in module.records:
        lines += _struct(struct)
    for enum in module.enums:
        lines += _enum(enum)
    lines += [
        f"constant {c.qualified} = {c.value!r}  ({c.spelling}, line {c.location.line})"
        for c in module.constants
    ]
    lines += [f"variable {v.qualified}: {v.type}  [{v.spelling}]" for v in module.variables]
    lines += [f"alias {a.qualified} = {a.target}" for a in module.aliases]
    lines += [f"template {t.qualified}: {t.declarations[0]}" for t in module.templates]
    lines += [f"skipped {s.kind} {s.name}, line {s.location.line}: {s.reason}" for s in module.skipped]
    return "\n".join(lines) + "\n"


def _function(function: Signature) -> Iterator[str]:
    words = " noexcept" if function.noexcept else ""
    scope = f", in {'::'.join(function.namespace)}" if function.namespace else ""
    line = function.location.line if function.location else 0
    implicit = "implicit " * function.implicit
    yield f"{implicit}{function.kind} {function.qualified} -> {function.result_spelling}{words}  (line {line}{scope})"
    passing = "" if function.result_passing == "value" else f" {function.result_passing}"
    yield f"    result {_type(function.result)}{passing}"
    yield from (f"    {_parameter(p)}" for p in function.parameters)
    if function.variadic:
        yield f"    ...{f'  told by {function.family}, parameter {function.family_at}' if function.family else ''}"
    yield from (f"    | {line}" for line in function.doc.splitlines())


def _parameter(parameter: Parameter) -> str:
    passing = "" if parameter.passing == "value" else f" {parameter.passing}"
    default = ""
    if parameter.default is not None:
        value = "C++ only" if parameter.default.value is MISSING else repr(parameter.default.value)
        default = f" = {parameter.default.text}  ({value})"
    extent = "" if parameter.extent is None else f" extent {parameter.extent}"
    return f"{parameter.name}: {_type(parameter.type)}{passing}{extent}  [{parameter.spelling}]{default}"


def _type(type_: object) -> str:
    return f"vector {type_}" if isinstance(type_, Vector) else str(type_)


def _struct(struct: Struct) -> Iterator[str]:
    assert struct.fixed is not None
    complete = "" if struct.complete else ", not all visible"
    extent = f"size {struct.fixed.size} align {struct.fixed.align}"
    kind = "handle" if isinstance(struct, Handle) else "record"
    yield f"{kind} {struct.name}  [{struct.spelling}] {extent}{complete}{_nature(struct)}"
    for field in struct.fields:
        bits = f" bits {field.bit_offset}+{field.bit_width}" if field.bit_width else ""
        yield f"    {field.offset}{bits} {field.name}: {_type(field.type)}  [{field.spelling}]"
    yield from (f"    | {line}" for line in struct.doc.splitlines())
    if (tail := struct.flexible) is not None:
        yield f"    {tail.name}: {tail.element}[] @ {tail.offset}"


def _nature(struct: Struct) -> str:
    bases = "".join(
        f", virtual base {b.name}" if b.virtual else f", base {b.name} at {b.offset}" for b in struct.bases
    )
    if not isinstance(struct, Handle):
        return bases
    words = ("copyable", "destructible", "abstract")
    return "".join(f", {word}" for word in words if getattr(struct, word)) + bases


def _enum(enum: Enum) -> Iterator[str]:
    kind = "scoped enum" if enum.scoped else "enum"
    yield f"{kind} {enum.name}  [{enum.spelling}] {enum.underlying}"
    yield from (f"    {name} = {value}" for name, value in enum.members)
    yield from (f"    | {line}" for line in enum.doc.splitlines())


@pytest.fixture(scope="session")
def text_of() -> Callable[[Module], str]:
    return show
