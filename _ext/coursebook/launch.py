"""Links that open a notebook on Binder or Colab: there once _config.yml names the repository."""

from pathlib import Path
from urllib.parse import quote, urlsplit

import yaml

# Colab opens a single file, so it gets copies that install the course: see tools/learner/colab.py.
COLAB_BRANCH = "colab"
HOSTS = {"github.com": "gh", "gitlab.com": "gl"}  # as Binder calls them


def setup(app):
    """Add the links when a page is written."""
    app.connect("html-page-context", add_links, priority=900)


def add_links(app, pagename, templatename, context, doctree):
    """Give the page of a notebook its links."""
    address, branch = repository(Path(app.srcdir))
    is_notebook = pagename.startswith(("chapters/", "exercises/"))
    shown = address and is_notebook
    context["launch_links"] = links(address, branch, f"{pagename}.ipynb") if shown else []


def repository(root):
    """Return what _config.yml says of the repository: its address, if any, and its branch.

    Read from the file: Jupyter Book passes it on only to the theme's own buttons.
    """
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    known = config.get("repository") or {}
    address = (known.get("url") or "").rstrip("/").removesuffix(".git")
    return address, known.get("branch") or "main"


def links(repository, branch, notebook):
    """Return the names and addresses of what can open a notebook, as pairs.

    repository: such as https://github.com/owner/name. notebook: its path in the repository.
    Raises: ValueError if the address is not of that form.
    """
    parts = urlsplit(repository)
    owner_and_name = parts.path.strip("/")
    if parts.scheme != "https" or parts.netloc not in HOSTS or owner_and_name.count("/") != 1:
        raise ValueError(
            f"_config.yml: repository url is {repository!r}: expected "
            f"https://HOST/OWNER/NAME with one of the hosts {', '.join(HOSTS)}"
        )
    host = HOSTS[parts.netloc]
    project = owner_and_name if host == "gh" else quote(owner_and_name, safe="")
    file = quote(f"lab/tree/{notebook}", safe="")
    binder = f"https://mybinder.org/v2/{host}/{project}/{quote(branch, safe='')}?urlpath={file}"
    found = [("Binder", binder)]
    if host == "gh":
        colab = f"https://colab.research.google.com/github/{owner_and_name}/blob/{COLAB_BRANCH}/"
        found.append(("Colab", colab + quote(notebook)))
    return found
