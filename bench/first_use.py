"""The first use of a header: CPU seconds of a whole process, cold and from the cache, and its memory.

``python bench/first_use.py [case ...]`` prints a table, medians of three; a case whose header is not there is left out.
``--eager`` binds with ``eager=True``. ``--cppyy=PYTHON`` has the same done by cppyy, which that interpreter has, in the
same run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

DECLARED = 2500

ONE = "sb.compile('int one() { return 1; }').one()"
ADD = "lib = sb.compile('double add(double a, double b) { return a + b; }'); assert lib.add(1, 2) == 3"
DECLARATIONS = (
    "lib = sb.bind('declarations.hpp', **options); assert lib.f7(1.0, 2) == 10 and lib.S7(1.0, 3).b == 3"
)
GSL = (
    "lib = sb.bind('gsl/gsl_sf.h', libraries=['gsl', 'gslcblas'], **options)\n"
    "assert abs(lib.gsl_sf_bessel_J0(0.5) - 0.938469807240813) < 1e-12"
)
_TEN = """
assert abs({0}.gsl_sf_bessel_J0(0.5) - 0.938469807240813) < 1e-12
values = [
    {0}.gsl_sf_bessel_J1(0.5), {0}.gsl_sf_gamma(2.5), {0}.gsl_sf_erf(0.3), {0}.gsl_sf_dilog(0.2), {0}.gsl_sf_zeta(2.5),
    {0}.gsl_sf_airy_Ai(0.2, 0), {0}.gsl_sf_psi(1.5), {0}.gsl_sf_legendre_P2(0.3), {0}.gsl_sf_hypot(3, 4),
]
assert abs(sum(values) - 8.4279) < 1e-4
"""
GSL_TEN = f"lib = sb.bind('gsl/gsl_sf.h', libraries=['gsl', 'gslcblas'], **options){_TEN.format('lib')}"
SQLITE = """
lib = sb.bind('sqlite3.h', libraries=['sqlite3'], **options)
assert lib.sqlite3_libversion_number() > 3000000
"""
GLM = """
lib = sb.bind('glm/glm.hpp', expose=['*/glm/*'], **options)
assert abs(lib.glm.radians[float](180.0) - 3.14159265) < 1e-6
"""
EIGEN = """
import numpy as np
lib = sb.compile('''
#include <Eigen/Dense>
inline Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return a * b; }
''', include_dirs='/usr/include/eigen3')
assert (np.asarray(lib.product(np.eye(3), np.eye(3))) == np.eye(3)).all()
"""
DENSE = "lib = sb.bind('Eigen/Dense', include_dirs='/usr/include/eigen3', expose=['*/eigen3/*'], **options); dir(lib)"
OPENCV = """
lib = sb.bind('opencv2/imgproc.hpp', include_dirs='/usr/include/opencv4',
              libraries=['opencv_core', 'opencv_imgproc'], expose=['*/opencv2/*'], **options)
cv = lib.cv
angle = cv.fastAtan2(1.0, 1.0)
assert 44 < angle < 46
"""
_TEN_OF_CV = """
values = [
    cv.fastAtan2(1.0, 1.0), cv.cubeRoot(27.0), cv.getNumThreads(), cv.useOptimized(), cv.getVersionString(),
    cv.getTickFrequency(), cv.getNumberOfCPUs(), cv.getVersionMajor(), cv.getVersionMinor(), cv.checkHardwareSupport(1),
]
assert abs(values[1] - 3) < 1e-6 and str(values[4]).startswith(str(values[7]))
"""
OPENCV_TEN = f"{OPENCV.partition('angle')[0]}{_TEN_OF_CV}"
BLUR = """
import numpy as np
lib = sb.compile('#include <opencv2/imgproc.hpp>', include_dirs='/usr/include/opencv4',
                 libraries=['opencv_core', 'opencv_imgproc'], expose=['cv::blur', 'cv::Size_'],
                 arg_intent={'cv::blur': {'dst': 'out_return'}})
image = np.zeros((8, 8), np.uint8)
image[4, 4] = 90
assert lib.cv.blur(image, lib.cv.Size_['int'](3, 3))[3, 3] == 10
"""
CASES = {
    "add(double, double)": ADD,
    "2,500 functions and 2,500 structs": DECLARATIONS,
    "gsl/gsl_sf.h": GSL,
    "gsl/gsl_sf.h, ten functions": GSL_TEN,
    "sqlite3.h": SQLITE,
    "glm/glm.hpp": GLM,
    "a product of two MatrixXd": EIGEN,
    "Eigen/Dense, bound": DENSE,
    "opencv2/imgproc.hpp, an angle": OPENCV,
    "opencv2/imgproc.hpp, ten functions": OPENCV_TEN,
    "opencv2/imgproc.hpp, a blur": BLUR,
}
# The same by cppyy, which keeps nothing from one process to the next.
_OPENCV_THERE = """
cppyy.add_include_path('/usr/include/opencv4')
for name in ('opencv_core', 'opencv_imgproc'): cppyy.load_library(name)
cppyy.include('opencv2/imgproc.hpp'); cv = cppyy.gbl.cv
"""
CPPYY = {
    "add(double, double)": """
cppyy.cppdef('double add(double a, double b) { return a + b; }'); assert cppyy.gbl.add(1, 2) == 3
""",
    "2,500 functions and 2,500 structs": """
cppyy.include('declarations.hpp'); assert cppyy.gbl.f7(1.0, 2) == 10 and cppyy.gbl.S7(1.0, 3).b == 3
""",
    "gsl/gsl_sf.h": """
cppyy.load_library('gslcblas'); cppyy.load_library('gsl'); cppyy.include('gsl/gsl_sf.h')
assert abs(cppyy.gbl.gsl_sf_bessel_J0(0.5) - 0.938469807240813) < 1e-12
""",
    "gsl/gsl_sf.h, ten functions": f"""
cppyy.load_library('gslcblas'); cppyy.load_library('gsl'); cppyy.include('gsl/gsl_sf.h')
{_TEN.format("cppyy.gbl")}""",
    "sqlite3.h": """
cppyy.load_library('sqlite3'); cppyy.include('sqlite3.h')
assert cppyy.gbl.sqlite3_libversion_number() > 3000000
""",
    "glm/glm.hpp": """
cppyy.include('glm/glm.hpp'); assert abs(cppyy.gbl.glm.radians['float'](180.0) - 3.14159265) < 1e-6
""",
    "a product of two MatrixXd": """
cppyy.add_include_path('/usr/include/eigen3')
cppyy.cppdef('''
#include <Eigen/Dense>
inline Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return a * b; }
''')
one = cppyy.gbl.Eigen.MatrixXd(3, 3); one.setIdentity()
assert cppyy.gbl.product(one, one)(1, 1) == 1
""",
    "opencv2/imgproc.hpp, an angle": f"{_OPENCV_THERE}assert 44 < cv.fastAtan2(1.0, 1.0) < 46",
    "opencv2/imgproc.hpp, ten functions": f"{_OPENCV_THERE}{_TEN_OF_CV}",
    "opencv2/imgproc.hpp, a blur": f"""{_OPENCV_THERE}
import numpy as np
image = np.zeros((8, 8), np.uint8)
image[4, 4] = 90
out = np.zeros_like(image)
to = cv.Mat(8, 8, 0, out)
cv.blur(cv.Mat(8, 8, 0, image), to, cv.Size(3, 3)); assert out[3, 3] == 10
""",
}


class Cost(NamedTuple):
    """CPU seconds of a process and all that it starts, and the most memory of its own, in MB."""

    seconds: float
    memory: int


def declarations(folder: Path) -> None:
    """The header of many declarations."""
    lines = [
        f"struct S{i} {{ double a; int b; }};\ninline double f{i}(double x, int y) {{ return x + y + {i}; }}"
        for i in range(DECLARED)
    ]
    (folder / "declarations.hpp").write_text("\n".join(["#pragma once", *lines, ""]))


def cost(program: str, folder: Path, *, eager: bool = False, python: str = "") -> Cost:
    """What a program costs; ``python`` is an interpreter that has cppyy."""
    options = {"eager": True} if eager else {}
    head = "import cppyy" if python else f"import samebytes as sb\noptions = {options}"
    text = f"import warnings; warnings.simplefilter('ignore')\n{head}\n{program}\n"
    text += "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    environment = os.environ | {"SAMEBYTES_CACHE_DIR": str(folder / "cache")}
    before = os.times()
    done = subprocess.run(
        [python or sys.executable, "-c", text],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    after = os.times()
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    user, system = (
        after.children_user - before.children_user,
        after.children_system - before.children_system,
    )
    return Cost(user + system, int(done.stdout.split()[-1]))


def median(costs: list[Cost]) -> Cost:
    return sorted(costs)[len(costs) // 2]


def cold(program: str, folder: Path, *, eager: bool) -> Cost:
    """What a program costs of which the cache has nothing but what is compiled once for each compiler."""
    shutil.rmtree(folder / "cache", ignore_errors=True)
    cost(ONE, folder)
    return cost(program, folder, eager=eager)


def main(words: list[str]) -> None:
    """Print a row for each case."""
    eager = "--eager" in words
    peer = next((word.partition("=")[2] for word in words if word.startswith("--cppyy=")), "")
    asked = [word for word in words if not word.startswith("--")]
    print("| | cold | warm | cppyy | memory of the cold process, MB | of the warm one | of cppyy's |")
    print("|---|---|---|---|---|---|---|")
    if peer:
        cost(CPPYY["add(double, double)"], Path(), python=peer)  # it compiles its own headers, once
    for name, program in CASES.items():
        if asked and not any(word in name for word in asked):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            declarations(folder)
            try:
                first = median([cold(program, folder, eager=eager) for _ in range(3)])
                warm = median([cost(program, folder, eager=eager) for _ in range(3)])
            except RuntimeError as error:
                print(f"{name} is left out: {error}", file=sys.stderr, flush=True)
                continue
            seconds, memory = "", ""
            try:
                if peer and name in CPPYY:
                    theirs = median([cost(CPPYY[name], folder, python=peer) for _ in range(3)])
                    seconds, memory = f"{theirs.seconds:.2f}", str(theirs.memory)
            except RuntimeError as error:
                print(f"{name} fails in cppyy: {error}", file=sys.stderr, flush=True)
        figures = (f"{first.seconds:.2f}", f"{warm.seconds:.2f}", seconds, first.memory, warm.memory, memory)
        print(f"| `{name}` | {' | '.join(map(str, figures))} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
