"""The records of ROCm 7.1's header: their sizes are those of g++ and of HIP Python 7.2, nested ones by their fields."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.call.c_api.api import PendingClass
from samebytes.types import Struct

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from fetched_hip import INCLUDE, hip_python, missing

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]
# C++ gets the vectors with the header; C has them in a file of its own.
HEADER = """
#include <hip/hip_runtime_api.h>
#include <hip/amd_detail/amd_hip_vector_types.h>
"""
# Declared inside a union: C++ reaches them through it.
NESTED = re.compile(r"hipStreamMemOp\w+Params_t")
# HIP Python has one member for the anonymous union and the one after it: 8 bytes are missing.
SHORT = (
    "hipStreamBatchMemOpParams.waitValue", "hipStreamBatchMemOpParams.writeValue",
    "hipStreamBatchMemOpParams_union.waitValue", "hipStreamBatchMemOpParams_union.writeValue",
)  # fmt: skip
DEFINES = ["__HIP_PLATFORM_AMD__"]
THEIRS = """
import json, sys
sys.path.insert(0, sys.argv[1])
from hip import hip
def size(path):
    name, *fields = path.split(".")
    record = getattr(hip, name)() if hasattr(getattr(hip, name, None), "c_sizeof") else None
    for field in fields:
        record = getattr(record, field, None)
    return record.c_sizeof() if hasattr(record, "c_sizeof") else None
print(json.dumps({path: size(path) for path in json.load(sys.stdin)}))
"""


@pytest.fixture(scope="module")
def hip(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if not INCLUDE.exists():
        pytest.skip(missing("ROCm 7.1's header"))
    header = tmp_path_factory.mktemp("rocm") / "rocm.h"
    header.write_text(HEADER)
    return sb.bind(
        header, library="libamdhip64.so", style="c_api", language="c", defines=DEFINES, include_dirs=[INCLUDE],
        config={"File List": [str(path) for path in INCLUDE.glob("hip/**/*.h")]},
    )  # fmt: skip


@pytest.fixture(scope="module")
def sizes(hip: Any) -> dict[str, int]:
    """Every record by its public name, and the records inside it by their fields: ``hipResourceDesc.res.linear``."""
    found = {}
    for name in dir(hip):
        waits = hip.__pending__.get(name)
        if waits is not None and not isinstance(waits, PendingClass):
            continue  # a function: there is no library to find it in
        described = getattr(getattr(hip, name), "__samebytes_type__", None)
        if isinstance(described, Struct):
            found.update({path: sb.layout(type_).size for path, type_ in _parts(name, described)})
    return found


def _parts(path: str, record: Struct) -> Iterator[tuple[str, Struct]]:
    yield path, record
    for field in record.fields:
        if isinstance(field.type, Struct) and field.name:
            yield from _parts(f"{path}.{field.name}", field.type)


def test_sizes_are_those_of_gxx(sizes: dict[str, int], tmp_path: Path) -> None:
    def measured(path: str) -> str:
        name, _, field = path.partition(".")
        name = NESTED.sub(r"hipStreamBatchMemOpParams_union::\g<0>", name)
        return f"sizeof(static_cast<{name}*>(nullptr)->{field})" if field else f"sizeof({name})"

    numbers = ",\n".join(measured(path) for path in sizes)
    source = tmp_path / "sizes.cpp"
    source.write_text(
        "#include <cstdio>\n#include <hip/hip_runtime_api.h>\n#include <hip/hip_vector_types.h>\nint main() {\n"
        f"for (unsigned long n : {{{numbers}}}) std::printf(\"%lu\\n\", n);\n}}\n"
    )  # fmt: skip
    flags = ["-w", *(f"-D{name}" for name in DEFINES), f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, source, "-o", tmp_path / "sizes"], check=True)
    said = subprocess.run([tmp_path / "sizes"], capture_output=True, text=True, check=True).stdout.split()
    assert dict(zip(sizes, map(int, said), strict=True)) == sizes
    assert len(sizes) >= 150


@pytest.mark.statement("W.15", "H.43")
def test_sizes_are_those_of_hip_python(sizes: dict[str, int]) -> None:
    there = hip_python("7.2")
    if not there.exists():
        pytest.skip(missing("HIP Python 7.2"))
    done = subprocess.run(
        [sys.executable, "-c", THEIRS, str(there)], input=json.dumps(list(sizes)), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    theirs = {path: size for path, size in json.loads(done.stdout).items() if size is not None}
    assert len(theirs) >= 200
    differing = {path: size for path, size in theirs.items() if size != sizes[path]}
    assert differing == dict.fromkeys(SHORT, 32)
    assert {sizes[path] for path in SHORT} == {40}, "as g++ says"


def test_what_macros_rename_has_both_names(hip: Any) -> None:
    """The header says ``#define hipDeviceProp_t hipDeviceProp_tR0600``, and HIP's users never see the number."""
    assert hip.hipDeviceProp_t is hip.hipDeviceProp_tR0600
    assert "hipGetDeviceProperties" in dir(hip)
