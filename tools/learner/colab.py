"""Write copies of the notebooks that Colab can run: ``python -m tools.learner.colab FOLDER``.

Colab opens one file from a repository, without the files beside it. So each copy begins with
a cell that installs the course's package. The workflow .github/workflows/book.yml keeps the
copies in a branch of their own, and the pages of the book lead there.
"""

import sys
from pathlib import Path

import nbformat

from tools.pipeline.layout import HERE

sys.path.append(str(HERE.root / "_ext"))

from coursebook.launch import repository  # noqa: E402

KINDS = ("chapters", "exercises")
CELL = '''\
# On Colab only: fetch what this notebook imports. Takes about half a minute.
%pip install --quiet --no-deps "casebook @ git+{url}@{branch}"'''


def for_colab(notebook, url, branch):
    """Return a notebook with the cell that installs the package put in front."""
    copy = nbformat.from_dict(notebook)
    # Without --no-deps Colab would change its own numpy while it is loaded.
    cell = nbformat.v4.new_code_cell(CELL.format(url=url, branch=branch), id="colab-install")
    copy.cells.insert(0, cell)
    return copy


def write_copies(course, folder):
    """Write the copies of all chapters and exercises into a folder; return how many.

    Raises: ValueError if _config.yml names no repository.
    """
    url, branch = repository(course.root)
    if not url:
        raise ValueError("_config.yml names no repository: set 'url' below 'repository' first")
    paths = [path for path in course.stored() if path.relative_to(course.root).parts[0] in KINDS]
    for path in paths:
        target = Path(folder, course.relative(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        notebook = nbformat.read(path, as_version=4)
        nbformat.write(for_colab(notebook, url, branch), target)
    return len(paths)


def main(arguments):
    """Write the copies into the folder that the command line names."""
    if len(arguments) != 1:
        sys.exit(__doc__)
    try:
        print(f"{write_copies(HERE, arguments[0])} notebooks for Colab are in {arguments[0]}")
    except ValueError as problem:
        sys.exit(f"tools.learner.colab: {problem}")


if __name__ == "__main__":
    main(sys.argv[1:])
