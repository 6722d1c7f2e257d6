# ruff: noqa: E501  (a row of the table is a line)
"""The kinds of parameters: how C++ declares each, which bytes it folds into a digest, and which it writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import samebytes as sb

CALL = "d[0] = f(x)"


@dataclass(frozen=True)
class Kind:
    """A kind of parameter, called ``x``.

    Attributes
    ----------
    name : str
        An identifier; the function of C++ has it.
    parameter : str
        The declaration, in the words of ``sources.py``.
    fold : str
        An expression: the digest of the bytes that C++ received.
    writes : str
        Statements that write known bytes behind the parameter.
    element, shape : str and tuple of int
        What a right array has: the name of a type in :data:`ELEMENTS` or of a struct, and the extents.
    tags : set of str
        Where it exists: see :data:`ABSENT`.
    intent : mapping
        ``arg_intent`` of the function.
    use : str
        The statements that call it; ``d`` has the digest, ``more`` what it returned beside it.
    cxx : str
        The parameter in C++ of an array of C++'s at the address ``p``, for the answer of g++; empty where there is none.
    """

    name: str
    parameter: str
    fold: str = "fold(x)"
    writes: str = ""
    element: str = "f8"
    shape: tuple[int, ...] = (4,)
    tags: frozenset[str] = frozenset()
    intent: Mapping[str, Any] = field(default_factory=dict)
    use: str = CALL
    cxx: str = ""

    @property
    def many(self) -> bool:
        """Whether C++ reads several elements where one number could stand for a pointer to const."""
        pointer = self.parameter.startswith("const ") and re.search(r"[*\]]", self.parameter) is not None
        return pointer and "&x)[" not in self.parameter and not self.fold.endswith(", 1)")

    @property
    def by_value(self) -> bool:
        """Whether C++ gets a copy, which is made of what lies in the host's memory."""
        return not re.search(r"[&*\[]", self.parameter.partition(",")[0]) and not self.tags & {
            "descriptor",
            "span",
            "mdspan",
        }


def _tags(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _value(name: str, spelled: str, element: str, tags: str = "") -> Kind:
    """A number by value."""
    return Kind(name, f"{spelled} x", element=element, tags=_tags(f"number {tags}"))


def _pointer(name: str, spelled: str, element: str, n: int = 4, tags: str = "") -> Kind:
    """A pointer to ``n`` elements; to others than const ones C++ writes."""
    writes = "" if spelled.startswith("const ") else f"if (x) put(x, {n});"
    return Kind(
        name, f"{spelled}* x", f"fold_n(x, {n})", writes, element, (n,), _tags(tags), cxx=f"({spelled}*)p"
    )


def _intent(
    name: str,
    parameter: str,
    fold: str,
    writes: str,
    element: str,
    shape: tuple[int, ...],
    intent: Any,
    **more: Any,
) -> Kind:
    return Kind(name, parameter, fold, writes, element, shape, _tags("intent"), {"x": intent}, **more)


NUMBERS = tuple(
    _value(*row)
    for row in (
        ("bool_", "bool", "?"), ("char_", "char", "i1"), ("i8", "signed char", "i1"), ("u8", "unsigned char", "u1"),
        ("i16", "short", "i2"), ("u16", "unsigned short", "u2"), ("i32", "int", "i4"), ("u32", "unsigned", "u4"),
        ("i64", "long long", "i8"), ("u64", "unsigned long long", "u8"), ("f32", "float", "f4"), ("f64", "double", "f8"),
        ("wide", "wchar_t", "i4"), ("c16", "char16_t", "u2"), ("c32", "char32_t", "u4"),
        ("f16", "HALF", "f2", "class"), ("bf16", "BF16", "bfloat16", "class"),
        ("e4m3", "E4M3", "float8_e4m3fn", "class fp8"), ("e5m2", "E5M2", "float8_e5m2", "class fp8"),
        ("c64", "STD::complex<float>", "c8", "complex"), ("c128", "STD::complex<double>", "c16", "complex"),
        ("plain_enum", "Plain", "u4", "enum"), ("col", "Col", "i2", "enum"),
    )
)  # fmt: skip

RECORDS = ("R", "Init", "Ctor", "Wide", "Bits", "U", "Packed", "Nested", "View")

BY_VALUE = tuple(
    Kind(
        f"by_value_{n}", f"{n} x", element=n, shape=(1,), tags=_tags("record union" if n == "U" else "record")
    )
    for n in RECORDS
)

REFERENCES = tuple(
    Kind(name, parameter, fold, writes, element, shape, _tags(f"reference {tags}"), cxx=cxx)
    for name, parameter, fold, writes, element, shape, tags, cxx in (
        ("cref_i32", "const int& x", "fold(x)", "", "i4", (1,), "number", "*(const int*)p"),
        ("cref_f64", "const double& x", "fold(x)", "", "f8", (1,), "number", "*(const double*)p"),
        ("ref_i32", "int& x", "fold(x)", "put(&x, 1);", "i4", (1,), "number", ""),
        ("ref_f64", "double& x", "fold(x)", "put(&x, 1);", "f8", (1,), "number", ""),
        ("rref_i32", "int&& x", "fold(x)", "put(&x, 1);", "i4", (1,), "number", ""),
        ("cref_col", "const Col& x", "fold(x)", "", "i2", (1,), "enum", ""),
        ("cref_R", "const R& x", "fold(x)", "", "R", (1,), "record", "*(const R*)p"),
        ("ref_R", "R& x", "fold(x)", "x.a = 7; x.b = 1.5;", "R", (1,), "record", ""),
        ("rref_R", "R&& x", "fold(x)", "", "R", (1,), "record", ""),
        ("cref_Wide", "const Wide& x", "fold(x) + on(&x, 32)", "", "Wide", (1,), "record", ""),
        ("ref_Init", "Init& x", "fold(x)", "x.a = 7;", "Init", (1,), "record", ""),
        ("cref_F4", "const F4& x", "fold(x) + on(&x, 16)", "", "f4", (4,), "vector", "*(const F4*)p"),
        ("cref_array3", "const float (&x)[3]", "fold(x)", "", "f4", (3,), "", "*(const float(*)[3])p"),
        ("ref_array3", "double (&x)[3]", "fold(x)", "put(x, 3);", "f8", (3,), "", "*(double(*)[3])p"),
        ("cref_array22", "const int (&x)[2][2]", "fold(x)", "", "i4", (2, 2), "", "*(const int(*)[2][2])p"),
        ("cref_std_array", "const STD::array<float, 3>& x", "fold(x)", "", "f4", (3,), "std", "*(const std::array<float, 3>*)p"),
        ("ref_std_array", "STD::array<double, 3>& x", "fold(x)", "put(&x[0], 3);", "f8", (3,), "std", ""),
        ("ref_pointer", "double*& x", "fold_n(x, 4)", "", "f8", (4,), "", ""),
        ("cref_Handle", "const Handle& x", "x.get()", "", "i4", (1,), "handle", ""),
        ("ref_Handle", "Handle& x", "x.get()", "x.set(9);", "i4", (1,), "handle", ""),
        ("ref_atomic", "std::atomic<int>& x", "fold(x)", "x = 9;", "i4", (1,), "host", ""),
    )
)  # fmt: skip

POINTERS = (
    *(
        _pointer(*row)
    for row in (
        ("p_f64", "double", "f8"), ("pc_f64", "const double", "f8"), ("p_f32", "float", "f4"), ("pc_f32", "const float", "f4"),
        ("p_i32", "int", "i4"), ("pc_i64", "const long long", "i8"), ("p_u8", "unsigned char", "u1"), ("pc_bool", "const bool", "?"),
        ("p_f16", "HALF", "f2", 4, "class"), ("pc_bf16", "const BF16", "bfloat16", 4, "class"), ("pc_c64", "const STD::complex<float>", "c8", 4, "complex"),
        ("p_col", "Col", "i2", 4, "enum"), ("pc1_f64", "const double", "f8", 1), ("pc1_i64", "const long long", "i8", 1), ("p_F4", "F4", "f4", 1, "vector"),
        ("p_R", "R", "R", 1), ("pc_R", "const R", "R", 1), ("pc_Init", "const Init", "Init", 1), ("pc_Wide", "const Wide", "Wide", 1), ("p_Packed", "Packed", "Packed", 1),
        ("p_U", "U", "U", 1), ("pc_Nested", "const Nested", "Nested", 1),
        )
    ),
    Kind("p_void", "void* x", "fold_n((const unsigned char*)x, 16)", "if (x) put((unsigned char*)x, 16);", tags=_tags("void"), cxx="(void*)p"),
    Kind("pc_void", "const void* x", "fold_n((const unsigned char*)x, 1)", tags=_tags("void"), cxx="(const void*)p"),
    Kind("pp_f64", "double** x", "x ? x[0] != nullptr : 17", tags=_tags("pointers")),
    Kind("pc_Handle", "const Handle* x", "x ? x->get() : 17", element="i4", tags=_tags("handle")),
    Kind("p_atomic", "std::atomic<int>* x", "x ? fold(*x) : 17", "if (x) *x = 9;", "i4", (1,), _tags("host")),
)  # fmt: skip

EXTENTS = (
    Kind("d16", "double x[16]", "fold_n(x, 16)", "if (x) put(x, 16);", shape=(16,), cxx="(double*)p"),
    Kind("dc23", "const double x[2][3]", "fold_n(&x[0][0], 6)", shape=(2, 3), cxx="(const double(*)[3])p"),
    Kind("d_unsized", "const float x[]", "fold_n(x, 4)", element="f4", cxx="(const float*)p"),
    Kind("rows4", "double (*x)[4]", "fold_n(&x[0][0], 8)", "if (x) put(&x[0][0], 8);", shape=(2, 4), cxx="(double(*)[4])p"),
    Kind("rowsc4", "const float (*x)[4]", "fold_n(&x[0][0], 8)", element="f4", shape=(2, 4), cxx="(const float(*)[4])p"),
    Kind("std_array", "STD::array<float, 3> x", "fold(x)", element="f4", shape=(3,), tags=_tags("std"), cxx="*(const std::array<float, 3>*)p"),
    Kind("std_array2", "STD::array<STD::array<int, 2>, 3> x", "fold(x)", element="i4", shape=(3, 2), tags=_tags("std"), cxx="*(const std::array<std::array<int, 2>, 3>*)p"),
    Kind("F4_", "F4 x", "fold(x)", element="f4", tags=_tags("vector"), cxx="*(const F4*)p"),
    Kind("I2_", "I2 x", "fold(x)", element="i4", shape=(2,), tags=_tags("vector"), cxx="*(const I2*)p"),
)  # fmt: skip

DESCRIPTORS = (
    Kind("array1", "samebytes::array<double, 1> x", "fold_1(x)", "if (x.shape[0]) x(0) = 2;", tags=_tags("descriptor"), cxx="{(double*)p, {4}, {1}}"),
    Kind("arrayc1", "samebytes::array<const float, 1> x", "fold_1(x)", element="f4", tags=_tags("descriptor"), cxx="{(const float*)p, {4}, {1}}"),
    Kind("arrayc2", "samebytes::array<const int, 2> x", "fold_2(x)", element="i4", shape=(2, 3), tags=_tags("descriptor"), cxx="{(const int*)p, {2, 3}, {3, 1}}"),
    Kind("array2", "samebytes::array<double, 2> x", "fold_2(x)", "if (x.shape[0] && x.shape[1]) x(0, 0) = 2;", shape=(2, 3), tags=_tags("descriptor"), cxx="{(double*)p, {2, 3}, {3, 1}}"),
    Kind("span", "STD::span<double> x", "fold_n(x.data(), x.size())", "put(x.data(), x.size());", tags=_tags("span"), cxx="std::span((double*)p, 4)"),
    Kind("spanc", "STD::span<const float> x", "fold_n(x.data(), x.size())", element="f4", tags=_tags("span"), cxx="std::span((const float*)p, 4)"),
    Kind("spanc4", "STD::span<const int, 4> x", "fold_n(x.data(), 4)", element="i4", tags=_tags("span"), cxx="std::span<const int, 4>((const int*)p, 4)"),
    Kind("mdspan2", "MD::mdspan<double, MD::extents<int, MD::dynamic_extent, MD::dynamic_extent>> x", "fold_md(x)", "if (x.extent(0) && x.extent(1)) *x.data_handle() = 2;", shape=(2, 3), tags=_tags("mdspan")),
    Kind("mdspan_strided", "MD::mdspan<const float, MD::extents<int, MD::dynamic_extent, MD::dynamic_extent>, MD::layout_stride> x", "fold_md(x)", element="f4", shape=(2, 3), tags=_tags("mdspan")),
)  # fmt: skip

OTHERS = (
    Kind("callback", "int (*x)(int)", "x ? x(5) : 17", element="i4", tags=_tags("callback")),
    Kind("text", "const char* x", "fold_text(x)", element="i1", tags=_tags("text")),
    Kind("string", "std::string x", "fold_n(x.data(), x.size())", element="i1", tags=_tags("host")),
    Kind("string_view", "std::string_view x", "fold_n(x.data(), x.size())", element="i1", tags=_tags("host")),
    Kind("vector", "const std::vector<double>& x", "fold_n(x.data(), x.size())", tags=_tags("host")),
    Kind("optional", "std::optional<int> x", "x ? fold(*x) : 17", element="i4", tags=_tags("host")),
    Kind("nullptr_", "decltype(nullptr) x", "17", tags=_tags("nullptr")),
)  # fmt: skip

_TWO = "r = f(x)\nd[0] = r[0]\nmore[0] = r[1]"
INTENTS = (
    _intent("in_ref", "double& x", "fold(x)", "put(&x, 1);", "f8", (1,), "in"),
    _intent("in_R", "R& x", "fold(x)", "x.a = 7;", "R", (1,), "in"),
    _intent("in_pointer", "double* x", "fold_n(x, 1)", "", "f8", (1,), "in"),
    _intent("inout_ref", "double& x", "fold(x)", "put(&x, 1);", "f8", (1,), "inout_ptr", cxx="*(double*)p"),
    _intent("inout_pointer", "double* x", "fold_n(x, 4)", "if (x) put(x, 4);", "f8", (4,), "inout_ptr", cxx="(double*)p"),
    _intent("inout_R", "R& x", "fold(x)", "x.a = 7; x.b = 1.5;", "R", (1,), "inout_ptr"),
    _intent("inout_pR", "R* x", "fold_n(x, 1)", "if (x) { x->a = 7; x->b = 1.5; }", "R", (1,), "inout_ptr"),
    _intent("inout_array3", "double (&x)[3]", "fold(x)", "put(x, 3);", "f8", (3,), "inout_ptr", cxx="*(double(*)[3])p"),
    _intent("inout_array22", "int (&x)[2][2]", "fold(x)", "put(&x[0][0], 4);", "i4", (2, 2), "inout_ptr", cxx="*(int(*)[2][2])p"),
    _intent("out_ref", "float& x", "17", "put(&x, 1);", "f4", (1,), "out_ptr", cxx="*(float*)p"),
    _intent("out_pointer", "int* x", "17", "if (x) put(x, 1);", "i4", (1,), "out_ptr", cxx="(int*)p"),
    _intent("out_d16", "double x[16]", "17", "if (x) put(x, 16);", "f8", (16,), "out_ptr", cxx="(double*)p"),
    Kind("out_return_ref", "int x, double& y", "fold(x)", "y = x / 2.0;", "i4", (1,), _tags("intent number"), {"y": "out_return"}, _TWO),
    Kind("out_return_pointer", "float x, long long* y", "fold(x)", "*y = fold(x) % 1000;", "f4", (1,), _tags("intent number"), {"y": "out_return"}, _TWO),
    Kind("out_return_R", "const R& x, R& y", "fold(x)", "y.a = x.a + 1; y.b = x.b;", "R", (1,), _tags("intent record"), {"y": "out_return"}, f"{_TWO}.a\nmore[1] = r[1].b"),
    Kind("out_array", "int x, double y[3]", "fold(x)", "for (int i = 0; i < 3; ++i) y[i] = i;", "i4", (1,), _tags("intent number"), {"y": "out_array_return"}, f"{_TWO}[0]\nmore[1] = r[1][2]"),
    Kind("out_array_n", "int x, double* y", "fold(x)", "for (int i = 0; i < 3; ++i) y[i] = i;", "i4", (1,), _tags("intent number"), {"y": sb.out_array_return(dtype="double", length=3)}, f"{_TWO}[0]\nmore[1] = r[1][2]"),
)  # fmt: skip

KINDS = {
    k.name: k
    for k in (*NUMBERS, *BY_VALUE, *REFERENCES, *POINTERS, *EXTENTS, *DESCRIPTORS, *OTHERS, *INTENTS)
}
