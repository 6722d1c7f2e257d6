"""Explanations: what a call does with each argument, what is discarded, and what is not bound."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from rich.console import Console
from tests.tables import warns_at_first

import samebytes as sb
from samebytes.tools.cli import main

SOURCE = """
#include <string>
struct State { int n; float sum; };
enum Mode { OFF, ON };
void update(State& s, float x) {}
void mean(const State& s, float& out) {}
bool score(int& s, float& out) { return true; }
void matrix(float out[3][4]) {}
void many(int n, float* out) {}
double shout(const std::string& text, const char* plain) { return 0; }
State by_value(State s, Mode m) { return s; }
const State* find(const State* s) { return s; }
int over(int x) { return x; }
double over(double x) { return x; }
struct Counter { int n; int add(int k = 1) { return n += k; } static int zero() { return 0; } };
struct Base { virtual ~Base() {} virtual int f() const { return 1; } };
int ask(const Base& base, Base& other, std::string* text) { return base.f(); }
long double skipped(long double x) { return x; }
"""
INTENTS = {
    "update": {"s": "inout_ptr"},
    "mean": {"out": "out_ptr"},
    "score": {"out": "out_return"},
    "matrix": {"out": "out_array_return"},
    "many": {"out": sb.out_array_return(length="n", as_array=True)},
}


@pytest.fixture(scope="module")
def lib():
    with warns_at_first(sb.BindWarning, match=r"skipped\(long double\)"):
        return sb.compile(SOURCE, arg_intent=INTENTS, name="demo")


def only(lib, name):
    (facts,) = sb.explain(lib, name).functions
    return facts


class TestFacts:
    @pytest.mark.parametrize(
        ("name", "rows"),
        [
            (
                "update",
                [("s", "inout_ptr", "nothing: C++ changes the object itself"), ("x", "in", "4 bytes")],
            ),
            (
                "mean",
                [
                    ("s", "in", "nothing of a record or value, else 8 bytes"),
                    ("out", "out_ptr", "nothing: C++ changes the object itself"),
                ],
            ),
            (
                "score",
                [
                    ("s", "in", "4 bytes; what C++ writes there is discarded"),
                    ("out", "out_return", "4 bytes, into a float32"),
                ],
            ),
            ("matrix", [("out", "out_array_return", "48 bytes, into tuples")]),
            (
                "many",
                [
                    ("n", "in", "4 bytes"),
                    ("out", "out_array_return", "nothing: C++ fills the array that is returned"),
                ],
            ),
            ("shout", [("text", "in", "the contents"), ("plain", "in", "nothing: C++ gets the address")]),
            ("Counter.add", [("k", "in", "4 bytes")]),
            (
                "ask",
                [
                    ("base", "in", "nothing: C++ gets the address"),
                    ("other", "inout_ptr", "nothing: C++ changes the object itself"),
                    ("text", "in", "the contents; what C++ writes there is discarded"),
                ],
            ),
            ("Counter::zero", []),
        ],
    )
    def test_arguments(self, lib, name, rows):
        assert [(a.name, a.intent, a.copies) for a in only(lib, name).arguments] == rows

    def test_discarded_outputs_are_marked(self, lib):
        marked = {f.name: [a.name for a in f.arguments if a.discarded] for f in sb.explain(lib).functions}
        assert {name: found for name, found in marked.items() if found} == {"score": ["s"], "ask": ["text"]}
        assert only(lib, "score").discards
        assert not only(lib, "update").discards

    def test_signatures_places_and_results(self, lib):
        facts = only(lib, "score")
        assert facts.python == "score(s: int32) -> tuple[bool, float32]"
        assert facts.cxx == "bool score(int & s, float & out)"
        assert facts.location == "source.cpp:7"
        assert facts.returns == "1 byte"
        assert only(lib, "find").returns == "an address, which keeps the arguments alive"

    def test_the_path_is_the_cores_own(self):
        held = sb.compile(
            "int f(int x) { return x; } void g(int& x) { x = 1; }",
            nogil=False,
            arg_intent={"g": {0: "out_return"}},
        )
        free = sb.compile("int f(int x) { return x; }", nogil=True)
        assert (only(held, "f").path, only(held, "g").path, only(free, "f").path) == (
            "shortest",
            "general",
            "short",
        )

    def test_overloads_have_one_entry_each(self, lib):
        assert [f.cxx for f in sb.explain(lib, "over").functions] == [
            "int over(int x)",
            "double over(double x)",
        ]


class TestAsking:
    def test_of_a_library_a_function_and_by_the_dunder(self, lib):
        assert str(lib.__explain__("mean")) == str(sb.explain(lib, "mean"))
        assert sb.explain(lib.mean).functions == sb.explain(lib, "mean").functions
        assert sb.explain(lib.Counter.add).functions == sb.explain(lib, "Counter.add").functions

    def test_what_is_not_bound_says_why(self, lib):
        assert [s.name for s in sb.explain(lib).skipped] == ["skipped(long double)"]
        text = str(sb.explain(lib, "skipped"))
        assert "long double has no counterpart" in text
        assert "source.cpp:18" in text

    @pytest.mark.parametrize(
        ("arguments", "error", "words"),
        [
            (("upate",), sb.BindError, "demo has no function or class 'upate'. Did you mean 'update'?"),
            (("Counter.ad",), sb.BindError, "Did you mean 'Counter.add'?"),
        ],
    )
    def test_unknown_names(self, lib, arguments, error, words):
        with pytest.raises(error) as caught:
            sb.explain(lib, *arguments)
        assert words in str(caught.value)

    def test_what_is_no_library(self):
        with pytest.raises(TypeError, match="takes a bound library and a name, or one bound function, got 3"):
            sb.explain(3)


class TestShown:
    def test_plain_text(self, lib):
        text = str(sb.explain(lib))
        assert "update(s: pointer[State], x: float32) -> None" in text
        assert text.count("discarded") == 2
        assert "short path: compiled code" in text
        assert "\x1b" not in text
        made = lib.__model__
        assert f"demo: {made.exposed - 1} of {made.exposed} declarations are bound" in text

    def test_colours_for_a_terminal(self, lib):
        console = Console(force_terminal=True, color_system="truecolor", width=100)
        with console.capture() as captured:
            console.print(sb.explain(lib, "score"))
        text = captured.get()
        assert "\x1b[1;36mscore" in text
        assert "\x1b[1;31m" in text  # what is discarded is red

    def test_json(self, lib):
        found = json.loads(sb.explain(lib, "score").json())
        assert found["functions"][0]["arguments"][0]["discarded"] is True
        assert found["library"] == "demo"


class TestCommand:
    @pytest.fixture
    def header(self, tmp_path):
        (tmp_path / "demo.hpp").write_text(SOURCE.replace("\nvoid", "\ninline void"))
        (tmp_path / "demo.yaml").write_text("Function Argument Intents: {score: {out: out_return}}\n")
        return tmp_path / "demo.hpp"

    def test_all_and_one(self, header):
        config = str(header.with_suffix(".yaml"))
        done = CliRunner().invoke(main, ["explain", str(header), "-c", config])
        assert done.exit_code == 0, done.output
        assert "Not bound" in done.output
        assert "\x1b" not in done.output
        done = CliRunner().invoke(main, ["explain", str(header), "score", "-c", config, "--json"])
        (facts,) = json.loads(done.output)["functions"]
        assert facts["python"] == "score(s: int32) -> tuple[bool, float32]"

    def test_an_unknown_function(self, header):
        done = CliRunner().invoke(main, ["explain", str(header), "skore"])
        assert done.exit_code == 1
        assert "Did you mean 'score'?" in done.output


def test_members_are_shown_as_what_they_are():
    lib = sb.compile("#include <string>\nstruct Named { std::string name; int size() const { return 1; } };")
    shown = {(f.name, f.python, f.cxx) for f in sb.explain(lib).functions}
    assert ("Named::name", "Named.name: str", "Named::name") in shown
    assert ("Named::name", "Named.name = str", "Named::name") in shown
    assert not [text for facts in shown for text in facts if "operator." in text]


def test_the_command_says_of_the_gil_what_a_call_does(tmp_path):
    (tmp_path / "few.hpp").write_text("inline int plus(int a, int b) { return a + b; }")
    done = CliRunner().invoke(main, ["explain", str(tmp_path / "few.hpp"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["functions"][0]["gil"].startswith("keeps the GIL")
