"""Every test function of a peer is shown by a test of ours, left out with a reason, or open; the page says so."""

from __future__ import annotations

import ast

import pytest

from . import __main__ as writer

# How a test checks the words of a refusal.
WORDS = ("match=", "str(", "explain(", "__skipped__", "refused(")

FILES = [
    pytest.param(peer["peer"], file, id=f"{peer['peer']}-{file['name']}")
    for peer in writer.PEERS
    for file in peer["file"]
]


@pytest.mark.parametrize(("peer", "file"), FILES)
def test_each_function_is_exactly_one_of_shown_left_out_and_open(peer, file):
    tests = {function for name, function in writer.shown(peer) if name == file["name"]}
    left_out, opened = set(file.get("left_out", {})), set(file.get("open", {}))
    functions = set(file["functions"])
    assert len(functions) == len(file["functions"]), "a function is named twice"
    assert (tests | left_out | opened) - functions == set(), "not a function of the peer's file"
    assert functions - tests - left_out - opened == set(), "neither shown nor left out nor open"
    assert (tests & left_out, tests & opened, left_out & opened) == (set(), set(), set()), "more than one"


@pytest.mark.parametrize(("peer", "file"), FILES)
def test_what_is_left_out_or_open_has_a_reason(peer, file):
    for state in ("left_out", "open"):
        for function, reason in file.get(state, {}).items():
            assert len(reason.split()) >= 3, f"{function}: {reason!r} is no reason"


@pytest.mark.parametrize("peer", writer.PEERS, ids=lambda peer: peer["peer"])
def test_marks_stand_in_files_of_the_peer_and_refusals_check_words(peer):
    names = {file["name"] for file in peer["file"]}
    for (file, function), found in writer.shown(peer["peer"]).items():
        assert file in names, f"{file} is not in {peer['peer']}.toml"
        for mark in found:
            assert set(mark.keywords) <= {"refused"}
            if mark.keywords.get("refused"):
                source = ast.unparse(mark.body)
                assert any(word in source for word in WORDS), f"{mark.place} ({function}) checks no words"


def test_marks_are_in_the_folder_of_a_peer():
    folders = {mark.path.parent.name for mark in writer.marks("behaviour", writer.HERE)}
    assert folders <= {peer["peer"] for peer in writer.PEERS}


def test_the_page_is_fresh():
    assert writer.PAGE.read_text() == writer.page(), "write it anew: python -m tests.suites"
