"""The first use of a header: CPU seconds of a whole process, cold and from the cache, and its memory.

``python bench/first_use.py [case ...]`` prints a table; a case whose header is not there is left out. ``--eager`` binds
with ``eager=True``.
"""

from __future__ import annotations

import os
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
CASES = {
    "add(double, double)": ADD,
    "2,500 functions and 2,500 structs": DECLARATIONS,
    "gsl/gsl_sf.h": GSL,
    "sqlite3.h": SQLITE,
    "glm/glm.hpp": GLM,
    "a product of two MatrixXd": EIGEN,
    "Eigen/Dense, bound": DENSE,
    "opencv2/imgproc.hpp": OPENCV,
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


def cost(program: str, folder: Path, *, eager: bool) -> Cost:
    """What a program costs."""
    options = {"eager": True} if eager else {}
    text = f"import warnings; warnings.simplefilter('ignore')\nimport samebytes as sb\noptions = {options}\n{program}\n"
    text += "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    environment = os.environ | {"SAMEBYTES_CACHE_DIR": str(folder / "cache")}
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    after = os.times()
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    user, system = (
        after.children_user - before.children_user,
        after.children_system - before.children_system,
    )
    return Cost(user + system, int(done.stdout.split()[-1]))


def main(words: list[str]) -> None:
    """Print a row for each case."""
    eager = "--eager" in words
    asked = [word for word in words if not word.startswith("--")]
    print("| | cold | warm | memory of the cold process, MB | of the warm one |\n|---|---|---|---|---|")
    for name, program in CASES.items():
        if asked and not any(word in name for word in asked):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            declarations(folder)
            cost(ONE, folder, eager=False)  # what is compiled once for each compiler
            try:
                cold = cost(program, folder, eager=eager)
                warm = sorted(cost(program, folder, eager=eager) for _ in range(3))[1]
            except RuntimeError as error:
                print(f"{name} is left out: {error}", file=sys.stderr, flush=True)
                continue
        print(
            f"| `{name}` | {cold.seconds:.2f} | {warm.seconds:.2f} | {cold.memory} | {warm.memory} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
