"""The oracle itself: what a proof tells, what it refuses, what the command says, and what is missing."""

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.errors import CompileError, LayoutError, MissingDependency
from samebytes.layouts import Fact
from samebytes.layouts.oracle import answers, base, find_judge, judge_names, judges, prove
from samebytes.layouts.oracle.base import Judge, Outcome
from samebytes.tools.cli import main
from samebytes.types import SCALARS, Field, Struct

pytestmark = pytest.mark.full  # compilers of several dialects are asked

POINT = Struct("Point", (Field("x", SCALARS["int8"]), Field("y", SCALARS["float64"])))


def judge_that_prints(output, ok=False):
    return Judge("fake", ("cxx",), lambda: "Fake 1", lambda text: Outcome(ok, output, "fake x.cpp"))


def test_facts_of_a_layout():
    facts = sb.layout(POINT).facts()
    assert facts == (
        Fact("size", "", 16), Fact("align", "", 8), Fact("offset", "x", 0), Fact("size", "x", 1),
        Fact("offset", "y", 8), Fact("size", "y", 8),
    )  # fmt: skip


def test_each_judge_knows_a_dialect():
    assert {"gxx", "clangxx", "nvrtc", "nvcc", "hip", "sycl_host", "sycl_device"} <= set(judge_names())
    for name in judge_names():
        assert find_judge(name).name == name
        assert find_judge(name).dialects
    with pytest.raises(LayoutError, match="no dialect"):
        judges("cobol")


def test_a_proof_names_its_witnesses():
    proof = prove(POINT)
    assert proof.type == POINT
    assert proof.dialect == "cxx"
    assert len(proof.facts) == 6
    assert find_judge("gxx").find() in proof.confirmed


MESSAGES = {
    "g++": "x.cpp: In instantiation of 'struct samebytes_fact<12, 16, 3>':\n"
    "error: static assertion failed: Python said",
    "clang": "error: static assertion failed due to requirement '12UL == 16UL': Python said\n"
    "note: in instantiation of template class 'samebytes_fact<12, 16, 3>' requested here",
    "EDG": 'x.cu(3): error: static assertion failed with "Python said"\n'
    'detected during instantiation of class "samebytes_fact<Said, Real, Fact> [with Said=12UL, Real=16UL, Fact=3]"',
}


@pytest.mark.parametrize("output", MESSAGES.values(), ids=MESSAGES)
def test_messages_of_compilers_are_read(output):
    assert judge_that_prints(output).disputed("", [("1", 1)] * 4) == {3: 16}


@pytest.mark.parametrize("output", MESSAGES.values(), ids=MESSAGES)
def test_another_error_makes_the_numbers_worthless(output):
    with pytest.raises(CompileError, match="Fake 1 refused the questions"):
        judge_that_prints(output + "\nx.cpp:1: error: unknown type name 'float3'").disputed("", [("1", 1)])


def test_a_compiler_that_takes_everything_is_no_judge():
    assert judge_that_prints("", ok=True).disputed("", [("1", 1)]) == {}
    with pytest.raises(LayoutError, match="Fake 1 says nothing about 1"):
        judge_that_prints("", ok=True).answers("", ["1"])


def test_more_questions_than_a_compiler_reports():
    judge = find_judge("gxx")
    few = Judge("few", ("cxx",), judge.find, judge.compile, limit=3)
    assert few.answers("", [str(i) for i in range(8)]) == list(range(8))


def test_no_compiler_is_one_error_that_says_what_to_install(monkeypatch):
    def missing():
        raise MissingDependency("the fake compiler was not found: install it")

    fake = Judge("fake", ("cxx",), missing, lambda text: pytest.fail("it is not there"))
    monkeypatch.setattr("samebytes.layouts.oracle.bench.judges", lambda dialect: (fake,))
    monkeypatch.setattr("samebytes.layouts.oracle.proof.judges", lambda dialect: (fake,))
    for ask in (lambda: prove(POINT), lambda: answers("", ["1"])):
        with pytest.raises(MissingDependency, match="the fake compiler was not found: install it"):
            ask()


def test_wrong_kernel_arguments_are_a_lie(monkeypatch):
    fake = Judge(
        "fake",
        ("cxx",),
        lambda: "Fake 1",
        lambda text: Outcome(True, "", ""),
        lambda text, s: [(0, 1), (4, 16)],
    )
    monkeypatch.setattr("samebytes.layouts.oracle.proof.judges", lambda dialect: (fake,))
    with pytest.raises(LayoutError, match=r"kernel arguments \(char, Point\) are at \[\(0, 1\), \(4, 16\)\]"):
        prove(POINT)


@pytest.fixture
def module(tmp_path, monkeypatch):
    text = "import samebytes as sb\n@sb.struct\nclass P:\n  x: sb.int8\n  v: sb.float32x3\nnothing = 3\n"
    (tmp_path / "proven_types.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "proven_types"


def run(*arguments):
    return CliRunner().invoke(main, ["prove", *arguments])


def test_command(module):
    done = run(f"{module}:P", "--dialect", "cxx")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("P in cxx: 6 facts confirmed by\n  ")
    assert find_judge("gxx").find() in done.output


def test_command_asks_every_dialect(module):
    done = run(f"{module}:P")
    assert done.exit_code == 0, done.output
    assert all(f"P in {name}" in done.output for name in ("cuda", "cxx", "hip", "sycl"))


def test_command_with_a_wrong_layout(module, monkeypatch):
    monkeypatch.setattr(base.Judge, "disputed", lambda self, text, facts: {0: 99})
    done = run(f"{module}:P", "--dialect", "cxx")
    assert done.exit_code == 1
    assert "sizeof(P) is 99; Python assumes 16" in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{}:P", "--dialect", "cobol"), "no dialect 'cobol'"),
        (("{}:nothing",), "has no machine representation"),
        (("{}:Absent",), "has no 'Absent'"),
        (("{}",), "is not of the form module:Type"),
    ],
)
def test_command_with_bad_words(module, arguments, says):
    done = run(*(a.format(module) for a in arguments))
    assert done.exit_code != 0
    assert says in done.output
    assert "Traceback" not in done.output
