"""Follow every link of the built book: each page, file and place it names must be there.

``python -m tools.gates.links`` looks inside the book; with ``--external`` it asks the other
hosts too: run that by hand, since hosts are at times away.
"""

import sys
import urllib.error
import urllib.request
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from tools.pipeline.layout import HERE

BOOK = HERE.root / "_build" / "html"
SECONDS = 20
# Some hosts answer no unknown program; a page that only refuses is not lost.
AGENT = {"User-Agent": "Mozilla/5.0 (link check of a book)"}
REFUSED = {401, 403, 405, 406, 418, 429}


class Page(HTMLParser):
    """The links of a page and the places in it that a link can name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note where an element leads, and what place it makes."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name in ("href", "src"):
                self.links.append(value)


def read_pages(book):
    """Return the pages of a built book by path, without what is kept beside them.

    Raises: FileNotFoundError if there is none.
    """
    paths = [path for path in sorted(book.glob("**/*.html")) if "_static" not in path.parts]
    if not paths:
        raise FileNotFoundError(f"{book} holds no page: run 'python3 course.py book' first")
    return {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in paths}


def broken_links(book):
    """Return a sentence for each link inside the book that leads nowhere."""
    pages = read_pages(book)
    problems = []
    for path, page in pages.items():
        name = path.relative_to(book.resolve()).as_posix()
        for link in dict.fromkeys(page.links):
            if problem := _problem(path, link, pages):
                problems.append(f"{name}: {link} {problem}")
    return problems


def external_links(book):
    """Return the addresses on other hosts, each with the page that names it first."""
    found = {}
    for path, page in read_pages(book).items():
        for link in page.links:
            if link.startswith(("http:", "https:")):
                found.setdefault(urlsplit(link)._replace(fragment="").geturl(), path.name)
    return found


def answer(address):
    """Return what is wrong with an address of another host, or None."""
    request = urllib.request.Request(address, headers=AGENT)
    try:
        urllib.request.urlopen(request, timeout=SECONDS).close()
    except urllib.error.HTTPError as error:
        return None if error.code in REFUSED else f"answers {error.code}"
    except OSError as error:
        return f"does not answer ({getattr(error, 'reason', error)})"
    return None


def _problem(path, link, pages):
    """Return what is wrong with a link that stands in the page at path, or None."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None  # an address elsewhere, a mail, data
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "names a file that is not there"
    page = pages.get(target)
    place = unquote(parts.fragment)
    if page is None or place in page.places:
        return None
    return "names a place that is not on the page"


def main(arguments, book=BOOK):
    """Print the links that lead nowhere, and fail if there are any, or if there is no book."""
    if arguments not in ([], ["--external"]):
        sys.exit(__doc__)
    try:
        problems = broken_links(book)
    except FileNotFoundError as error:
        sys.exit(f"tools.gates.links: {error}")
    if arguments:
        for address, name in external_links(book).items():
            print(f"{address} ...", flush=True)
            if wrong := answer(address):
                problems.append(f"{name}: {address} {wrong}")
    print("\n".join(problems) or "Every link leads somewhere.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
