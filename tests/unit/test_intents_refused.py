"""Intents that contradict a declaration: each is an error whose words say what exists and what to do."""

from __future__ import annotations

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

DECLARED = """
#include <samebytes/vector.hpp>
struct State { int n; }; struct Opaque;
void update(State& state, const State& other, float by, const float* from, float* to, void* any);
inline void f(State& state, float x) {} inline void f(State& state, double& out) {}
inline void update(State& state, const State& other, float by, const float* from, float* to, void* any) {}
inline void matrix(float out[3][4]) {} inline void vectors(State* out, int n) {} inline void one(float& out) {}
inline void hide(int n, float* out) {} inline void opaque(Opaque* o) {} inline void rows(float out[][4]) {}
struct M { int n; M(int& n) : n(n) {} void get(int i, float& out) const {} };
inline void floats(samebytes::float32x4* out) {} inline void huge(float out[1 << 15][1 << 15]) {}
"""


class TestRefused:
    """What contradicts the declaration is an error, in words that say what exists."""

    @pytest.mark.parametrize(
        ("intent", "error", "words"),
        [
            ({"M.M": {"n": "out_return"}}, sb.IntentError, "no place in a constructor"),
            (
                {"update": {"other": "inout_ptr"}},
                sb.IntentError,
                "cannot write through const State &: use 'in'",
            ),
            ({"update": {"other": "out_ptr"}}, sb.IntentError, "'out_ptr' is for outputs"),
            ({"update": {"other": "out_return"}}, sb.IntentError, "'out_return' is for outputs"),
            ({"update": {"by": "inout_ptr"}}, sb.IntentError, "float is passed by value"),
            ({"update": {"from": "out_return"}}, sb.IntentError, "const float * points to const"),
            (
                {"update": {"any": "out_return"}},
                sb.IntentError,
                "cannot tell how much C++ writes through void *",
            ),
            (
                {"hide": {"out": sb.out_array_return(length=2**31)}},
                sb.IntentError,
                "would return 2147483648 elements one by one, and a tuple gets at most 16777216: choose",
            ),
            ({"huge": {"out": "out_return"}}, sb.IntentError, "would return 1073741824 elements one by one"),
            (
                {"huge": {"out": "out_array_return"}},
                sb.IntentError,
                "would return 1073741824 elements one by one",
            ),
            ({"update": {"any": "out_array_return"}}, sb.IntentError, "on void* needs dtype and length"),
            (
                {"update": {"stat": "in"}},
                sb.BindError,
                "known: state, other, by, from, to, any. Did you mean 'state'?",
            ),
            ({"update": {6: "in"}}, sb.BindError, "index 6 is out of range for 6 parameters: state, other"),
            ({"update": {-1: "in"}}, sb.BindError, "index -1 is out of range"),
            ({"update": {True: "in"}}, sb.BindError, "key True is neither a parameter name nor an index"),
            ({"update": {1.0: "in"}}, sb.BindError, "key 1.0 is neither a parameter name nor an index"),
            ({"update": {0: "in", "state": "in"}}, sb.BindError, "names parameter 'state' twice"),
            (
                {"updat": {0: "in"}},
                sb.BindError,
                "unknown function 'updat'; known: update, f, matrix,",
            ),
            ({3: {0: "in"}}, sb.BindError, "arg_intent key 3 is no function's name"),
            (
                {"update": {0: "inout"}},
                sb.IntentError,
                "unknown intent 'inout'; known: in, inout_ptr, out_ptr,",
            ),
            ({"update": {0: True}}, sb.IntentError, "unknown intent True"),
            ({"update": {0: {"intnt": "in"}}}, sb.IntentError, "Did you mean 'intent'?"),
            (
                {"update": {0: {"intent": "in", "length": 3}}},
                sb.IntentError,
                "'in' takes no options, got 'length'",
            ),
            (
                {"matrix": {0: {"intent": "out_array_return", "lenght": 3}}},
                sb.IntentError,
                "unknown option 'lenght'; known: dtype, length, shape, as_array. Did you mean 'length'?",
            ),
            (
                {"matrix": {0: sb.out_array_return(length=5)}},
                sb.IntentError,
                "float out[3][4] says 12 elements",
            ),
            ({"matrix": {0: sb.out_array_return("double")}}, sb.IntentError, "the declaration says float32"),
            ({"matrix": {0: sb.out_array_return("flot")}}, sb.IntentError, "no type is called 'flot'"),
            ({"vectors": {0: sb.out_array_return("float", 3)}}, sb.IntentError, "says State (State * out)"),
            (
                {"vectors": {0: "out_array_return"}},
                sb.IntentError,
                "does not say how many elements C++ writes",
            ),
            (
                {"vectors": {0: sb.out_array_return(length="m")}},
                sb.IntentError,
                "no integer parameter of the call; those are: n",
            ),
            (
                {"vectors": {0: sb.out_array_return(length="n + 1")}},
                sb.IntentError,
                "'n + 1' is no integer parameter",
            ),
            (
                {"one": {0: sb.out_array_return("float", 7)}},
                sb.IntentError,
                "float & is one float32: use 'out_return'",
            ),
            ({"rows": {0: sb.out_array_return(length=6)}}, sb.IntentError, "says rows of 4 elements"),
            ({"matrix": {0: sb.out_array_return(length="n")}}, sb.IntentError, "says 12: leave length out"),
            (
                {"hide": {"out": sb.out_array_return(length="n"), "n": "out_return"}},
                sb.IntentError,
                "by value",
            ),
            (
                {"M.get": {2: "in"}},
                sb.BindError,
                "M.get(): arg_intent index 2 is out of range for 2 parameters: i, out",
            ),
            ({"M.get": {"self": "in"}}, sb.BindError, "unknown parameter 'self'; known: i, out."),
            ({"M.gt": {0: "in"}}, sb.BindError, "unknown function 'M.gt'"),
            ({"get": {0: "in"}}, sb.BindError, "Did you mean 'M.get'?"),
            ({"M.M": {0: "out_return"}}, sb.IntentError, "has no place in a constructor"),
            ({"floats": {0: sb.out_array_return("float", 3)}}, sb.IntentError, "declaration says float32x4"),
            ({"opaque": {0: "out_return"}}, sb.IntentError, "is not bound, so none can be made for it"),
            ({"opaque": {0: sb.out_array_return(length=2)}}, sb.IntentError, "is not bound"),
            (
                {"f": {"x": "in", "out": "out_return"}, "f(State &, float)": {"x": "out_return"}},
                sb.IntentError,
                "by value",
            ),
        ],
    )
    def test_the_words(self, intent, error, words):
        with pytest.raises(error) as caught:
            sb.compile(DECLARED, arg_intent=intent)
        assert words in str(caught.value)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"length": 0}, "length 0 is no number of elements"),
            ({"length": True}, "length is a number of elements or a parameter's name, got True"),
            ({"length": 2.0}, "got 2.0"),
            ({"shape": 1}, "shape and as_array are true or false, got 1"),
            ({"dtype": object}, "has no machine representation"),
        ],
    )
    def test_the_options(self, options, words):
        with pytest.raises(sb.IntentError) as caught:
            sb.out_array_return(**options)
        assert words in str(caught.value)

    @pytest.mark.parametrize("deleter", ["", " "])
    def test_a_deleter_without_a_name(self, deleter):
        with pytest.raises(
            sb.IntentError, match="is no name: it is a function or method that ends the object"
        ):
            sb.owned(deleter)
        with pytest.raises(sb.IntentError, match="is no name"):
            sb.compile(
                "struct A {}; A* a();", arg_intent={"a": {"return": {"intent": "owned", "deleter": deleter}}}
            )

    def test_overloads_that_collide_without_their_outputs(self):
        text = "inline void g(int a, float& out) {} inline void g(int a, double& out) {}"
        with pytest.raises(sb.IntentError) as caught:
            sb.compile(text, arg_intent={"g": {"out": "out_return"}})
        assert (
            "two overloads of g() with the same Python parameters: g(int, float &) and g(int, double &)"
            in str(caught.value)
        )

    def test_one_overload_by_its_parameters(self):
        text = (
            "inline int g(int a, float& out) { return 1; } inline void g(int a, double& out) { out = 2.5; }"
        )
        lib = sb.compile(text, arg_intent={"g": {"out": "in"}, "g(int, double &)": {"out": "out_return"}})
        assert (lib.g(1), lib.g(1, 2)) == (2.5, 1)

    def test_each_intent_reaches_the_overloads_that_have_it(self):
        lib = sb.compile(
            "void g(int& a) { a = 1; } void g(int x, int& a, int& b) { a = x; b = 2; }",
            arg_intent={"g": {"a": "out_return", "b": "out_return"}},
        )
        assert (lib.g(), lib.g(7)) == (1, (7, 2))


@pytest.mark.parametrize("length", ["n", "n * 2", "2 * n"])
def test_a_length_that_no_tuple_has_is_an_error_of_the_call(length: str) -> None:
    intents = {"hide": {"out": sb.out_array_return(length=length)}}
    lib = sb.compile("inline void hide(long n, float* out) {}", arg_intent=intents)
    assert set(lib.hide(2)) == {0.0}
    for n in (2**24 + 1, 2**31, 2**62):
        with pytest.raises(
            sb.RangeError, match=r"at most 16777216 elements, got a length of .*as_array=True"
        ):
            lib.hide(n)


TEMPLATES = """
template <class T> struct Box {
    T v;
    Box(T* p, int n) : v(p[0] + n) { p[0] = T(n); }
    Box(T v) : v(v) {}
    int fill(int* out) { *out = 3; return 1; }
    template <class U> int put(U u, int* room) { *room = 4; return u; }
};
template <class T> struct Other { T v; int fill(int* out) { *out = 4; return 2; } };
template <class T> constexpr T pi = T(3);
template <class T> using Crate = Box<T>;
namespace ns { struct A { int a; }; }
struct Plain { int a; Plain(int* p) : a(*p) {} template <class U> Plain(U u, int* n) : a(u) {} };
"""


class TestTemplates:
    """What no function of a template has is an error when it can be known: at once, or when C++ makes the class."""

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("Box", "'Box': Box is a template of classes, .*: Box.Box, Box.fill, Box.put"),
            ("Box.nothing", "unknown function 'Box.nothing'; known: Box.Box, Box.fill, Box.put"),
            ("pi", "unknown function 'pi': pi is a template of variables"),
            ("Crate", "'Crate': Crate is a template of other names"),
            ("Crate.fill", "'Crate.fill': .* say the class that it means, as in 'Class.f'"),
            ("Plain.Plain", r"Plain\(\): arg_intent names an unknown parameter 'nothing'; known: p"),
        ],
    )
    def test_at_once(self, name, words):
        with pytest.raises(sb.BindError, match=words):
            sb.compile(TEMPLATES, arg_intent={name: {"nothing": "in"}})

    @pytest.mark.parametrize(
        ("name", "key", "words"),
        [
            (
                "Box.Box",
                "nothing",
                r"Box<int>\(\): arg_intent names an unknown parameter 'nothing'; known: v",
            ),
            ("Box::Box", "nothing", "unknown parameter 'nothing'"),
            ("Box.fill", "nothing", r"Box<int>.fill\(\): .* unknown parameter 'nothing'; known: out"),
            ("Box.fill", 7, "index 7 is out of range for 1 parameters: out"),
            (
                "Box.put",
                "nothing",
                r"put\(\): arg_intent names an unknown parameter 'nothing'; known: u, room",
            ),
            ("Box.put", 7, "index 7 is out of range for 2 parameters: u, room"),
            ("Box.Box", "p", "'out_return' has no place in a constructor"),
        ],
    )
    def test_when_it_is_instantiated(self, name, key, words):
        lib = sb.compile(TEMPLATES, arg_intent={name: {key: "out_return"}})
        with pytest.raises((sb.BindError, sb.IntentError), match=words):
            lib.Box[int]

    def test_what_they_have_is_meant(self):
        chosen = {
            "Box.Box": {"p": "inout_ptr"},
            "Box.put": {"room": "out_return"},
            "Other<ns::A>.fill": {"out": "out_return"},
            "Plain.Plain": {"n": "inout_ptr"},
        }
        lib = sb.compile(TEMPLATES, arg_intent=chosen, instantiate=["Box<int>", "Other<ns::A>"])
        (made,) = (
            p for s in lib.__model__.functions for p in s.arguments if p.name == "p" and s.owner == "Box<int>"
        )
        assert made.intent.name == "inout_ptr"
        assert lib.Box[int](3).put(4) == (4, 4)
        assert lib.Other[lib.ns.A](lib.ns.A(1)).fill() == (2, 4)
