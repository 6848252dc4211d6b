"""Requests over HTTP with connections that are kept open, and retries where the service asks for them."""

from __future__ import annotations

import gzip
import http.client
import json
import queue
import socket
import ssl
import time
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import urlsplit

from .errors import ApiError, GammawallError, Incomplete, Unreachable, Unreadable, api_error

RETRIED = (429, 503)
BLOCK = 65_536
LONGEST_WAIT = 60.0
"""Seconds. A request whose Retry-After is longer fails at once instead."""


class Response(NamedTuple):
    headers: Mapping[str, str]
    """By names in lower case."""
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise Unreadable("the answer is no JSON") from error


class Transport:
    """Sends requests. May be used from several threads: each request has a connection for itself."""

    def __init__(self, key: Optional[str], timeout: float, retries: int):
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._idle: Dict[Tuple[str, str], "queue.LifoQueue[http.client.HTTPConnection]"] = {}
        self._is_closed = False

    def send(
        self,
        method: str,
        url: str,
        *,
        accept: str = "application/json",
        body: Any = None,
        packed: bool = True,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Response:
        """Sends a request and returns its response. Retries a 429 or 503 after its Retry-After; raises what stays refused.

        `packed` lets the answer be compressed. A service that writes a long answer sends nothing until a block is full then.
        `headers` are sent besides those of every request.
        """
        encoding = "gzip" if packed else "identity"
        sent = {"Accept": accept, "Accept-Encoding": encoding, "User-Agent": "gammawall-python", **(headers or {})}
        if self._key is not None:
            sent["X-Api-Key"] = self._key
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
        for attempt in range(self._retries + 1):
            error = self._try(method, url, sent, content)
            if isinstance(error, Response):
                return error
            wait = self._wait(error)
            if wait is None or attempt == self._retries:
                raise error
            time.sleep(wait)
        raise AssertionError("unreachable")

    def close(self) -> None:
        self._is_closed = True
        for connections in self._idle.values():
            while not connections.empty():
                connections.get().close()

    def _wait(self, error: GammawallError) -> Optional[float]:
        """Seconds until a refused request is sent again; None if it is not."""
        if not isinstance(error, ApiError) or error.status not in RETRIED or error.retry_after is None:
            return None
        return error.retry_after if error.retry_after <= LONGEST_WAIT else None

    def _try(self, method: str, url: str, headers: Mapping[str, str], content: Optional[bytes]):
        """The response, or the error of the refusal. Raises Unreachable if there is none."""
        parts = urlsplit(url)
        path = parts.path + ("?" + parts.query if parts.query else "")
        idle = self._idle.setdefault((parts.scheme, parts.netloc), queue.LifoQueue())
        while True:
            try:
                connection, is_used = idle.get_nowait(), True
            except queue.Empty:
                connection, is_used = self._connection(parts.scheme, parts.netloc), False
            try:
                connection.request(method, path, content, dict(headers))
                raw = connection.getresponse()
            except (http.client.HTTPException, OSError) as error:
                connection.close()
                # A kept connection may have been closed by the other side meanwhile; nothing was answered then.
                if is_used and not isinstance(error, socket.timeout):
                    continue
                raise Unreachable(f"{parts.scheme}://{parts.netloc} does not answer: {error}") from error
            break
        try:
            body = _body_of(raw)
        except GammawallError:
            connection.close()
            raise
        if raw.will_close or self._is_closed:
            connection.close()
        else:
            idle.put(connection)
        found = {name.lower(): value for name, value in raw.getheaders()}
        if found.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if 200 <= raw.status < 300:
            return Response(found, body)
        return api_error(raw.status, found, body)

    def _connection(self, scheme: str, netloc: str) -> http.client.HTTPConnection:
        if scheme == "https":
            return http.client.HTTPSConnection(netloc, timeout=self._timeout, context=ssl.create_default_context())
        return http.client.HTTPConnection(netloc, timeout=self._timeout)


def _body_of(raw: http.client.HTTPResponse) -> bytes:
    """The whole body. Raises Incomplete with what came of it if it breaks off, Unreachable if it stops coming."""
    parts: List[bytes] = []
    try:
        if not raw.chunked:
            return raw.read()
        while True:
            part = raw.read1(BLOCK)
            if not part:
                return b"".join(parts)
            parts.append(part)
    except socket.timeout as error:
        raise Unreachable("the rest of the answer does not come in time") from error
    except (http.client.HTTPException, OSError) as error:
        if isinstance(error, http.client.IncompleteRead):
            parts.append(error.partial)
        raise Incomplete(f"the answer broke off: {error}", b"".join(parts)) from error
