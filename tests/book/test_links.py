"""Every link inside the book leads to a page, a file, a place that is there."""

import http.server
import threading

import pytest

from tools.gates import links

PAGE = '<h1 id="here">A page</h1><a href="{}">go</a>'


@pytest.fixture
def small_book(tmp_path):
    """Return a function that writes a book of two pages, of which the first has one link."""

    def write(link):
        (tmp_path / "a.html").write_text(PAGE.format(link), encoding="utf-8")
        (tmp_path / "part").mkdir()
        (tmp_path / "part" / "b.html").write_text(PAGE.format("../a.html#here"), encoding="utf-8")
        (tmp_path / "drawing.svg").write_text("<svg/>", encoding="utf-8")
        return tmp_path

    return write


def test_every_link_of_the_book_leads_somewhere(book):
    assert links.broken_links(book) == []


@pytest.mark.parametrize(
    "link",
    ["part/b.html#here", "#here", "#", "#top", "drawing.svg", "part/b.html?q=1", "https://x.org/y",
     "mailto:a@b.org", "data:image/png,1"],
)  # fmt: skip
def test_good_link_is_accepted(small_book, link):
    assert links.broken_links(small_book(link)) == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("c.html", "a.html: c.html names a file that is not there"),
        ("part", "a.html: part names a file that is not there"),
        ("lost.svg", "a.html: lost.svg names a file that is not there"),
        ("#there", "a.html: #there names a place that is not on the page"),
        ("part/b.html#there", "a.html: part/b.html#there names a place that is not on the page"),
    ],
)
def test_bad_link_is_named(small_book, link, message):
    assert links.broken_links(small_book(link)) == [message]


def test_empty_folder_is_no_book(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no page"):
        links.broken_links(tmp_path)


@pytest.mark.parametrize("arguments", [[], ["--external"]])
def test_command_before_a_build_says_what_to_do(tmp_path, capsys, arguments):
    with pytest.raises(SystemExit, match=r"^tools.gates.links: .* run 'python3 course.py book'"):
        links.main(arguments, tmp_path / "not_built")
    assert capsys.readouterr().out == ""


def test_external_links_are_listed_once(small_book):
    book = small_book("https://x.org/y#z")
    assert links.external_links(book) == {"https://x.org/y": "a.html"}


class OneByOne(http.server.BaseHTTPRequestHandler):
    """Answers with the number that is the path."""

    def do_GET(self):  # noqa: N802
        self.send_response(int(self.path.strip("/")))
        self.end_headers()

    def log_message(self, *args):
        """Say nothing."""


@pytest.mark.parametrize(("status", "wrong"), [(200, None), (404, "answers 404"), (403, None)])
def test_answers_of_other_hosts(status, wrong):
    server = http.server.HTTPServer(("127.0.0.1", 0), OneByOne)
    threading.Thread(target=server.handle_request, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{status}"
    assert links.answer(address) == wrong
    server.server_close()
    assert "does not answer" in links.answer(address)
