"""Types: the words in which signatures say what goes in and what comes out.

A shape is not part of a type: the docstrings state it.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]
Integers = npt.NDArray[np.integer]
Mask = npt.NDArray[np.bool_]  # True means may attend
Rows = Sequence[Sequence[float]] | Array  # a matrix, for plain loops
ArrayFunction = Callable[[Array], Array]
Parameters = dict[str, Array]  # by name, as W_Q
Block = dict[str, Parameters]  # by part, as "attention"
Lesson = tuple[Integers, Integers, Array]  # tokens, targets, importance
