"""Visit a page of the book in a browser and note everything that goes wrong on the way."""

import contextlib
import functools
import gzip
import http.server
import io
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

BROWSER_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
LOOKS, LOOK_MS = 30, 100
# The fonts of what is seen are asked for when it is laid out, perhaps after the page is loaded.
AT_REST = """() => new Promise(requestAnimationFrame).then(() => document.fonts.ready)
  .then(() => new Promise(requestAnimationFrame)).then(() => true)"""
NOT_MODIFIED = 304  # the browser asks whether what it has is still good
TEXTS = (".html", ".css", ".js", ".svg")
PACKED = (".woff", ".png", ".webp")  # not made smaller by gzip


@dataclass
class Visit:
    """What happened while a page was open."""

    page: object
    outside: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    responses: list = field(default_factory=list)
    _weights: dict = field(default_factory=dict)

    @property
    def weights(self):
        """Bytes of each of the page's own files, as a server would send them, by address."""
        while self.responses:
            response = self.responses.pop()
            body = response.body()
            packed = urlsplit(response.url).path.endswith(PACKED)
            self._weights[response.url] = len(body if packed else _gzipped(body))
        return self._weights

    @property
    def weight(self):
        """Bytes of the page and of all its own files, as a server would send them."""
        return sum(self.weights.values())


@contextlib.contextmanager
def serve(folder):
    """Serve a folder on a free port of this machine; give its address."""
    handler = functools.partial(_QuietHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # a browser that goes away in the middle of a file
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def visit(browser, address, *, width=1280, height=900, dark=False, scripts=True):
    """Open a page, let it come to rest, and give the Visit.

    A request to another host is noted and refused.
    """
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
    )
    record = Visit(context.new_page())
    home = urlsplit(address)

    def check_host(route):
        target = urlsplit(route.request.url)
        if (target.scheme, target.netloc) == (home.scheme, home.netloc):
            route.continue_()
        else:
            record.outside.append(route.request.url)
            route.abort()

    context.route(lambda url: not url.startswith("data:"), check_host)
    record.page.on("requestfailed", lambda request: record.failed.append(request.url))
    record.page.on("response", lambda response: _note_response(record, response))
    record.page.on("pageerror", lambda error: record.errors.append(str(error)))
    record.page.on("console", lambda message: _note_message(record, message))
    try:
        record.page.goto(address, wait_until="load")
        if scripts:
            record.page.evaluate(AT_REST)
        yield record
    finally:
        context.close()


def eventually(check, where, looks=LOOKS):
    """Return what a check finds once it finds nothing, or after as long as a slow machine needs.

    where: a visit or a locator, which the check is given. looks: how often, at the most.
    """
    for _ in range(looks):
        found = check(where)
        if not found:
            break
        where.page.wait_for_timeout(LOOK_MS)
    return found


@functools.lru_cache(maxsize=256)
def _gzipped(body):
    """Return what a server sends of these bytes; every page brings the same styles and scripts."""
    return gzip.compress(body, 6)


def _note_message(record, message):
    if message.type == "error":
        record.errors.append(message.text)


def _note_response(record, response):
    if response.status >= 400:
        record.failed.append(f"{response.url} ({response.status})")
    elif response.url.startswith("http") and response.status != NOT_MODIFIED:
        record.responses.append(response)


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Sends texts packed, as the hosts of pages do."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        wanted = "gzip" in self.headers.get("Accept-Encoding", "")
        if not (wanted and path.is_file() and path.suffix in TEXTS):
            return super().send_head()
        body = _gzipped(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def log_message(self, *args):
        """Say nothing; the tests say what is wrong."""
