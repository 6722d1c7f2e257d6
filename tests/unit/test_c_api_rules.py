"""style="c_api": which parameters go in and which come out, declaration by declaration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.capi import apply_style
from samebytes.headers.read import read

TYPES = """
typedef unsigned long size_t;
typedef enum { OK, BAD } st;
typedef struct thing_s *thing;
typedef struct { float x, y; } pair;
"""
# A declaration, the parameters that the caller gives, and those that come out.
ROWS = (
    ("st Create(thing* t, const char* src, const char* name, int num, const char** headers, const char** names)",
     "src name num headers names", "t"),
    ("st CompileProgram(thing t, int numOptions, const char** options)", "t numOptions options", ""),
    ("st LoadFromFile(thing* t, const char* file, int** options, unsigned numOptions)", "file options numOptions", "t"),
    ("st LinkCreate(unsigned numOptions, int* options, void** values, thing* stateOut)",
     "numOptions options values", "stateOut"),
    ("st Batch(size_t count, size_t* sizes, size_t* failIdx)", "count sizes", "failIdx"),
    ("st DestroyProgram(thing* t)", "t", ""),
    ("void frame_free(thing* t)", "t", ""),
    ("st AddMemFreeNode(thing* node, void* ptr)", "ptr", "node"),
    ("st GetLoweredName(thing t, const char* expression, const char** lowered)", "t expression", "lowered"),
    ("st LogNames(thing t, const char** names)", "t names", ""),
    ("st GetErrorName(st error, const char** name)", "error", "name"),
    ("st Sscal(thing h, int n, const float* alpha, float* x, int incx)", "h n alpha x incx", ""),
    ("st Saxpy(thing h, int n, const float* a, const float* x, int incx, float* y, int incy)",
     "h n a x incx y incy", ""),
    ("st Sdot(thing h, int n, const float* x, int incx, const float* y, int incy, float* result)",
     "h n x incx y incy result", ""),
    ("st Dgetrf_bufferSize(thing h, int m, int n, double* A, int lda, int* lwork)", "h m n A lda", "lwork"),
    ("st Dgetrf(thing h, int m, int n, double* A, int lda, double* work, int lwork, int* devIpiv, int* devInfo)",
     "h m n A lda work lwork devIpiv devInfo", ""),
    ("st Saxpyi(thing h, int nnz, const float* alpha, const float* xVal, const int* xInd, float* y)",
     "h nnz alpha xVal xInd y", ""),
    ("st GenerateUniform(thing g, float* output_data, size_t n)", "g output_data n", ""),
    ("st ExecC2R(thing plan, pair* idata, float* odata)", "plan idata odata", ""),
    ("st CommInitAll(thing* comm, int ndev, const int* devlist)", "comm ndev devlist", ""),
    ("st hipblasStrtriBatched(thing h, int n, const float* const A[], int lda, float* invA[], int ldinvA, int count)",
     "h n A lda invA ldinvA count", ""),
    ("st hipblasCtrtriBatched(thing h, int n, pair** invA, int ldinvA)", "h n invA ldinvA", ""),
    ("st hipblasSrotg(thing h, float* a, float* b, float* c, float* s)", "h a b c s", ""),
    ("st hipblasGetVersion(thing h, int* version)", "h", "version"),
    ("st hipfftPlanMany(thing* plan, int rank, int* n, int* inembed, int istride, int idist, int batch)",
     "rank n inembed istride idist batch", "plan"),
    ("st hipfftEstimate1d(int nx, int batch, size_t* workSize)", "nx batch", "workSize"),
    ("st hipsparseSbsrmv(thing h, int nb, int nnzb, const float* alpha, const float* x, float* y)",
     "h nb nnzb alpha x y", ""),
    ("st hipsparseScsr2bsr(thing h, const float* csrValA, float* bsrValC, int* bsrRowPtrC)",
     "h csrValA bsrValC bsrRowPtrC", ""),
    ("st hipsparseSpMV_bufferSize(thing h, const void* alpha, size_t* bufferSize)", "h alpha", "bufferSize"),
    ("st hipsparseSpMatGetSize(const void* m, long* rows, long* cols)", "m", "rows cols"),
    ("st cusolverDnSgetrf(thing h, int m, float* A, int lda, float* Workspace, int* devIpiv)",
     "h m A lda Workspace devIpiv", ""),
    ("st CommShrink(thing comm, int* ranks, int ranksCount, thing* newcomm)", "comm ranks ranksCount", "newcomm"),
    ("st rtcLinkCreate(unsigned num_options, int* option, void** values, thing* link_state)",
     "num_options option values", "link_state"),
    ("st GetDevices(unsigned num_entries, thing* devices, unsigned* num_devices)",
     "num_entries devices", "num_devices"),
    ("st StridedBatched_bufferSize(thing h, int* lwork, int batch_count)", "h batch_count", "lwork"),
    ("st StreamGetCUMask(thing stream, unsigned cuMaskSize, unsigned* cuMask)", "stream cuMaskSize cuMask", ""),
    ("st GetSamples(thing t, short* samples, size_t num_samples)", "t samples num_samples", ""),
    ("st DrvLaunchKernelEx(const pair* config, thing f, void** params, void** extra)", "config f params extra", ""),
    ("st ElapsedTime(float* ms, thing start, thing stop)", "start stop", "ms"),
    ("st sum(double* total, const double* values, int n)", "values n", "total"),
    ("st GetVersion(int* version)", "", "version"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("declaration", "given", "outputs"), ROWS, ids=[r[0].split("(")[0][3:] for r in ROWS]
)
def test_what_goes_in_and_what_comes_out(declaration: str, given: str, outputs: str) -> None:
    module = apply_style(read(None, source=f"{TYPES}\n{declaration};", language="c"), "c_api")
    (signature,) = module.functions
    assert " ".join(p.name for p in signature.visible) == given
    assert " ".join(p.name for p in signature.parameters if not p.intent.visible) == outputs


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("text")
    (folder / "named.h").write_text(
        "typedef struct { char name[8]; unsigned char id[4]; char grid[2][3]; } named;\n"
        "int named_last(const named* it); void named_free(named** it);\n"
    )
    (folder / "named.c").write_text(
        '#include "named.h"\nint named_last(const named* it) { return it->name[7]; }\n'
        "void named_free(named** it) { *it = 0; }\n"
    )
    return sb.bind(folder / "named.h", sources=folder / "named.c", style="c_api")


class TestText:
    def test_is_read_up_to_the_first_nul(self, lib: Any) -> None:
        it = lib.named(name=b"gfx90a")
        assert it.name == b"gfx90a"
        assert b"--offload-arch=" + it["name"] == b"--offload-arch=gfx90a"
        it.name = "ab"
        assert (it.name, bytes(it)[:8]) == (b"ab", b"ab" + bytes(6))

    def test_without_a_nul_it_is_the_whole_array(self, lib: Any) -> None:
        it = lib.named(name=b"12345678")
        assert it.name == b"12345678"
        assert lib.named_last(it) == (ord("8"),)
        assert it.value.name == tuple(b"12345678")

    def test_other_arrays_stay_arrays(self, lib: Any) -> None:
        it = lib.named()
        it.id[1] = 7
        it.grid[1, 2] = 65
        assert (it.id.tolist(), it.grid[1].tolist()) == ([0, 7, 0, 0], [0, 0, 65])

    def test_what_is_destroyed_is_given_by_reference(self, lib: Any) -> None:
        pointer = sb.Pointer(lib.named())
        lib.named_free(pointer.createRef())
        assert pointer.is_ptr_null


def test_bytes_of_an_allocation_are_any_numbers(tmp_path: Path) -> None:
    """A DeviceArray that nobody described is memory; one that is described holds what was said, and is checked."""
    (tmp_path / "v.h").write_text(
        "typedef struct { double re, im; } z;\nint first(const float* x, int incx); int zero(z* idata);\n"
    )
    (tmp_path / "v.c").write_text(
        '#include "v.h"\nint first(const float* x, int incx) { return x[incx]; }\n'
        "int zero(z* i) { return i->re = i->im = 0, 1; }\n"
    )
    lib: Any = sb.bind(tmp_path / "v.h", sources=tmp_path / "v.c", style="c_api")
    memory = sb.DeviceArray.from_host(np.array([1, 2, 1, 2], np.float32).view(np.uint8), device="cpu")
    assert (memory.typestr, lib.first(memory, 1)) == ("|u1", (2,))
    assert lib.zero(memory) == (1,)
    assert memory.copy_to_host().tolist() == [0] * 16
    with pytest.raises(sb.ArrayError, match=r"expected contiguous float32\[n\].*float64"):
        lib.first(memory.configure(typestr="float64", shape=(2,)), 1)
    with pytest.raises(sb.ArrayError, match="contiguous"):
        lib.first(memory.configure(typestr="|u1", shape=(8, 2))[:, 1], 1)
