"""What every kind of type must have: in each room's table a rule or a reason for none, parts, a place in models."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from tests.tables import each

import samebytes
from samebytes import types
from samebytes.errors import LayoutError, MissingDependency
from samebytes.make.model_data import decode, encode
from samebytes.model.module import Alias, Module
from samebytes.model.signature import Location
from samebytes.types import SCALARS, TABLES, VOID, ByKind, Type, subclasses


def load_all() -> None:
    """Load every room, for its tables; what needs a library that is not here is left out."""
    for module in pkgutil.walk_packages(samebytes.__path__, "samebytes."):
        if module.name != "samebytes.__main__":
            with suppress(MissingDependency, ModuleNotFoundError):
                importlib.import_module(module.name)


load_all()
KINDS = [kind for kind in subclasses(Type) if kind.__module__.startswith("samebytes.types.")]
INT = SCALARS["int32"]
RECORD = types.Struct("ns::Point", (types.Field("x", INT), types.Field("y", SCALARS["float64"])))
FUNCTION = types.Function(INT, (types.Argument(SCALARS["float32"]),))
FILE = types.Handle("ns::File", ())
# One type of each kind.
SAMPLES: dict[type[Type], Type] = {
    type(sample): sample
    for sample in (
        VOID, INT, RECORD, FUNCTION, types.Tuple.of((INT, RECORD)), FILE, types.Const(INT), types.Pointer(RECORD),
        types.Named("ns::Node"), types.Array(INT, 2), types.CArray(INT, (3,)),
        types.Span(INT, 1, spelling="std::span<int>"),
        types.Vector(SCALARS["float32"], 3), types.Mdspan.of(INT, 2, "right"), types.Aligned(INT, 16),
        types.Atomic(INT), types.Enum("ns::Color", INT, (("red", 0),)), types.Held(INT),
        types.Converted("ns::Any"), types.Text("std::string"), types.FilePath("std::filesystem::path"),
        types.Duration("std::chrono::seconds"), types.Instant("std::chrono::sys_seconds"),
        types.Object("std::vector<ns::File>", FILE), types.Owner("std::shared_ptr<ns::Point>", RECORD),
        types.Nothing("std::monostate"), types.Bits("std::bitset<8>", 8), types.Callback("std::function<>", FUNCTION),
        types.Container("std::vector<int>", INT), types.Dictionary("std::map<int, ns::Point>", INT, RECORD),
        types.Maybe("std::optional<int>", INT), types.Target("std::string", INT),
        types.Product("std::pair", (INT, RECORD)), types.Choice("std::variant", (INT, RECORD)),
        types.Stream("std::ostream"), types.Matrix("Eigen::MatrixXi", INT), types.NdArray("cv::Mat", (INT,)),
        types.Sparse("Eigen::SparseMatrix<int>", INT, INT),
    )
}  # fmt: skip


def sentence(table: ByKind[Any], kind: type[Type]) -> str:
    """What is wrong with a table and a kind; empty if nothing is."""
    if kind in table and kind in table.without:
        return f"{table.what}: {kind.__name__} has a rule, and a reason why it has none"
    if kind not in table and not table.reason(kind):
        return f"{table.what}: nothing is said of {kind.__name__}; add a rule, or a reason to `without`"
    return ""


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.what)
def test_each_kind_has_a_rule_or_a_reason(table: ByKind[Any]) -> None:
    assert not [words for kind in KINDS if (words := sentence(table, kind))]


def test_each_table_is_named_once_and_by_its_room() -> None:
    names = [table.what for table in TABLES]
    assert len({*names}) == len(names)
    rooms = {module.name for module in pkgutil.iter_modules(samebytes.__path__)}
    assert {name.partition(":")[0] for name in names} <= rooms


def test_a_new_kind_is_noticed_everywhere() -> None:
    class Quaternion(Type):
        """A kind that no table knows."""

    said = [sentence(table, Quaternion) for table in TABLES if not table.others]
    assert all("Quaternion" in words for words in said)
    assert len(said) >= 5, "some table lost its claim to be complete"


def test_what_has_no_rule_is_refused_with_the_reason() -> None:
    table = next(
        table for table in TABLES if table.what.startswith("values: the core's reader and writer of a type")
    )
    with pytest.raises(LayoutError, match="Function has none: only a pointer to it is a value"):
        table[types.Function]


def test_no_table_by_kind_is_outside_of_the_contract() -> None:
    known = {id(table) for table in TABLES}
    found = [
        f"{name}.{attribute} is keyed by kinds of types: make it a ByKind"
        for name, module in [*sys.modules.items()]
        if name.startswith("samebytes.")
        for attribute, value in vars(module).items()
        if isinstance(value, dict) and value and id(value) not in known
        if all(isinstance(key, type) and issubclass(key, Type) for key in value)
    ]
    assert not found


@each("kind", KINDS)
class TestEachKind:
    def test_it_has_a_sample(self, kind: type[Type]) -> None:
        assert kind in SAMPLES, f"{kind.__name__} is new: add one to SAMPLES"

    def test_its_parts_are_all_types_inside(self, kind: type[Type]) -> None:
        """What a walk over the fields finds, without knowing of any kind."""
        sample = SAMPLES[kind]
        assert {*inside(sample, sample)} == {*sample.parts}

    def test_parts_that_stay_make_the_type_itself(self, kind: type[Type]) -> None:
        sample = SAMPLES[kind]
        assert sample.with_parts(lambda part: part) == sample

    def test_each_part_is_changed(self, kind: type[Type]) -> None:
        changed = SAMPLES[kind].with_parts(lambda part: SCALARS["int64"] if part == INT else part)
        assert type(changed) is kind
        assert INT not in changed.parts

    def test_a_class_of_python_inside_is_put_in(self, kind: type[Type]) -> None:
        """Types that differ by their classes alone are equal: what is changed must not be told by that."""
        linked = replace(RECORD, python=int)
        sample = SAMPLES[kind]
        parts = sample.with_parts(lambda part: linked if part == RECORD else part).parts
        assert [getattr(part, "python", None) for part in parts if part == RECORD] == [
            int
        ] * sample.parts.count(RECORD)

    def test_a_model_holds_it(self, kind: type[Type]) -> None:
        module = Module(
            "c++", aliases=(Alias("Name", "ns::Name", "it", Location("a.hpp", 1), SAMPLES[kind]),)
        )
        (alias,) = decode(encode(module)).aliases
        assert alias.type == SAMPLES[kind]


def inside(value: Any, top: Type) -> list[Type]:
    """The types of values in a value's fields, and in what these hold, down to the next type."""
    if isinstance(value, Type) and value is not top and type(value) is not types.Function:
        return [value]
    if isinstance(value, tuple):
        return [found for item in value for found in inside(item, top)]
    if is_dataclass(value):
        return [found for f in fields(value) for found in inside(getattr(value, f.name), top)]
    return []
