"""The table of machine representations: the specification's rows, as mapping, text, rich table and HTML."""

from __future__ import annotations

import builtins
import io

import pytest
from rich.console import Console

import samebytes as sb
from samebytes.layouts.dialects import dialect_names

TABLE = sb.machine_representation()


def test_rows() -> None:
    assert len(TABLE) == 1 + 4 + 16 + 56
    assert list(TABLE)[:6] == ["None", "bool", "int", "float", "complex", "int8"]
    assert set(TABLE.dialects) == set(dialect_names())


@pytest.mark.parametrize(
    ("name", "dialect", "spelling", "size", "align"),
    [
        ("None", "cuda", "void*", 8, 8),
        ("int", "cuda", "cuda::std::int32_t", 4, 4),
        ("float", "cxx", "float", 4, 4),
        ("complex", "cuda", "cuda::std::complex<float>", 8, 8),
        ("complex64", "cxx", "std::complex<float>", 8, 4),
        ("float32x3", "cuda", "float3", 12, 4),
    ],
)
def test_row(name: str, dialect: str, spelling: str, size: int, align: int) -> None:
    row = TABLE[name][dialect]
    assert (row.spelling, row.size, row.align) == (spelling, size, align)


def test_rows_are_the_layouts() -> None:
    for name, row in TABLE.items():
        type_ = vars(builtins)[name] if hasattr(builtins, name) else getattr(sb, name)
        for dialect, native in row.items():
            found = sb.layout(type_, dialect)
            assert (found.size, found.align) == (native.size, native.align)


def test_it_prints() -> None:
    lines = str(TABLE).splitlines()
    assert len(lines) == len(TABLE) + 1
    assert any(line.startswith("float32x4") and "float4 16/16" in line for line in lines)
    console = Console(file=io.StringIO(), width=200)
    console.print(TABLE)
    assert "float4 16/16" in console.file.getvalue()  # type: ignore[attr-defined]
    assert "<td>std::complex&lt;float&gt; 8/4</td>" in TABLE._repr_html_()
