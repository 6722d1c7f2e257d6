"""nanobind's test_ndarray.py in our words: arrays that C++ takes, by type, shape, order and device, and gives."""

from __future__ import annotations

import array
import gc
import struct
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]

# A small mdspan, known by the name of Kokkos', and DLPack's structures.
UNIT = Path(__file__).parents[2] / "unit"

SOURCE = Path(__file__).with_name("ndarray.hpp").read_text()


@pytest.fixture(scope="module")
def lib():
    outputs = {"fill": {"out": sb.out_array_return(length="n", as_array=True)}}
    return sb.compile(SOURCE, std="c++20", include_dirs=[UNIT], arg_intent=outputs, name="nb_ndarray")


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


@pytest.mark.behaviour("test01_metadata")
def test_what_cxx_knows_of_an_array(lib):
    a = np.zeros((3, 4, 5))
    assert lib.facts(a).tolist() == [1, 0, 2, 64, 3, 3, 4, 5, 20, 5, 1]
    assert lib.facts(a[::2, :, 1]).tolist() == [1, 0, 2, 64, 2, 2, 4, 40, 5]
    assert lib.facts(np.zeros(())).tolist() == [1, 0, 2, 64, 0]
    assert lib.size(a) == 60
    for dtype, code, bits in (("f4", 2, 32), ("u4", 1, 32), ("?", 6, 8), ("i2", 0, 16), ("c8", 5, 64)):
        assert lib.facts(np.zeros(1, dtype)).tolist()[2:4] == [code, bits]
    assert lib.facts(None).tolist() == []
    assert lib.is_null()
    assert lib.is_null(None)
    assert not lib.is_null(a)


@pytest.mark.behaviour("test02_docstr")
def test_signatures_say_what_arrays(lib):
    said = {
        name: str(sb.explain(lib, name)).partition("\n")[0]
        for name in ("of_uint32", "size", "order", "brighter")
    }
    assert said["of_uint32"] == "of_uint32(arg0: array[uint32, 1]) -> None"
    assert said["size"] == "size(a: array[const[float64], 3]) -> uint64"
    assert "brighter(pixels: " in said["brighter"]
    assert "5, 3]" in said["brighter"]


ELEMENTS = {
    "of_uint32": "u4", "of_float": "f4", "of_const_float": "f4", "of_complex": "c8", "of_const_complex": "c8",
    "of_bool": "?",
}  # fmt: skip


@pytest.mark.behaviour("test03_constrain_dtype")
@pytest.mark.parametrize("name", ELEMENTS)
def test_the_element_type(lib, name):
    f = getattr(lib, name)
    a = np.ones(2, ELEMENTS[name])
    f(a)
    a.flags.writeable = False
    if "const" in name:
        f(a)
    else:
        with pytest.raises(sb.ArrayError, match="read-only"):
            f(a)
    for other in {"u4", "f4", "c8", "?"} - {ELEMENTS[name]}:
        with pytest.raises(
            sb.ArrayError, match=rf"expected {np.dtype(ELEMENTS[name])}\[n\].*got {np.dtype(other)}"
        ):
            f(np.ones(2, other))


@pytest.mark.behaviour("test04_constrain_shape")
def test_the_shape(lib):
    assert lib.three_by_four(np.ones((3, 4), "f4")) == 1
    assert lib.any_by_five_by_four(np.zeros((3, 5, 4), "f4")) == 1
    assert lib.any_by_five_by_four(np.zeros((0, 5, 4), "f4")) in (0, 1)
    assert [lib.any_by_two(np.zeros((n, 2), "f4")) for n in (0, 7)] == [0, 7]
    for shape in ((3, 5), (2, 4), (3, 4, 1), (12,)):
        with pytest.raises(sb.Error, match=r"shape \[3, 4\]"):
            lib.three_by_four(np.zeros(shape, "f4"))
    for shape in ((3, 5), (3, 4, 4), (3, 5, 6), (3, 5, 4, 6)):
        with pytest.raises(sb.ArrayError, match=r"\[n, 5, 4\]|dimensions"):
            lib.any_by_five_by_four(np.zeros(shape, "f4"))
    with pytest.raises(sb.ArrayError, match=r"\[n, 2\]|shape"):
        lib.any_by_two(np.zeros((2, 3), "f4"))


@pytest.mark.behaviour("test05_bytes")
@pytest.mark.behaviour("test28_check_bytearray")
def test_bytes_are_arrays(lib):
    for b in (bytearray(range(10)), bytes(range(10)), memoryview(bytearray(range(10)))):
        assert lib.bytes(b, 10) == 45
        assert lib.facts(np.asarray(sb.view(b))).tolist() == [1, 0, 1, 8, 1, 10, 1]


@pytest.mark.behaviour("test06_constrain_order_numpy", refused=True)
def test_the_order(lib):
    c, f = np.zeros((3, 5)), np.zeros((3, 5), order="F")
    assert (lib.order(c), lib.order(f)) == ("C", "F")
    for neither in (np.zeros((3, 9))[:, ::2], np.zeros((9, 5), order="F")[::2]):
        with pytest.raises(sb.Error, match=r"no overload that fits(.|\n)*contiguous"):
            lib.order(neither)


@pytest.mark.behaviour("test07_constrain_order_pytorch")
@pytest.mark.behaviour("test30_check_torch")
def test_the_order_of_tensors(lib, torch):
    c = torch.zeros(3, 5, dtype=torch.float64)
    f = c.t().contiguous().t()
    assert (lib.order(c), lib.order(f)) == ("C", "F")
    for neither in (c[:, 2:5], f[1:3]):
        with pytest.raises(sb.Error, match="contiguous"):
            lib.order(neither)
    assert lib.facts(c).tolist() == [1, 0, 2, 64, 2, 3, 5, 5, 1]


@pytest.mark.behaviour("test08_write_bytes_from_cpp")
def test_bytes_that_cxx_writes(lib):
    a = bytearray(10)
    assert lib.start(a) == "bytes"
    assert a == bytes(range(10))
    with pytest.raises(sb.Error, match=r"read-only uint8\[10\].*C\+\+ may write to it"):
        lib.start(b"helloHello")


@pytest.mark.behaviour("test09_write_numpy_from_cpp")
def test_arrays_that_cxx_writes(lib):
    x, y = np.zeros(10, "f4"), np.zeros((10, 3), "f4")
    assert (lib.start(x), lib.start(y)) == ("row", "matrix")
    assert (x == np.arange(10)).all()
    assert (y == np.arange(30).reshape(10, 3)).all()


@pytest.mark.behaviour("test10_implicit_conversion", refused=True)
@pytest.mark.behaviour("test10b_implicit_conversion_unusual_module", refused=True)
@pytest.mark.behaviour("test46_implicit_conversion_contiguous_complex", refused=True)
@pytest.mark.behaviour("test33_force_contig_numpy", refused=True)
def test_nothing_is_converted(lib):
    class Meta(type):
        @property
        def __module__(cls):
            return "".join(["nu", "mpy", ".dyn"])

    class Named(np.ndarray, metaclass=Meta):
        pass

    good = np.zeros((2, 2), "f4")
    assert lib.rows(good)
    assert lib.rows(good.view(Named))
    for dtype in ("u4", "?", "f8", "c8"):
        for wrong in (np.zeros((2, 2), dtype), np.zeros((2, 2), dtype).view(Named)):
            with pytest.raises(sb.ArrayError, match=r"expected float32"):
                lib.rows(wrong)
    for wrong in (np.zeros((2, 2, 10), "f4")[:, :, 4], np.arange(6, dtype="f4").reshape(2, 3).T):
        with pytest.raises(sb.ArrayError, match="contiguous"):
            lib.rows(wrong)
        assert lib.rows(np.ascontiguousarray(wrong))  # as the error advises


@pytest.mark.behaviour("test11_implicit_conversion_pytorch", refused=True)
@pytest.mark.behaviour("test34_force_contig_pytorch", refused=True)
def test_no_tensor_is_converted(lib, torch):
    assert lib.rows(torch.zeros(2, 2))
    with pytest.raises(sb.ArrayError, match="expected float32"):
        lib.rows(torch.zeros(2, 2, dtype=torch.int32))
    for strided in (torch.zeros(2, 2, 10)[:, :, 4], torch.zeros(2, 3).T):
        with pytest.raises(sb.ArrayError, match="contiguous"):
            lib.rows(strided)
        assert lib.rows(strided.contiguous())


@pytest.mark.behaviour("test12_process_image")
def test_an_image(lib):
    x = np.arange(120, dtype=np.ubyte).reshape(8, 5, 3)
    lib.brighter(x, 8)
    assert (x == np.arange(0, 240, 2).reshape(8, 5, 3)).all()
    x[:] = 200
    lib.brighter(x, 8)
    assert (x == 255).all()


class ByDLPack:
    """DLPack's two methods and nothing else."""

    def __init__(self, of):
        self.of = of

    def __dlpack__(self, **how):
        return self.of.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.of.__dlpack_device__()


@pytest.mark.behaviour("test13_destroy_capsule")
@pytest.mark.behaviour("test14_consume_numpy")
@pytest.mark.behaviour("test20_return_array_api")
@pytest.mark.behaviour("test32_reference_internal")
def test_what_consumes_a_view_keeps_the_object(lib):
    before = lib.ended
    ends = {
        "view": lambda v: v, "capsule": lambda v: v.__dlpack__(),
        "versioned": lambda v: v.__dlpack__(max_version=(1, 0)), "numpy": np.asarray,
        "numpy by DLPack": lambda v: np.from_dlpack(ByDLPack(v)), "memoryview": memoryview,
    }  # fmt: skip
    for i, (name, consume) in enumerate(ends.items()):
        held = consume(lib.Block().view())
        gc.collect()
        assert lib.ended == before + i, name
        if name not in ("view", "capsule", "versioned"):
            assert np.asarray(held).tolist() == list(range(10))
        del held
        gc.collect()
        assert lib.ended == before + i + 1, name
    block = lib.Block()
    first, second = np.asarray(block.view()), block.data
    del block
    first += 1
    second += 2
    assert (first == np.arange(10) + 3).all()
    assert (second == first).all()


@pytest.mark.behaviour("test20_return_array_api")
@pytest.mark.behaviour("test20a_dlpack_copy_device_kwargs")
def test_the_words_of_dlpack(lib):
    view = lib.grid()
    assert view.__dlpack_device__() == (1, 0)
    for how in ({}, {"max_version": None}, {"max_version": (0, 0)}, {"copy": False}, {"copy": None},
                {"dl_device": None}, {"dl_device": (1, 0)}, {"stream": None}):  # fmt: skip
        assert "dltensor" in repr(view.__dlpack__(**how))
        assert "versioned" not in repr(view.__dlpack__(**how))
    assert "dltensor_versioned" in repr(view.__dlpack__(max_version=(1, 0)))
    assert not np.shares_memory(np.from_dlpack(view, copy=True), np.from_dlpack(view))  # ours can copy
    with pytest.raises((sb.Error, BufferError), match=r"copy|device"):
        view.__dlpack__(dl_device=(99, 0))
    for wrong in (lambda: view.__dlpack__(version=1), lambda: view.__dlpack__(max_version=("1", "0"))):
        with pytest.raises(TypeError, match="version"):
            wrong()


@pytest.mark.behaviour("test15_passthrough_numpy")
@pytest.mark.behaviour("test31_rv_policy")
def test_memory_that_goes_through_cxx(lib):
    a = np.array([1, 2, 3], "f4")
    back, copy = np.asarray(lib.same(a)), lib.copied(a)
    assert np.shares_memory(a, back)
    assert not np.shares_memory(a, copy)
    back[0] = 9
    assert (a[0], copy[0]) == (9, 1)
    assert np.shares_memory(np.asarray(lib.grid()), np.asarray(lib.const_grid()))
    assert not np.shares_memory(lib.owned(), lib.owned())
    with pytest.raises(sb.ArgumentError, match="got None"):
        lib.same(None)


@pytest.mark.behaviour("test16_passthrough_torch")
@pytest.mark.behaviour("test18_return_pytorch")
def test_tensors_of_what_cxx_gives(lib, torch):
    a = torch.tensor([1.0, 2, 3])
    back = torch.from_dlpack(lib.same(a))
    back[0] = 9
    assert a.tolist() == [9, 2, 3]
    before = lib.ended
    tensor = torch.from_dlpack(lib.Block().view())
    gc.collect()
    assert lib.ended == before
    assert tensor.tolist() == list(range(10))
    del tensor
    gc.collect()
    assert lib.ended == before + 1
    assert torch.from_dlpack(lib.grid()).shape == (2, 4)


@pytest.mark.behaviour("test17_return_numpy")
@pytest.mark.behaviour("test19_return_memview")
@pytest.mark.behaviour("test19b_buffer_protocol_flags")
def test_arrays_that_cxx_gives(lib, tmp_path):
    x = lib.owned()
    assert (x.shape, x.dtype, x.flags.writeable) == ((8,), np.float32, True)
    assert x.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    shown = memoryview(lib.grid())
    assert (shown.itemsize, shown.ndim, shown.shape, shown.strides) == (4, 2, (2, 4), (16, 4))
    assert shown.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    fixed = lib.const_grid()
    assert memoryview(fixed).readonly
    file = tmp_path / "bytes"
    file.write_bytes(bytes(32))
    with file.open("rb") as f, pytest.raises((BufferError, TypeError)):
        f.readinto(fixed)
    assert np.asarray(lib.grid()).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    with pytest.raises(BufferError, match=r"contiguous|strid"):
        struct.unpack_from("8f", lib.const_columns())
    assert struct.unpack_from("8f", fixed) == (1, 2, 3, 4, 5, 6, 7, 8)
    assert memoryview(lib.const_columns()).tolist() == [[1, 3, 5, 7], [2, 4, 6, 8]]


@pytest.mark.behaviour("test19c_export_ownerless_refused", refused=True)
def test_memory_whose_end_or_length_nobody_knows(lib):
    reasons = {skipped.name: skipped.reason for skipped in lib.__skipped__}
    assert "a smart pointer to an array does not say how long that is" in reasons["unmeasured()"]
    assert "a returned reference to an array is not bound; a pointer to it is" in reasons["reference()"]
    with pytest.raises(AttributeError, match="does not say how long"):
        lib.unmeasured()
    address = lib.Block().address()  # holds the object, and knows no length
    assert isinstance(address, sb.Pointer)
    with pytest.raises(TypeError):
        memoryview(address)


@pytest.mark.behaviour("test20b_import_metal_dlpack", refused=True)
def test_memory_of_another_device(lib):
    class Elsewhere(ByDLPack):
        def __dlpack_device__(self):
            return (2, 0)

        def __dlpack__(self, **how):
            raise AssertionError("nobody asks for it")

    with pytest.raises(sb.Error, match=r"host memory.*|device"):
        lib.first(Elsewhere(np.zeros(2, "f4")))


@pytest.mark.behaviour("test44_constrain_order_cupy", refused=True)
@pytest.mark.behaviour("test45_implicit_conversion_cupy", refused=True)
def test_memory_of_a_gpu(lib):
    class Cuda:
        @property
        def __cuda_array_interface__(self):
            return {"shape": (2,), "typestr": "<f4", "data": (4096, False), "version": 3}

    with pytest.raises(sb.ArrayError, match=r"in host memory.*, got float32.*CUDA"):
        lib.first(Cuda())


@pytest.mark.behaviour("test21_return_array_scalar")
@pytest.mark.behaviour("test37_cast")
def test_one_number(lib):
    assert lib.one().tolist() == [1]
    assert np.asarray(lib.ints_of(True)).dtype == np.int32
    assert np.asarray(lib.grid()).dtype == np.float32


SHAPES = ((1, 100), (100, 1), (0, 100), (100, 0), (0, 0), (1, 1))


@pytest.mark.behaviour("test23_single_and_empty_dimension_numpy")
@pytest.mark.behaviour("test52_accept_np_both_true_contig")
@pytest.mark.parametrize("shape", SHAPES)
def test_one_or_no_elements_along_a_dimension(lib, shape):
    for a in (np.ones(shape, "f4"), np.ones(shape, "f4", order="F"), np.ones(shape[::-1], "f4").T):
        assert lib.rows(a)
        assert lib.columns(a)


@pytest.mark.behaviour("test22_single_and_empty_dimension_pytorch")
@pytest.mark.behaviour("test24_single_and_empty_dimension_fortran_order_pytorch")
@pytest.mark.parametrize("shape", SHAPES)
def test_one_or_no_elements_along_a_dimension_of_tensors(lib, torch, shape):
    for a in (torch.ones(shape), torch.ones(shape).t().contiguous().t()):
        assert lib.rows(a)
        assert lib.columns(a)


@pytest.mark.behaviour("test25_ro_array")
def test_read_only_arguments(lib):
    a = np.array([1, 2], "f4")
    assert lib.first(a) == lib.changed(a) == 1
    a.setflags(write=False)
    assert lib.first(a) == 1
    with pytest.raises(sb.ArrayError, match="read-only"):
        lib.changed(a)


@pytest.mark.behaviour("test26_return_ro")
def test_read_only_results(lib):
    x, y = np.asarray(lib.const_grid()), np.asarray(lib.const_columns())
    assert x.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert y.tolist() == [[1, 3, 5, 7], [2, 4, 6, 8]]
    for shown in (x, y):
        with pytest.raises(ValueError, match="read-only"):
            shown[0, 0] = 1


@pytest.mark.behaviour("test27_python_array")
@pytest.mark.behaviour("test42_const_qualifiers_numpy")
@pytest.mark.behaviour("test29_check_numpy")
@pytest.mark.parametrize(
    "make", [lambda x: array.array("d", x), np.array, lambda x: memoryview(array.array("d", x))]
)
@pytest.mark.parametrize("name", ["by_value", "by_const_reference", "by_rvalue"])
def test_writes_are_the_arrays_however_it_is_passed(lib, make, name):
    a = make([0, 0, 0, 3.25, 0])
    assert getattr(lib, name)(a) == 3.25
    assert a[1] == 1.5
    fixed = memoryview(a).toreadonly()
    assert lib.peek(fixed) == 3.25
    with pytest.raises(sb.ArrayError, match="read-only"):
        getattr(lib, name)(fixed)


@pytest.mark.behaviour("test43_const_qualifiers_pytorch")
@pytest.mark.parametrize("name", ["by_value", "by_const_reference", "by_rvalue"])
def test_writes_are_the_tensors(lib, torch, name):
    a = torch.tensor([0, 0, 0, 3.25, 0], dtype=torch.float64)
    assert getattr(lib, name)(a) == lib.peek(a) == 3.25
    assert a[1] == 1.5


@pytest.mark.behaviour("test27c_python_complex_array")
def test_complex_buffers(lib):
    a = np.array([1 + 2j, 3 + 4j], "c8")
    lib.of_complex(memoryview(a))
    lib.of_complex(a)
    with pytest.raises(sb.ArrayError, match="complex64"):
        lib.of_complex(a.astype("c16"))


@pytest.mark.behaviour("test35_view")
@pytest.mark.behaviour("test38_complex_decompose")
def test_loops_over_any_order(lib):
    x = np.array([[1, 2], [3, 4]], "f4")
    lib.twice(x)
    assert x.tolist() == [[2, 4], [6, 8]]
    c, f = np.zeros((3, 4), "f4"), np.zeros((3, 4), "f4", order="F")
    lib.numbered(c)
    lib.numbered(f)
    assert (c == f).all()
    assert c[2, 3] == 23
    z = np.array([[1 + 2j, 3 + 4j], [5 + 6j, 7 + 8j]], "c8")
    expected = z * np.complex64(-1 + 2j)
    lib.turned(z)
    assert np.allclose(z, expected)
    lib.twice(z.real)  # every second float
    assert np.allclose(z, expected.real * 2 + 1j * expected.imag)
    lib.twice(z.view("f4"))
    assert np.allclose(z, expected.real * 4 + 2j * expected.imag)


@pytest.mark.behaviour("test_uint32_complex_do_not_convert")
@pytest.mark.parametrize("number", [1, np.uint32(1)])
def test_the_overload_of_the_elements(lib, number):
    z, d = np.array([1 + 2j, 3 + 4j]), np.array([1.0, 2])
    lib.set(z, number)
    lib.set(d, number)
    assert z.tolist() == [123, 3 + 4j]
    assert d.tolist() == [123, 2]


@pytest.mark.behaviour("test40_check_generic")
def test_dlpack_alone_is_enough(lib):
    a = np.array([1.5, 2], "f4")
    assert lib.first(ByDLPack(a)) == 1.5
    lib.start(ByDLPack(a))
    assert a.tolist() == [0, 1]


@pytest.mark.behaviour("test41_noninteger_stride")
def test_strides_of_whole_elements(lib):
    s = np.array([[1, 2, 3, 4, 0, 0], [5, 6, 7, 8, 0, 0]], "f4")[:, :4]
    assert [lib.stride(s, d) for d in (0, 1)] == [6, 1]
    assert tuple(lib.complex_strides(s.view("c8"))) == (3, 1)
    s = np.array([[1, 2, 3, 4, 0], [5, 6, 7, 8, 0]], "f4")[:, :4]
    assert [lib.stride(s, d) for d in (0, 1)] == [5, 1]
    with pytest.raises(sb.ArrayError, match="no multiples of the 8-byte element"):
        lib.complex_strides(s.view("c8"))


@pytest.mark.behaviour("test47_ret_infer")
def test_layouts_of_results(lib):
    assert np.asarray(lib.grid()).flags.c_contiguous
    assert np.asarray(lib.const_columns()).flags.f_contiguous


@pytest.mark.behaviour("test48_test_matrix4f")
@pytest.mark.behaviour("test49_test_matrix4f_ref")
@pytest.mark.behaviour("test50_test_matrix4f_copy")
def test_a_matrix_in_an_object(lib):
    a = lib.Matrix4()
    first, second, member = np.asarray(a.columns()), np.asarray(a.columns()), a.m
    for i in range(16):
        first[i % 4, i // 4] = i
    copy = a.copy()
    first[0, 0] = 99
    del a, first
    gc.collect()
    assert second[0, 0] == member[0, 0] == 99
    assert (second == member.T).all()
    assert np.asarray(copy).ravel().tolist() == list(range(16))


@pytest.mark.behaviour("test51_return_from_stack")
def test_arrays_of_the_stack_are_values(lib):
    assert lib.on_the_stack() == (1, 2, 3)
    assert lib.fill(4).tolist() == [1, 2, 3, 4]


@pytest.mark.behaviour("test53_issue_930")
def test_an_array_in_a_record(lib):
    wrapper = lib.Wrapper(np.ones(3, "f4"))
    gc.collect()
    assert np.asarray(wrapper.value).tolist() == [1, 1, 1]
    wrapper.value = np.arange(2, dtype="f4")
    gc.collect()
    assert np.asarray(wrapper.value).tolist() == [0, 1]


@pytest.mark.behaviour("test54_docs_example")
def test_changes_are_seen_through_dlpack(lib):
    held = lib.Holds()
    x, y = np.from_dlpack(held.shown()), np.from_dlpack(ByDLPack(held.shown()))
    assert x.tolist() == y.tolist() == [0, 1, 2, 3, 4]
    held.mutate()
    assert x.tolist() == y.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]


@pytest.mark.behaviour("test55_empty_ndarray")
def test_no_elements(lib):
    assert (lib.empty().shape, lib.empty().dtype) == ((0,), np.float32)
    assert lib.copied(np.zeros(0, "f4")).tolist() == []


@pytest.mark.behaviour("test36_half")
def test_half_precision():
    lib = sb.compile(
        "#include <vector>\n"
        "inline std::vector<_Float16> half() { return {1, 2, 3}; }\n"
        "inline double sum(const _Float16* x, int n) { double s = 0; while (n--) s += double(*x++); return s; }\n"
    )
    assert lib.half().dtype == np.float16
    assert lib.half().tolist() == [1, 2, 3]
    assert lib.sum(np.array([0.5, 2], np.float16), 2) == 2.5
    with pytest.raises(sb.ArrayError, match="float16"):
        lib.sum(np.array([0.5, 2], np.float32), 2)
