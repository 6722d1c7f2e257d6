"""Who keeps what C++ refers to, in each way of assigning, moving, replacing, capturing and taking over."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # each table runs in a process whose freed memory is spoiled

SOURCE = r"""
#include <any>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
using Texts = std::vector<std::string>;
struct Says { virtual ~Says() {} virtual std::string go() const = 0; };
struct Quiet : Says {
  const std::string& t; explicit Quiet(const std::string& x) : t(x) {} std::string go() const override { return t; }
};
#define CLASS(Name, members, init, body) \
  class Name { members; public: explicit Name(const std::string& t) : init {} Name(Name&&) = default; ~Name() {} \
    std::string go() const { return body; } };
CLASS(Function, std::function<std::string()> f, f([&t] { return t; }), f())
CLASS(Unique, std::unique_ptr<Quiet> p, p(new Quiet(t)), p->go())
CLASS(Abstract, std::unique_ptr<Says> p, p(new Quiet(t)), p->go())
CLASS(Shared, std::shared_ptr<const Says> p, p(new Quiet(t)), p->go())
CLASS(Raw, Says* p, p(new Quiet(t)), p->go())
CLASS(Chars, const char* c, c(t.c_str()), c)
CLASS(Void, const void* v, v(&t), *static_cast<const std::string*>(v))
CLASS(Iterator, std::string::const_iterator i; std::size_t n, i(t.begin()), std::string(i, i + 60))
CLASS(Maps, std::map<int COMMA const std::string*> m, m({{1, &t}}), *m.at(1))
CLASS(Pairs, std::pair<int COMMA const std::string*> p, p(1, &t), *p.second)
CLASS(Maybe, std::optional<std::reference_wrapper<const std::string>> o, o(t), o->get())
CLASS(Any, std::any a, a(&t), *std::any_cast<const std::string*>(a))
struct Inner { const std::string& t; };
CLASS(Nests, std::vector<Inner> v, v({Inner{t}}), v[0].t)
class First {
  const std::string* p;
 public:
  explicit First(const Texts& v) : p(&v[0]) {} ~First() {} std::string go() const { return *p; } };
struct Own {
  std::string t; std::vector<int> v;
  explicit Own(const std::string& x) : t(x) {} ~Own() {} std::string go() const { return t; } };
inline std::unique_ptr<Quiet> unique(const std::string& t) { return std::make_unique<Quiet>(t); }
inline std::unique_ptr<Says> base(const std::string& t) { return std::make_unique<Quiet>(t); }
inline std::shared_ptr<Says> shared(const std::string& t) { return std::make_shared<Quiet>(t); }
inline std::optional<Quiet> optional(const std::string& t) { return Quiet(t); }
inline std::pair<int, Quiet> pair(const std::string& t) { return {1, Quiet(t)}; }
inline std::vector<Quiet> vector(const std::string& t) { return {Quiet(t)}; }
inline std::vector<std::shared_ptr<Says>> shares(const std::string& t) { return {shared(t)}; }
inline std::function<std::string()> function(const std::string& t) { return [&t] { return t; }; }
"""
CAPTURED = {
    **dict.fromkeys(
        [
            *("Quiet", "Function", "Unique", "Abstract", "Shared", "Raw", "Chars", "Void", "Iterator", "Maps"),
            *("Pairs", "Maybe", "Any", "Nests", "First", "Own"),
        ],
        "x.go()",
    ),
    "unique": "x.go()", "base": "x.go()", "shared": "x.go()", "optional": "x.go()", "pair": "x[1].go()",
    "vector": "x[0].go()", "shares": "x[0].go()", "function": "x()",
}  # fmt: skip
KEEPING = r"""
#include <memory>
#include <string>
#include <vector>
struct Item { std::string name; explicit Item(std::string n) : name(n) {} ~Item() { name = "(ended)"; } };
struct Plain { Item* item = nullptr; };
struct Node { Item* item = nullptr; Plain plain; std::vector<Item*> list; virtual ~Node() {}
  Plain& at() { return plain; }
  std::vector<Plain*> all() { return {&plain}; } };
struct Ref { const Item& item; explicit Ref(const Item& x) : item(x) {} virtual ~Ref() {} };
inline std::shared_ptr<Node> share() { return std::make_shared<Node>(); }
inline std::unique_ptr<Node> sole() { return std::make_unique<Node>(); }
inline Plain global; inline Plain several[2]; inline Node* const own = new Node();
struct Home { static inline Plain plain; };
struct Scene {
  std::vector<std::unique_ptr<Node>> nodes; std::vector<std::shared_ptr<Node>> shares; std::unique_ptr<Ref> ref;
  void add(std::unique_ptr<Node> n) { nodes.push_back(std::move(n)); }
  void add_all(std::vector<std::unique_ptr<Node>> n) { nodes = std::move(n); }
  void offer(std::unique_ptr<Node>&& n) { nodes.push_back(std::move(n)); }
  void own(Node* n) { nodes.emplace_back(n); }
  void share(std::shared_ptr<Node> n) { shares.push_back(n); }
  void look(std::unique_ptr<Ref> r) { ref = std::move(r); }
  Node& node() { return *nodes.at(0); } std::shared_ptr<Node> common() { return shares.at(0); }
  std::unique_ptr<Node> back() { auto n = std::move(nodes.back()); nodes.pop_back(); return n; }
  std::string seen() { return ref->item.name; }
};
inline std::string name_of(const Item* i) { return i->name; }
"""
ASSIGNED = {
    "a field": ("n.item = x", "lambda n: n.item"), "a field of a field": ("n.plain.item = x", "lambda n: n.plain.item"),
    "through a view": ("n.at().item = x", "lambda n: n.plain.item"),
    "an element that C++ gives": ("n.all()[0].item = x", "lambda n: n.plain.item"),
    "a container": ("n.list = [x]", "lambda n: n.list[0]"),
}  # fmt: skip
MADE = ["lib.Node()", "lib.share()", "lib.sole()"]
MOVED = {
    "add": "s.node()", "offer": "s.node()", "own": "s.node()", "share": "s.common()", "back": "s.back()",
}  # fmt: skip
VARIABLES = {
    "a global": ("lib.global_", "v.item = x", "lambda v: v.item"),
    "a static member": ("lib.Home.plain", "v.item = x", "lambda v: v.item"),
    "an element": ("lib.several[1]", "v.item = x", "lambda v: v.item"),
    "an object that C++ owns": ("lib.own", "v.list = [x]", "lambda v: v.list[0]"),
    "a field of such": ("lib.own", "v.at().item = x", "lambda v: v.plain.item"),
}  # fmt: skip
PROGRAM = """
import gc, sys
import samebytes as sb
sys.path.insert(0, {folder!r})
import test_ledger as t
wrong = []
def check(row, read, expected):
    gc.collect()
    junk = [expected.replace("a", "j") + str(n) for n in range(200)]
    try:
        found = read()
    except Exception as error:
        found = repr(error)
    if found != expected:
        wrong.append((row, ascii(found)))
t.{run}(check)
print("wrong:", wrong)
"""
TEXT = "a text that is longer than any that a std::string has inside, for what it is"


def captured(check: Any) -> None:
    lib = sb.compile(
        SOURCE.replace("#define CLASS", "#define COMMA ,\n#define CLASS"), name="captured", std="c++17"
    )
    for name, read in CAPTURED.items():
        given = "".join([*TEXT])[:60]
        made = getattr(lib, name)([given] if name == "First" else given)
        rest = [lib.Own("j" * 60) for _ in range(50)]
        check(name, lambda made=made, read=read: eval(read, {"x": made}), TEXT[:60])
        del rest


def kept(check: Any) -> None:
    lib = sb.compile(KEEPING, name="ledger", std="c++17", arg_intent={"Scene.own": {"n": "owned"}})
    for (how, (assign, read)), make, (way, found) in (
        (a, m, w) for a in ASSIGNED.items() for m in MADE for w in MOVED.items()
    ):
        scene = lib.Scene()
        node = eval(make, {"lib": lib})
        exec(assign, {"n": node, "x": lib.Item(TEXT)})
        try:
            getattr(scene, "add" if way == "back" else way)(node)
        except sb.Error:
            continue  # a std::shared_ptr is no std::unique_ptr
        del node
        look = eval(read)
        check((how, make, way), lambda: lib.name_of(look(eval(found, {"s": scene}))), TEXT)  # noqa: B023
    scene = lib.Scene()
    scene.look(lib.Ref(lib.Item(TEXT)))
    check("a reference", scene.seen, TEXT)


def variables(check: Any) -> None:
    lib = sb.compile(KEEPING, name="ledger_variables", std="c++17")
    for name, (where, assign, read) in VARIABLES.items():
        exec(assign, {"v": eval(where, {"lib": lib}), "x": lib.Item(TEXT)})
        look = eval(read)
        check(name, lambda: lib.name_of(look(eval(where, {"lib": lib}))), TEXT)  # noqa: B023
        view = look(eval(where, {"lib": lib}))
        exec(assign.replace("[x]", "[]"), {"v": eval(where, {"lib": lib}), "x": None})
        check(f"{name}, replaced", lambda: lib.name_of(view), TEXT)  # noqa: B023


@each("run", ["captured", "kept", "variables"])
def test_what_cxx_refers_to_is_there(run: str) -> None:
    program = PROGRAM.format(folder=os.path.dirname(__file__), run=run)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False,
        env={**os.environ, "MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc", "PYTHONPATH": os.getcwd()},
    )  # fmt: skip
    assert done.stdout == "wrong: []\n", done.stdout[-2000:] + done.stderr[-3000:]


def test_what_is_replaced_is_let_go_with_the_last_result() -> None:
    lib = sb.compile(KEEPING, name="let_go", std="c++17")
    import weakref

    node = lib.Node()
    dead = []
    for number in range(5):
        item = lib.Item(f"{TEXT}{number}")
        weakref.finalize(item, dead.append, number)
        node.list = [item]
        del item
        view = node.list[0]
    assert dead == [0, 1, 2, 3]
    node.list = []
    assert lib.name_of(view) == f"{TEXT}4"
    held = node.at()
    for number in range(5, 9):  # a result that has nothing to do with them keeps none of them
        item = lib.Item(TEXT)
        weakref.finalize(item, dead.append, number)
        node.item = item
        del item
    node.item = None
    assert dead == [0, 1, 2, 3, 5, 6, 7, 8]
    assert held is not None
