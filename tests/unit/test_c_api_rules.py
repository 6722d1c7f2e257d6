"""style="c_api": which parameters go in and which come out, declaration by declaration."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.read.header import read_header
from samebytes.styles.c_api.rules import apply_style

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
    ("st LinkNew(thing* t, unsigned numOptions, const char** options)", "numOptions options", "t"),
    ("st row(thing t, int indices[], double values[])", "t indices values", ""),
    ("st EnumerateDevices(thing t, unsigned* pDeviceCount, thing* pDevices)", "t pDeviceCount pDevices", ""),
    ("st FamilyProperties(thing t, unsigned* pPropertyCount, pair* pProperties)", "t pPropertyCount pProperties", ""),
    ("st DriverGet(unsigned* pCount, thing* phDrivers)", "pCount phDrivers", ""),
    ("st AllocateSets(const pair* info, thing* pSets)", "info pSets", ""),
    ("st Init(int* argc, char*** argv)", "argc argv", ""),
    ("st OpenBus(thing* bus)", "", "bus"),
    ("st find(unsigned* count, thing* first)", "count first", ""),
    ("st LoadFromFile(thing* t, const char* file, int** options, unsigned numOptions)", "file options numOptions", "t"),
    ("st LinkCreate(unsigned numOptions, int* options, void** values, thing* stateOut)",
     "numOptions options values", "stateOut"),
    ("st Batch(size_t count, size_t* sizes, size_t* failIdx)", "count sizes", "failIdx"),
    ("st DestroyProgram(thing* t)", "t", ""),
    ("void frame_free(thing* t)", "t", ""),
    ("st AddMemFreeNode(thing* node, void* ptr)", "node ptr", ""),
    ("st GetLoweredName(thing t, const char* expression, const char** lowered)", "t expression", "lowered"),
    ("st get_name(thing t, const char** name)", "t", "name"),
    ("st target_name(thing t, const char** names)", "t names", ""),
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
     "plan rank n inembed istride idist batch", ""),
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
    ("st StridedBatched_bufferSize(thing h, int* lwork, int batch_count)", "h lwork batch_count", ""),
    ("st StreamGetCUMask(thing stream, unsigned cuMaskSize, unsigned* cuMask)", "stream cuMaskSize cuMask", ""),
    ("st GetSamples(thing t, short* samples, size_t num_samples)", "t samples num_samples", ""),
    ("st DrvLaunchKernelEx(const pair* config, thing f, void** params, void** extra)", "config f params extra", ""),
    ("st ElapsedTime(float* ms, thing start, thing stop)", "start stop", "ms"),
    ("st sum(double* total, const double* values, int n)", "values n", "total"),
    # Real declarations that were taken for one output: cairo, FFTW, GSL, sndfile, Opus, CFITSIO, netCDF, HDF5 …
    ("void dash_get(thing cr, double* dashes, double* offset)", "cr dashes offset", ""),
    ("void dash_set(thing cr, double* dashes, int num_dashes, double offset)", "cr dashes num_dashes offset", ""),
    ("int fill(double* values, int n)", "values n", ""),
    ("int fill2(int n, double* values)", "n values", ""),
    ("void add(double* out, const double* a, const double* b, int n)", "out a b n", ""),
    ("void scale(size_t len, float* x, float* y, float k)", "len x y k", ""),
    ("thing fftw_plan_dft_r2c_2d(int n0, int n1, double* in, double (*out)[2], unsigned flags)",
     "n0 n1 in out flags", ""),
    ("thing fftw_plan_guru_split_dft(int rank, const pair* dims, double* ri, double* io)", "rank dims ri io", ""),
    ("long sf_readf_float(thing f, float* ptr, long frames)", "f ptr frames", ""),
    ("int opus_decode(thing st, const unsigned char* data, int len, short* pcm, int frame_size, int decode_fec)",
     "st data len pcm frame_size decode_fec", ""),
    ("int img_stats(int* array, long nx, long ny, double* mean, double* sigma)", "array nx ny mean sigma", ""),
    ("int gsl_ran_multinomial(const thing r, size_t K, unsigned N, const double p[], unsigned n[])", "r K N p n", ""),
    ("int gsl_ran_dir_nd(const thing r, size_t n, double* x)", "r n x", ""),
    ("int gsl_poly_complex_solve(const double* a, size_t n, thing w, double* z)", "a n w z", ""),
    ("int LAPACKE_stpttf(int layout, char transr, char uplo, int n, const float* ap, float* arf)",
     "layout transr uplo n ap arf", ""),
    ("double LAPACKE_dgtcon(char norm, int n, const double* dl, const int* ipiv, double anorm, double* rcond)",
     "norm n dl ipiv anorm", "rcond"),
    ("void dstev_(const char* jobz, const int* n, double* D, double* E, double* Z, const int* ldz, int* info)",
     "jobz n D E Z ldz", "info"),
    ("int nc_get_var_float(int ncid, int varid, float* ip)", "ncid varid ip", ""),
    ("int nc_get_var_string(int ncid, int varid, char** ip)", "ncid varid ip", ""),
    ("int nc_get_vara_int(int ncid, int varid, const size_t* startp, const size_t* countp, int* ip)",
     "ncid varid startp countp ip", ""),
    ("int nc_inq_typeids(int ncid, int* ntypes, int* typeids)", "ncid typeids", "ntypes"),
    ("int H5Pget_chunk(long plist, int max_ndims, unsigned long dim[])", "plist max_ndims dim", ""),
    ("int fits_rebin(thing fptr, int naxis, double* amin, double* binsize)", "fptr naxis amin binsize", ""),
    ("void XSetWMProtocols(thing, unsigned long, unsigned long*, int)", "arg0 arg1 arg2 arg3", ""),
    ("int XInternAtoms(thing, char**, int, int, unsigned long*)", "arg0 arg1 arg2 arg3 arg4", ""),
    ("int XQueryTree(thing, unsigned long, unsigned long*, unsigned long**, unsigned*)",
     "arg0 arg1 arg2 arg3 arg4", ""),
    ("int XListFonts(thing, const char*, int, int*)", "arg0 arg1 arg2 arg3", ""),
    ("int eglChooseConfig(thing d, const int* attrib_list, void** configs, int config_size, int* num_config)",
     "d attrib_list configs config_size", "num_config"),
    ("int vkEnumeratePhysicalDevices(thing i, unsigned* pPhysicalDeviceCount, thing* pPhysicalDevices)",
     "i pPhysicalDeviceCount pPhysicalDevices", ""),
    ("st SetValidDevices(int* device_arr, int len)", "device_arr len", ""),
    # And what is one number beside other numbers.
    ("int sqlite3_status(int op, int* pCurrent, int* pHighwater, int resetFlag)",
     "op resetFlag", "pCurrent pHighwater"),
    ("int curl_easy_recv(thing h, void* buffer, size_t buflen, size_t* n)", "h buffer buflen", "n"),
    ("char* curl_easy_unescape(thing h, const char* text, int length, int* outlength)", "h text length", "outlength"),
    ("st MallocPitch(void** ptr, size_t* pitch, size_t width, size_t height)", "pitch width height", "ptr"),
    ("st Malloc(void** ptr, size_t size)", "size", "ptr"),
    ("st MallocMipmappedArray(thing* mipmappedArray, const pair* desc, unsigned numLevels, unsigned flags)",
     "desc numLevels flags", "mipmappedArray"),
    ("int cairo_pattern_get_color_stop_rgba(thing p, int index, double* offset, double* red)", "p index", "offset red"),
    ("int hb_font_get_glyph_from_name(thing f, const char* name, int len, unsigned* glyph)", "f name len", "glyph"),
    ("int WebPGetInfo(const unsigned char* data, size_t data_size, int* width, int* height)",
     "data data_size", "width height"),
    ("int XRRSizes(thing dpy, int screen, int* nsizes)", "dpy screen", "nsizes"),
    ("int gsl_integration_qags(thing f, double a, size_t limit, thing w, double* result, double* abserr)",
     "f a limit w", "result abserr"),
    ("int snd_card_get_name(int card, char** name)", "card", "name"),
    ("int BZ2_bzRead(int* bzerror, void* b, void* buf, int len)", "b buf len", "bzerror"),
    ("st GetVersion(int* version)", "", "version"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("declaration", "given", "outputs"), ROWS, ids=[r[0].split("(")[0][3:] for r in ROWS]
)
def test_what_goes_in_and_what_comes_out(declaration: str, given: str, outputs: str) -> None:
    module = apply_style(read_header(None, source=f"{TYPES}\n{declaration};", language="c"), "c_api")
    (signature,) = module.functions
    assert " ".join(p.name for p in signature.visible) == given
    assert " ".join(p.name for p in signature.parameters if not p.intent.visible) == outputs


# A function that fills an array, and the one that says how many there are: its one number comes out.
COUNTED = (
    ("st GetSupportedArchs(int* archs)", "st GetNumSupportedArchs(int* num)"),
    ("st table_get_keys(int* keys, thing t)", "st table_get_num_keys(int* n, thing t)"),
    ("st GetDevices(thing* devices)", "st GetDeviceCount(int* n)"),
    (
        "st opt_get_lower_bounds(double* bounds, thing o)",
        "st opt_set_lower_bounds(thing o, const double* bounds)",
    ),
    ("st mesh_get_ids(long* ids, thing m)", "st mesh_get_ids_count(long* n, thing m)"),
)


def test_one_beside_a_count_is_one() -> None:
    source = f"{TYPES}\nst GetDevice(int* device); st GetDeviceCount(int* count);"
    module = apply_style(read_header(None, source=source, language="c"), "c_api")
    assert not any(p.intent.visible for f in module.functions for p in f.parameters)


@pytest.mark.parametrize(("fills", "counts"), COUNTED, ids=[c[0].split("(")[0][3:] for c in COUNTED])
def test_arrays_that_another_function_counts(fills: str, counts: str) -> None:
    module = apply_style(read_header(None, source=f"{TYPES}\n{fills};\n{counts};", language="c"), "c_api")
    assert [f.parameters[0].intent.visible for f in module.functions] == [True, "set" in counts]


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
        assert lib.named_last(it) == ord("8")
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
    assert (memory.typestr, lib.first(memory, 1)) == ("|u1", 2)
    assert lib.zero(memory) == 1
    assert memory.copy_to_host().tolist() == [0] * 16
    with pytest.raises(sb.ArrayError, match=r"expected contiguous float32\[n\].*float64"):
        lib.first(memory.configure(typestr="float64", shape=(2,)), 1)
    with pytest.raises(sb.ArrayError, match="contiguous"):
        lib.first(memory.configure(typestr="|u1", shape=(8, 2))[:, 1], 1)


# What a callback may return for a pointer in a C API, and the address that C gets.
RETURNED: tuple[tuple[Any, int], ...] = (
    (0x7F00, 0x7F00), (np.int64(0x7F10), 0x7F10), (None, 0), (sb.Pointer(32), 32), (ctypes.c_void_p(8), 8),
    (True, -1), ("x", -1), (-1, -1), (1.5, -1),
)  # fmt: skip
CALLBACKS = r"""
typedef void *(*alloc_t)(unsigned long);
typedef int *(*ints_t)(void);
typedef struct { alloc_t make; ints_t more[2]; } hooks_t;
static inline unsigned long by_argument(void *(*f)(unsigned long)) { return (unsigned long)f(1); }
static inline unsigned long by_name(alloc_t f) { return (unsigned long)f(1); }
static inline unsigned long by_field(const hooks_t *h) { return (unsigned long)h->make(1); }
static inline unsigned long by_array(const hooks_t *h) { return (unsigned long)h->more[1](); }
"""


@pytest.fixture(scope="module")
def callbacks(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("returned") / "returned.h"
    path.write_text(CALLBACKS)
    return sb.bind(path, style="c_api")


@pytest.mark.parametrize(("value", "address"), RETURNED, ids=[repr(r[0]) for r in RETURNED])
def test_callbacks_return_addresses(callbacks: Any, value: Any, address: int) -> None:
    def give(*_: Any) -> Any:
        return value

    calls = {
        "by_argument": lambda: callbacks.by_argument(give),
        "by_name": lambda: callbacks.by_name(callbacks.alloc_t(give)),
        "by_field": lambda: callbacks.by_field(callbacks.hooks_t(make=give)),
        "by_array": lambda: callbacks.by_array(callbacks.hooks_t(more=(give, give))),
    }
    for call in calls.values():
        if address >= 0:
            assert call() == address
        else:
            with pytest.raises(sb.Error, match="returned what C"):
                call()


def test_as_declared_an_int_is_no_address() -> None:
    lib: Any = sb.compile("inline long f(void *(*g)(int)) { return (long)g(1); }")
    with pytest.raises(sb.ArgumentError, match=r"sb\.Pointer\(address\) says that a number is an address"):
        lib.f(lambda n: 16)
