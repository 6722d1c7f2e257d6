"""GSL from its own headers: structs by value, callbacks, out-pointers, handles; compared with NumPy and SciPy."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # a library that few machines have
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]

LIBRARIES = ["gsl", "gslcblas"]


@pytest.fixture(scope="module", autouse=True)
def installed(needs: Callable[[str, str], None]) -> None:
    needs("gsl/gsl_math.h", "libgsl-dev", *LIBRARIES)


def gsl(header: str, **options: Any) -> Any:
    return sb.bind(f"gsl/{header}.h", libraries=LIBRARIES, **options)


class TestIntegration:
    @pytest.fixture(scope="class")
    @classmethod
    def lib(cls, installed: None) -> Any:
        outs = {"result": "out_return", "abserr": "out_return"}
        return gsl("gsl_integration", arg_intent={"gsl_integration_qags": outs, "gsl_integration_qagi": outs})

    def test_a_singularity(self, lib: Any) -> None:
        work = lib.gsl_integration_workspace_alloc(1000)
        f = lib.gsl_function(function=lambda x, params: math.log(x) / math.sqrt(x))
        status, result, error = lib.gsl_integration_qags(f, 0, 1, 0, 1e-7, 1000, work)
        lib.gsl_integration_workspace_free(work)
        assert status == 0
        assert result == pytest.approx(-4, abs=1e-9)
        assert error < 1e-9

    def test_an_infinite_range_and_parameters(self, lib: Any) -> None:
        work = lib.gsl_integration_workspace_alloc(100)
        width = np.array([2.0])

        def bell(x: float, params: Any) -> float:
            assert int(params) == width.ctypes.data
            return math.exp(-((x / width[0]) ** 2))

        f = lib.gsl_function(function=bell, params=width)
        _, result, _ = lib.gsl_integration_qagi(f, 0, 1e-9, 100, work)
        lib.gsl_integration_workspace_free(work)
        assert result == pytest.approx(2 * math.sqrt(math.pi))

    def test_an_error_in_the_integrand(self, lib: Any) -> None:
        work = lib.gsl_integration_workspace_alloc(100)
        f = lib.gsl_function(function=lambda x, params: [][0])
        with pytest.raises(IndexError) as caught:
            lib.gsl_integration_qags(f, 0, 1, 0, 1e-7, 100, work)
        lib.gsl_integration_workspace_free(work)
        assert any("Callbacks of this call failed" in note for note in caught.value.__notes__)

    def test_the_error_handler(self, installed: None) -> None:
        lib = gsl("gsl_errno")
        seen: list[tuple[str, str, int, int]] = []
        handler = lib.gsl_error_handler_t(lambda *args: seen.append(args))
        before = lib.gsl_set_error_handler(handler)
        try:
            lib.gsl_error("too large", "here.c", 12, lib.GSL_EDOM)
        finally:
            lib.gsl_set_error_handler(before)
        assert seen == [("too large", "here.c", 12, lib.GSL_EDOM)]
        assert lib.gsl_strerror(lib.GSL_EDOM) == "input domain error"


def test_structs_by_value(installed: None) -> None:
    lib = gsl("gsl_complex_math")
    z = lib.gsl_complex_rect(3, 4)
    assert lib.gsl_complex_abs(z) == 5
    assert complex(*lib.gsl_complex_sqrt(z).dat) == pytest.approx(2 + 1j)
    product = lib.gsl_complex_mul(z, lib.gsl_complex_exp(lib.gsl_complex_rect(0, math.pi)))
    assert complex(*product.dat) == pytest.approx(-3 - 4j)


def test_special_functions(installed: None) -> None:
    special = pytest.importorskip("scipy.special", reason="SciPy is not installed")
    lib = gsl("gsl_sf_bessel", arg_intent={"gsl_sf_bessel_J0_e": {"result": "out_return"}})
    for x in (0.5, 5.0, 30.0):
        assert lib.gsl_sf_bessel_J0(x) == pytest.approx(special.j0(x), rel=1e-12)
        assert lib.gsl_sf_bessel_Kn(3, x) == pytest.approx(special.kn(3, x), rel=1e-12)
    status, result = lib.gsl_sf_bessel_J0_e(5.0)
    assert status == 0
    assert abs(result.val - special.j0(5.0)) <= 4 * result.err


def test_random_numbers(installed: None) -> None:
    lib = gsl("gsl_rng")
    rng = lib.gsl_rng_alloc(lib.gsl_rng_mt19937)  # an extern variable
    lib.gsl_rng_set(rng, 42)
    theirs = np.random.RandomState(42)  # the same generator, seeded alike
    expected = theirs.randint(0, 2**32, size=5, dtype=np.uint64)
    assert [lib.gsl_rng_get(rng) for _ in range(5)] == expected.tolist()
    assert lib.gsl_rng_name(rng) == "mt19937"
    lib.gsl_rng_free(rng)


def test_roots(installed: None) -> None:
    lib = gsl("gsl_roots")
    solver = lib.gsl_root_fsolver_alloc(lib.gsl_root_fsolver_brent)
    f = lib.gsl_function(function=lambda x, params: x * x - 5)
    assert lib.gsl_root_fsolver_set(solver, f, 0.0, 5.0) == 0
    for _ in range(30):
        lib.gsl_root_fsolver_iterate(solver)
    assert lib.gsl_root_fsolver_root(solver) == pytest.approx(math.sqrt(5), rel=1e-14)
    lib.gsl_root_fsolver_free(solver)


def test_a_differential_equation(installed: None) -> None:
    """A callback that reads and writes C++'s arrays, and a driver that keeps the address of a record."""
    lib = gsl("gsl_odeiv2")

    def turn(t: float, y: Any, dydt: Any, params: Any) -> int:
        at = np.ctypeslib.as_array((ctypes.c_double * 2).from_address(int(y)))
        out = np.ctypeslib.as_array((ctypes.c_double * 2).from_address(int(dydt)))
        out[0], out[1] = at[1], -at[0]
        return 0

    system = lib.gsl_odeiv2_system(function=turn, dimension=2)
    driver = lib.gsl_odeiv2_driver_alloc_y_new(system, lib.gsl_odeiv2_step_rk8pd, 1e-6, 1e-10, 0.0)
    t, y = np.array([0.0]), np.array([1.0, 0.0])
    assert lib.gsl_odeiv2_driver_apply(driver, t, math.pi, y) == 0
    lib.gsl_odeiv2_driver_free(driver)
    assert t[0] == pytest.approx(math.pi)
    assert y == pytest.approx([-1, 0], abs=1e-8)


def test_views_of_numpy_arrays(installed: None) -> None:
    lib = gsl("gsl_vector_double")
    data = np.arange(10.0)
    view = lib.gsl_vector_view_array_with_stride(data, 2, 5)
    assert lib.gsl_vector_max(view.vector) == 8
    lib.gsl_vector_set(view.vector, 1, 99)
    assert data[2] == 99
