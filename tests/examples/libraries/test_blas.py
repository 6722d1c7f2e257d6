"""CBLAS and LAPACKE from their own headers, compared with NumPy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # a library that few machines have
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]


@pytest.fixture(scope="module")
def blas(needs: Callable[[str, str], None]) -> Any:
    needs("cblas.h", "libopenblas-dev", "openblas")
    return sb.bind("cblas.h", libraries=["openblas"])


@pytest.fixture(scope="module")
def lapack(needs: Callable[[str, str], None]) -> Any:
    needs("lapacke.h", "liblapacke-dev", "lapacke")
    needs("cblas.h", "libopenblas-dev", "openblas")
    return sb.bind("lapacke.h", libraries=["lapacke", "openblas"])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


class TestBlas:
    def test_vectors(self, blas: Any, rng: np.random.Generator) -> None:
        x, y = rng.normal(size=7), rng.normal(size=7)
        assert blas.cblas_ddot(7, x, 1, y, 1) == pytest.approx(x @ y)
        assert blas.cblas_ddot(3, x, 2, y, 1) == pytest.approx(x[:6:2] @ y[:3])
        assert blas.cblas_dnrm2(7, x, 1) == pytest.approx(np.linalg.norm(x))
        assert blas.cblas_idamax(7, x, 1) == np.abs(x).argmax()
        expected = 2.5 * x + y
        blas.cblas_daxpy(7, 2.5, x, 1, y, 1)
        assert y == pytest.approx(expected)

    @pytest.mark.parametrize(("letter", "dtype"), [("s", np.float32), ("d", np.float64)])
    def test_gemm(self, blas: Any, rng: np.random.Generator, letter: str, dtype: Any) -> None:
        a, b = rng.normal(size=(3, 4)).astype(dtype), rng.normal(size=(2, 4)).astype(dtype)
        c = np.ones((3, 2), dtype)
        expected = 2 * a @ b.T + 3 * c
        gemm = getattr(blas, f"cblas_{letter}gemm")
        gemm(blas.CblasRowMajor, blas.CblasNoTrans, blas.CblasTrans, 3, 2, 4, 2, a, 4, b, 4, 3, c, 2)
        assert c == pytest.approx(expected, rel=1e-5)

    def test_complex_numbers(self, blas: Any, rng: np.random.Generator) -> None:
        z = rng.normal(size=4) + 1j * rng.normal(size=4)
        result = np.zeros(1, complex)
        blas.cblas_zdotu_sub(4, z, 1, z, 1, result)
        assert result[0] == pytest.approx((z * z).sum())
        scale = np.array([2 - 1j])
        expected = scale * z
        blas.cblas_zscal(4, scale, z, 1)
        assert z == pytest.approx(expected)

    def test_refusals(self, blas: Any) -> None:
        x = np.zeros(3, np.float32)
        with pytest.raises(sb.ArrayError, match=r"expected contiguous float64\[n\]"):
            blas.cblas_ddot(3, x, 1, x, 1)
        frozen = np.zeros(3)
        frozen.flags.writeable = False
        with pytest.raises(sb.ArrayError, match="read-only"):
            blas.cblas_dscal(3, 2.0, frozen, 1)


@pytest.mark.full
class TestLapack:
    def test_thousands_of_functions_are_bound(self, lapack: Any) -> None:
        model = lapack.__model__
        assert len(model.functions) > 2000
        assert model.exposed == sum(
            map(len, (model.functions, model.records, model.enums, model.constants, model.variables, model.aliases,
                      model.skipped))
        )  # fmt: skip

    def test_solving(self, lapack: Any, rng: np.random.Generator) -> None:
        a, b = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
        expected = np.linalg.solve(a, b)
        pivots = np.zeros(5, np.int32)
        assert lapack.LAPACKE_dgesv(lapack.LAPACK_ROW_MAJOR, 5, 2, a, 5, pivots, b, 2) == 0
        assert b == pytest.approx(expected)

    def test_hermitian_eigenvalues(self, lapack: Any) -> None:
        h = np.array([[2, 1j], [-1j, 3]])
        expected = np.linalg.eigvalsh(h)
        w = np.zeros(2)
        assert lapack.LAPACKE_zheev(lapack.LAPACK_ROW_MAJOR, "V", "U", 2, h, 2, w) == 0
        assert w == pytest.approx(expected)

    def test_a_callback_selects(self, lapack: Any, rng: np.random.Generator) -> None:
        a = rng.normal(size=(6, 6))
        expected = np.linalg.eigvals(a)
        wr, wi, vs = np.zeros(6), np.zeros(6), np.zeros((6, 6))
        count = np.zeros(1, np.int32)

        def is_stable(real: Any, imaginary: Any) -> int:
            return int(ctypes.c_double.from_address(int(real)).value < 0)

        status = lapack.LAPACKE_dgees(
            lapack.LAPACK_ROW_MAJOR, "V", "S", is_stable, 6, a, 6, count, wr, wi, vs, 6
        )
        assert status == 0
        assert count[0] == (expected.real < 0).sum()
        assert np.sort(wr) == pytest.approx(np.sort(expected.real))
        assert (wr[: count[0]] < 0).all()
