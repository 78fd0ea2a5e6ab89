"""Ask a real language model, if the reader has one: any OpenAI-compatible chat endpoint.

Three environment variables say which; nothing is sent anywhere without the first two.

    COURSE_LLM_URL    its address, as in http://localhost:8080/v1
    COURSE_LLM_MODEL  the name of the model
    COURSE_LLM_KEY    its key, if it wants one
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus

PATH = "/chat/completions"
LONGEST = 1_000_000  # bytes of an answer
WHAT_TO_DO = {
    401: "check COURSE_LLM_KEY",
    403: "check COURSE_LLM_KEY",
    404: "check COURSE_LLM_URL and COURSE_LLM_MODEL",
    429: "too many questions, wait a little",
}


@dataclass(frozen=True)
class Reply:
    """What came of a question. text: the answer if ok, else one sentence that says what failed."""

    ok: bool
    text: str

    def __str__(self):
        return self.text


class EndpointError(Exception):
    """One sentence about what went wrong on the way to an answer."""


def ask(prompt: str, *, timeout: float = 30) -> Reply:
    """Return the model's reply to a prompt, at temperature 0.

    Whatever the endpoint does, this raises nothing, so that a notebook goes on: without
    the variables, and after any failure, the reply is one sentence that says so. The key
    stands in no reply.

    timeout: seconds for the whole answer.
    Returns: :class:`Reply`; printed, it is its text.
    Raises: TypeError if prompt is no string, ValueError for a timeout that is not above 0.
    """
    if not isinstance(prompt, str):
        raise TypeError(f"prompt is {prompt!r}: expected a string")
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout}: expected seconds above 0")
    url, model, key = (
        os.environ.get(f"COURSE_LLM_{name}", "").strip() for name in ("URL", "MODEL", "KEY")
    )
    try:
        body = _send(_request(prompt, url, model, key), timeout)
        ok, text = True, _content(body)
    except EndpointError as error:
        ok, text = False, str(error)
    return Reply(ok, text.replace(key, "[key]") if key else text)


def _request(prompt, url, model, key):
    """Return the request to send, or say what is wrong with the variables."""
    if not url or not model:
        raise EndpointError(
            "No model was asked: COURSE_LLM_URL and COURSE_LLM_MODEL are not both set, "
            "so read the prompt instead."
        )
    # urllib would open file: and ftp: addresses too.
    if not url.lower().startswith(("http://", "https://")):
        raise EndpointError("COURSE_LLM_URL must begin with http:// or https://.")
    if not (key.isascii() and key.isprintable()):
        raise EndpointError("COURSE_LLM_KEY holds a character that cannot be sent.")
    question = {
        "model": model,
        "messages": [{"role": "user", "content": prompt}],
        "temperature": 0,
    }
    headers = {"Content-Type": "application/json", "User-Agent": "attention-course"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    address = url.rstrip("/").removesuffix(PATH) + PATH
    try:
        return urllib.request.Request(address, json.dumps(question).encode(), headers)
    except ValueError:
        raise EndpointError("COURSE_LLM_URL is no address.") from None


def _send(request, timeout):
    """Return the bytes of the answer, or say why there are none."""
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(request, timeout=timeout) as response:
            return _read(response, time.monotonic() + timeout)
    except urllib.error.HTTPError as error:
        error.close()
        raise EndpointError(_http_error(error.code)) from None
    except urllib.error.URLError as error:
        reason = error.reason
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = error
    if isinstance(reason, TimeoutError):
        raise EndpointError(f"The endpoint did not answer within {timeout:g} s.")
    # The reason's own words may hold the address, and a key in it: its name is enough.
    kind = type(reason).__name__ if isinstance(reason, Exception) else "no host"
    raise EndpointError(f"The endpoint cannot be reached ({kind}).")


def _read(response, deadline):
    """Return the body. The socket's own time-out is for each piece, this one for the whole."""
    pieces, n_bytes = [], 0
    while piece := response.read1(65_536):
        pieces.append(piece)
        n_bytes += len(piece)
        if time.monotonic() > deadline:
            raise TimeoutError
        if n_bytes > LONGEST:
            raise EndpointError(f"The endpoint's answer is longer than {LONGEST:,} bytes.")
    return b"".join(pieces)


def _http_error(code):
    """Return the sentence for an HTTP status, in the words of the standard, not the server's."""
    phrase = f", {HTTPStatus(code).phrase}" if code in set(HTTPStatus) else ""
    advice = f": {WHAT_TO_DO[code]}" if code in WHAT_TO_DO else ""
    return f"The endpoint answered with HTTP error {code}{phrase}{advice}."


def _content(body):
    """Return the text of the answer in the body of the endpoint's reply."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise EndpointError("The endpoint's answer is not JSON.") from None
    try:
        content = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        content = None
    if not isinstance(content, str):
        raise EndpointError("The endpoint's JSON holds no choices[0].message.content with a text.")
    if not content.strip():
        raise EndpointError("The endpoint's answer is empty.")
    return content.strip()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuse to follow: urllib would carry the key along to another host."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None
