"""What a process does first works, whatever it is: files that are loaded when they are needed find each other."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.full  # it takes long

SOURCE = """
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
struct P { double x; float v[2]; };
struct Base { virtual ~Base() = default; virtual int id() const { return 1; } };
struct Box { P p; const double* data; int size; };
enum class Color { red, green };
inline double twice(double x) { return 2 * x; }
inline double total(const double* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
inline double sum(const std::vector<double>& v) { double s = 0; for (double x : v) s += x; return s; }
inline double norm(P p) { return p.x * p.x + p.v[0]; }
inline P make() { return {1, {2, 3}}; }
inline void set(P& p) { p.x = 5; }
inline std::string name(const std::string& s) { return s + "!"; }
inline int apply(int (*f)(int), int x) { return f(x); }
inline int call(const std::function<int(int)>& f, int x) { return f(x); }
inline int (*pick())(int) { return [](int x) { return x + 1; }; }
inline Color other(Color c) { return c == Color::red ? Color::green : Color::red; }
inline std::optional<int> maybe(std::optional<int> x) { return x; }
inline std::variant<int, double> either(std::variant<int, double> x) { return x; }
inline std::map<std::string, int> count(std::map<std::string, int> m) { ++m["a"]; return m; }
inline std::chrono::seconds longer(std::chrono::seconds s) { return s + s; }
inline std::filesystem::path inside(const std::filesystem::path& p) { return p / "x"; }
inline std::unique_ptr<Base> owned() { return std::make_unique<Base>(); }
inline int overload(int) { return 1; }
inline int overload(double) { return 2; }
inline int overload(const P&) { return 3; }
static int counter = 3;
static double grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
template <class T> T least(T a, T b) { return a < b ? a : b; }
"""

# In every one `lib` has been compiled, and nothing of it used.
FIRST = [
    "assert lib.twice(np.float32(1.5)) == 3",
    "assert lib.twice(np.float64(1.5)) == 3 and lib.twice(x=1) == 2",
    "assert lib.total(np.ones(3), 3) == 3",
    "assert lib.total(np.ones(3)[1:], n=2) == 2",
    "assert lib.total(memoryview(np.ones(3)), 3) == 3",
    "assert lib.total((ctypes.c_double * 2)(1, 2), 2) == 3",
    "assert lib.total(sb.Pointer(np.ones(2)), 2) == 2",
    "assert lib.total(sb.view(np.ones(2)), 2) == 2",
    "assert lib.sum([1, 2.5]) == 3.5 and lib.sum(np.ones(2)) == 2",
    "assert lib.norm(lib.P(2, [1, 0])) == 5",
    "assert lib.norm((2, (1, 0))) == 5",
    "p = lib.make(); assert p.v.tolist() == [2, 3]; lib.set(p); assert p.x == 5 and p == p.value",
    "import pickle; assert pickle.loads(pickle.dumps(lib.make())).x == 1",
    "import pickle; assert pickle.loads(pickle.dumps(lib.twice))(2) == 4",
    "a = np.ones(2); b = lib.Box(lib.make(), a, 2); assert b.size == 2 and lib.total(b.data, 2) == 2",
    "assert lib.name('a') == 'a!' and lib.name(b'a') == 'a!'",
    "assert lib.apply(lambda x: x + 1, 2) == 3",
    "assert lib.call(lambda x: x + 1, 2) == 3",
    "assert lib.pick()(2) == 3 and lib.apply(lib.pick(), 2) == 3",
    "assert lib.other(lib.Color.red) is lib.Color.green",
    "assert lib.maybe(None) is None and lib.maybe(3) == 3",
    "assert lib.either(1.5) == 1.5",
    "assert lib.count({'a': 1}) == {'a': 2}",
    "import datetime; assert lib.longer(datetime.timedelta(seconds=2)).seconds == 4",
    "import pathlib; assert lib.inside('a') == pathlib.Path('a/x')",
    "assert lib.owned().id() == 1",
    "assert [lib.overload(x) for x in (1, 1.5, lib.make())] == [1, 2, 3]",
    "class D(lib.Base):\n    def id(self): return 7\nassert D().id() == 7",
    "lib.counter = 4; assert lib.counter == 4",
    "assert lib.grid[1][2] == 6",
    "assert lib.least(2, 1) == 1 and lib.least[sb.float64](2, 1) == 1",
    "assert 'twice' in dir(lib) and 'double' in lib.twice.__doc__",
    "assert 'twice' in str(sb.explain(lib.twice))",
    "assert vars(lib)['twice'] is lib.twice",
    "try: lib.twice('a')\nexcept sb.ArgumentError as e: assert 'float64' in str(e)\nelse: 1 / 0",
    "try: lib.twise\nexcept AttributeError as e: assert 'twice' in str(e)\nelse: 1 / 0",
    "try: lib.total(np.ones(2, 'f4'), 2)\nexcept sb.ArrayError as e: assert 'float32' in str(e)\nelse: 1 / 0",
    "try: lib.total(3)\nexcept TypeError as e: assert 'n' in str(e)\nelse: 1 / 0",
    "assert sb.pack(1, sb.bfloat16) == b'\\x80\\x3f' and sb.pack(1, ctypes.c_int) == b'\\1\\0\\0\\0'",
    "assert sb.pack(1, 'const char') == b'\\1' and sb.unpack(b'\\0' * 4, 'float') == 0",
    "import ml_dtypes; assert sb.pack(ml_dtypes.bfloat16(1), sb.float32) == b'\\0\\0\\x80\\x3f'",
    "assert (sb.float32x4(1, 2, 3, 4) * 2).w == 8",
    "@sb.struct\nclass S:\n    a: int\n    b: sb.float32x2\nassert S(1, (2, 3)).b.y == 3 and sb.sizeof(S) == 16",
    "assert sb.layout(ctypes.c_double).size == 8 and sb.mirror(sb.float32, 'numpy') == np.dtype('f4')",
    "assert sb.as_type(np.dtype('f4')) == sb.as_type('float') and 'struct' in sb.declare(lib.P)",
    "m = sb.to_host_mdspan(np.ones((2, 3)), np.float64, 2); assert tuple(m.extents) == (2, 3)",
    "assert np.from_dlpack(sb.view(np.ones(2))).tolist() == [1, 1]",
    "assert sb.callback(lambda x: x + 1, 'int(int)')(2) == 3",
]  # fmt: skip


@pytest.mark.parametrize("first", FIRST)
def test_it_may_be_the_first(first: str) -> None:
    program = f"import ctypes, numpy as np, samebytes as sb\nlib = sb.compile({SOURCE!r})\n{first}\n"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
