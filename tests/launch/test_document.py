"""The page about kernels, and the readme: their code runs, with the tests' driver."""

from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full
PAGE = Path(__file__).parents[2] / "docs" / "kernels.md"
README = Path(__file__).parents[2] / "README.md"


def test_the_code_of_the_readme_runs(fake, monkeypatch):
    compiled = sb.compile
    monkeypatch.setattr(sb, "compile", lambda *a, **k: fake.knows(compiled(*a, **k)))
    x, y = (fake.array(np.full(1000, n, np.float32)) for n in (3, 1))
    (block,) = (part.partition("\n```")[0] for part in README.read_text().split("```py\n")[1:])
    exec(block, {"sb": sb, "x": x, "y": y})
    assert (y.array == 1 + 2 * 3 + 2 * 3).all()


@pytest.mark.parametrize(
    ("page", "compiling", "launching"), [("howto/cuda.md", 0, 2), ("from_cupy.md", 1, 1)]
)
def test_the_code_of_the_pages_of_tasks_runs(fake, monkeypatch, page, compiling, launching):
    compiled = sb.compile
    monkeypatch.setattr(sb, "compile", lambda *a, **k: fake.knows(compiled(*a, **k)))
    x, y = fake.array(np.arange(1000, dtype=np.float32)), fake.array(np.ones(1000, np.float32))
    blocks = [part.partition("\n```")[0] for part in (PAGE.parent / page).read_text().split("```py\n")[1:]]
    names = {"x": x, "y": y}
    for block in dict.fromkeys((blocks[compiling], blocks[launching])):
        exec(block, names)
    launches = "\n".join(blocks).count("(2.0, x, y, 1000)")
    assert y.array[3] == 1 + launches * 2 * 3


def test_the_code_of_the_page_runs(fake, monkeypatch, capsys):
    compiled = sb.compile
    monkeypatch.setattr(sb, "compile", lambda *a, **k: fake.knows(compiled(*a, **k)))
    x = fake.array(np.arange(1000, dtype=np.float32))
    y = fake.array(np.ones(1000, np.float32))
    names = {"x": x, "y": y}
    blocks = [part.partition("\n```")[0] for part in PAGE.read_text().split("```python\n")[1:]]
    assert len(blocks) == 4
    for block in blocks:
        exec(block, names)
    weights = np.where(np.arange(1000) % 2, 0.5, 1)
    assert (y.array == weights * (1 + 4 * np.arange(1000))).all()
    assert names["launch"].done
    assert capsys.readouterr().out == f"{names['there'].k!r}\n"
    with pytest.raises(sb.ArrayError) as error:
        names["lib"].axpy[1, 1](2.0, np.zeros(5, np.float32), y, 5)
    assert f"ArrayError: {error.value}" in PAGE.read_text().replace(
        "got float32[5] in\nhost", "got float32[5] in host"
    )
