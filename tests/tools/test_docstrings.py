"""The docstring gate: what is complete passes, and each thing left out is named."""

import pytest

from tools.gates import docstrings

GOOD = '''\
"""Halves. ``step`` is shared by all functions."""

from casebook.guards import float_array, whole_number as whole


def half(x, step):
    """Return half of x. Raises: TypeError for a text, and ValueError for an odd number."""
    if isinstance(x, str):
        raise TypeError("x is a text")
    return _checked(x) // 2


def show(x):
    """Print half of x."""
    print([half(each, 1) for each in x])


def halves(x):
    """Return the halves of x, or nothing. Raises: as :func:`half`."""
    return [_checked(each) for each in x]


def careful(x):
    """Return half of x, or 0."""
    try:
        return _checked(x)
    except (ArithmeticError, Exception):
        return 0


def exact(x):
    """Return what x is twice of. Raises: TypeError if x is a part."""
    whole("x", x)
    return x // 2


def row(x):
    """Return half of each number of x. Raises: TypeError or ValueError, said by the guard."""
    return float_array("x", x, 1) / 2


class Halver:
    """Half of ``x``, as an object. Raises: ValueError if that is odd."""

    def __init__(self, x):
        self.x = _checked(x)

    def show(self, *words):
        """Print words and x."""
        print(words, self.x)

    def _secret(self, word):
        return word


def _checked(number):
    if number % 2:
        raise ValueError("odd")
    return number
'''


def test_complete_docstrings_pass():
    assert docstrings.problems_in(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("``step`` is", "Nothing is", "half: the docstring does not name the argument step"),
        ("of x, or 0", "of a thing, or 0", "careful: the docstring does not name the argument x"),
        ("Half of ``x``", "Half", "__init__: the docstring does not name the argument x"),
        ("Print words and", "Print", "show: the docstring does not name the argument words"),
        ("Return half of x. R", "Half of x. R", 'half: something is returned: begin the doc'),
        ('"""Print half', '"""Return half', 'show: nothing is returned: do not begin the doc'),
        ("TypeError for", "an error for", 'half: TypeError is raised: name it behind "Raises:"'),
        ("and ValueError for", "and for", "half: ValueError is raised"),
        (" Raises: as :func:`half`.", "", "halves: ValueError is raised"),
        ("Raises: as :func:`half`", "Raises: as it likes", "halves: ValueError is raised"),
        ("Exception)", "KeyError)", "careful: ValueError is raised"),
        (" Raises: ValueError if", " Not if", "__init__: ValueError is raised"),
        (" Raises: TypeError if x", " None if x", "exact: TypeError is raised"),
        ("TypeError or ValueError, said", "TypeError, said", "row: ValueError is raised"),
    ],
)  # fmt: skip
def test_what_is_left_out_is_named(old, new, said):
    assert GOOD.count(old) == 1
    [(line, sentence)] = docstrings.problems_in(GOOD.replace(old, new))
    assert sentence.startswith(said)
    assert f"def {said.split(':')[0]}(" in GOOD.splitlines()[line - 1]


def test_main_names_file_and_line(tmp_path, capsys):
    module = tmp_path / "bad.py"
    module.write_text("def f(x):\n    '''Print.'''\n", encoding="utf-8")
    assert docstrings.main([str(module)]) == 1
    assert capsys.readouterr().out.endswith(
        "bad.py:1: f: the docstring does not name the argument x\n"
    )


def test_course_itself_is_complete(capsys):
    assert docstrings.main([]) == 0
    assert capsys.readouterr().out == ""
