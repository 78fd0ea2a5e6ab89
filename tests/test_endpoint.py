"""casebook.endpoint against a stub of a server: what it says, and what it never says."""

import json
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from casebook.endpoint import LONGEST, ask

KEY = "sk-very-secret-0123"
GOOD = {"choices": [{"message": {"role": "assistant", "content": " The first boat is at 7:25.\n"}}]}


class Stub(BaseHTTPRequestHandler):
    """Answers as its server was told: ``server.answer(handler)``; remembers what was asked."""

    def do_POST(self):  # noqa: N802  (http.server calls it so)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, dict(self.headers), json.loads(body)))
        self.server.answer(self)

    def log_message(self, *_):
        """Stay silent."""


def reply(status=200, body=b"", headers=()):
    """Return an answer for the stub: a status line, headers and a body."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler):
        handler.send_response(status, "reason of the server with " + KEY)
        for name, value in headers:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


@contextmanager
def serving(answer):
    """Run a stub in a thread; gives the server, whose ``asked`` holds the requests."""
    server = HTTPServer(("127.0.0.1", 0), Stub)
    server.answer, server.asked = answer, []
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def course(monkeypatch):
    """Give a function that sets the three variables."""
    monkeypatch.setenv("NO_PROXY", "*")

    def set_variables(**values):
        for name in ("URL", "MODEL", "KEY"):
            value = values.get(name)
            if value is None:
                monkeypatch.delenv(f"COURSE_LLM_{name}", raising=False)
            else:
                monkeypatch.setenv(f"COURSE_LLM_{name}", value)

    return set_variables


@pytest.fixture
def asked_of(course):
    """Give a function that asks a stub with this answer, and checks that the key is not told."""

    def ask_it(answer, path="/v1", **options):
        with serving(answer) as server:
            course(URL=f"http://127.0.0.1:{server.server_port}{path}", MODEL="m", KEY=KEY)
            got = ask("When?", **options)
        assert KEY not in str(got) + repr(got)
        return got, server.asked

    return ask_it


# A good answer


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/chat/completions"])
def test_a_good_answer_is_given_and_the_question_has_the_common_form(asked_of, path):
    got, asked = asked_of(reply(body=GOOD), path)
    assert got.ok and str(got) == got.text == "The first boat is at 7:25."
    ((address, headers, body),) = asked
    assert address == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Content-Type"] == "application/json"
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "When?"}],
        "temperature": 0,
    }


def test_chinese_goes_and_comes_whole(course):
    content = {"choices": [{"message": {"content": "七點二十五分"}}]}
    with serving(reply(body=content)) as server:
        course(URL=f"http://127.0.0.1:{server.server_port}", MODEL="m")
        assert ask("第一班幾點？").text == "七點二十五分"
    ((_, headers, body),) = server.asked
    assert body["messages"][0]["content"] == "第一班幾點？"
    assert "Authorization" not in headers  # no key, no header


def test_a_key_that_the_model_repeats_is_struck_out(asked_of):
    echo = {"choices": [{"message": {"content": f"Your key is {KEY}."}}]}
    got, _ = asked_of(reply(body=echo))
    assert got.ok and got.text == "Your key is [key]."


# Without the variables


@pytest.mark.parametrize(
    "values", [{}, {"URL": "http://127.0.0.1:9"}, {"MODEL": "m"}, {"URL": " ", "MODEL": "m"}]
)
def test_without_the_variables_one_sentence_says_so(course, values):
    course(**values, KEY=KEY)
    got = ask("When?")
    assert not got.ok and KEY not in got.text
    assert got.text.startswith("No model was asked: COURSE_LLM_URL and COURSE_LLM_MODEL are not")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"URL": "file:///etc/hosts"}, "COURSE_LLM_URL must begin with http:// or https://."),
        ({"URL": "localhost:8080/v1"}, "COURSE_LLM_URL must begin with http:// or https://."),
        ({"URL": "http://[::1"}, "COURSE_LLM_URL is no address."),
        ({"URL": "http:///v1"}, "The endpoint cannot be reached (no host)."),
        ({"URL": "http://127.0.0.1:8o80/v1"}, "The endpoint cannot be reached (InvalidURL)."),
        ({"URL": "http://a host/v1"}, "The endpoint cannot be reached (InvalidURL)."),
        ({"KEY": KEY + "\nX: y"}, "COURSE_LLM_KEY holds a character that cannot be sent."),
        ({"KEY": KEY + "é"}, "COURSE_LLM_KEY holds a character that cannot be sent."),
    ],
)
def test_bad_variables_are_named_and_nothing_is_sent(course, values, sentence):
    course(**{"URL": "http://127.0.0.1:9", "MODEL": "m", "KEY": KEY} | values)
    got = ask("When?")
    assert (got.ok, got.text) == (False, sentence)


# Failures on the way


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (500, "The endpoint answered with HTTP error 500, Internal Server Error."),
        (401, "The endpoint answered with HTTP error 401, Unauthorized: check COURSE_LLM_KEY."),
        (404, "HTTP error 404, Not Found: check COURSE_LLM_URL and COURSE_LLM_MODEL."),
        (429, "HTTP error 429, Too Many Requests: too many questions, wait a little."),
        (599, "The endpoint answered with HTTP error 599."),
    ],
)
def test_an_http_error_says_its_number_in_the_words_of_the_standard(asked_of, status, sentence):
    got, _ = asked_of(reply(status, {"error": f"wrong key {KEY}"}))
    assert not got.ok and got.text.endswith(sentence)


def test_a_redirect_is_not_followed_since_it_would_carry_the_key_along(asked_of):
    with serving(reply(body=GOOD)) as elsewhere:
        target = f"http://127.0.0.1:{elsewhere.server_port}/v1/chat/completions"
        for status in (302, 307):
            got, _ = asked_of(reply(status, headers=[("Location", target)]))
            assert not got.ok and f"HTTP error {status}" in got.text
    assert elsewhere.asked == []


def test_no_answer_in_time_says_how_long_it_waited(asked_of):
    release = threading.Event()
    start = time.monotonic()
    got, _ = asked_of(lambda handler: release.wait(0.6), timeout=0.2)
    assert (got.ok, got.text) == (False, "The endpoint did not answer within 0.2 s.")
    assert time.monotonic() - start < 5


def test_an_answer_that_trickles_is_ended_too(asked_of):
    def trickle(handler):
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(100):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass  # the other side has gone

    start = time.monotonic()
    got, _ = asked_of(trickle, timeout=0.3)
    assert got.text == "The endpoint did not answer within 0.3 s."
    assert time.monotonic() - start < 4


def test_a_refused_connection_is_named(course):
    with serving(reply()) as server:
        port = server.server_port
    course(URL=f"http://127.0.0.1:{port}/v1", MODEL="m", KEY=KEY)  # nobody listens any more
    got = ask("When?")
    assert not got.ok and got.text == "The endpoint cannot be reached (ConnectionRefusedError)."


def test_a_connection_that_breaks_is_named(asked_of):
    got, _ = asked_of(lambda handler: None)  # closes without a word
    assert not got.ok and got.text == "The endpoint cannot be reached (RemoteDisconnected)."


@pytest.mark.parametrize(
    "body", [b"<html>busy</html>", b"", b'{"choices": [', b"\xff\xfe", b"[" * 100_000]
)
def test_malformed_json_is_named(asked_of, body):
    got, _ = asked_of(reply(body=body))
    assert (got.ok, got.text) == (False, "The endpoint's answer is not JSON.")


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        7,
        "text",
        {"choices": []},
        {"choices": {"0": 1}},
        {"choices": [{"text": "older form"}]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": None}}]},
        {"choices": [{"message": {"content": [{"text": "in parts"}]}}]},
        {"error": KEY},
    ],
)
def test_json_of_another_form_is_named(asked_of, body):
    got, _ = asked_of(reply(body=body))
    sentence = "The endpoint's JSON holds no choices[0].message.content with a text."
    assert (got.ok, got.text) == (False, sentence)


def test_an_empty_answer_is_named(asked_of):
    got, _ = asked_of(reply(body={"choices": [{"message": {"content": " \n"}}]}))
    assert (got.ok, got.text) == (False, "The endpoint's answer is empty.")


def test_an_endless_answer_is_cut_off(asked_of):
    got, _ = asked_of(reply(body=b" " * (LONGEST + 100_000)))
    assert (got.ok, got.text) == (False, "The endpoint's answer is longer than 1,000,000 bytes.")


# What the caller does wrong


def test_a_prompt_that_is_no_string_is_refused():
    with pytest.raises(TypeError, match=r"prompt is \['When\?'\]: expected a string"):
        ask(["When?"])


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_timeout_that_is_no_time_is_refused(timeout):
    with pytest.raises(ValueError, match="timeout is .*: expected seconds above 0"):
        ask("When?", timeout=timeout)


def test_it_can_be_imported_where_there_are_no_sockets_with_tls():
    """In a browser Python has no ssl, and asking fails with a sentence."""
    program = (
        "import sys, os; sys.modules['ssl'] = None; sys.modules['_ssl'] = None\n"
        "from casebook.endpoint import ask\n"
        "os.environ.update(COURSE_LLM_URL='https://127.0.0.1:9', COURSE_LLM_MODEL='m')\n"
        "print(ask('When?'))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert result.stderr == ""
    assert result.stdout.startswith("The endpoint cannot be reached (")
