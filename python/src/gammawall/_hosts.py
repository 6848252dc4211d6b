"""Addresses of the service: REST, history and the stream."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import ZoneInfo

Moment = Union[str, date, datetime]
"""A New York moment: a text as the service takes it, a date (its close), a datetime with a zone, or one without as
New York's wall clock."""

Text = Union[str, date, Sequence[str]]
"""What the service takes as text: a text, a date, or several texts, sent with commas between them."""


class Hosts(NamedTuple):
    rest: str
    replay: str
    stream: str
    """Begins with ws: or wss:, without /ws at its end."""


def hosts_of(url: str, replay_url: Optional[str] = None, stream_url: Optional[str] = None) -> Hosts:
    """History and the stream are also reached under the address of REST; give theirs where a proxy knows them by names."""
    stream = _checked(stream_url or url)
    stream = stream[: -len("/ws")] if stream.endswith("/ws") else stream
    return Hosts(_checked(url), _checked(replay_url or url.rstrip("/") + "/replay"), stream.replace("http", "ws", 1))


def address_of(host: str, path: str, parameters: Mapping[str, Any]) -> str:
    """Parameters that the path names fill its places; the others become the query, those of None are left out."""
    query = {}
    for name, value in parameters.items():
        if value is None:
            continue
        place = "{" + name + "}"
        if place in path:
            path = path.replace(place, quote(text_of(value), safe=""))
        else:
            query[name] = text_of(value)
    return host + path + ("?" + urlencode(query) if query else "")


def moment_of(at: Optional[Moment]) -> Optional[str]:
    """A moment as the service takes it: yyyy-MM-ddTHH:mm:ss or yyyy-MM-dd, New York."""
    if isinstance(at, datetime):
        local = at if at.tzinfo is None else at.astimezone(ZoneInfo("America/New_York"))
        return local.strftime("%Y-%m-%dT%H:%M:%S")
    if isinstance(at, date):
        return at.isoformat()
    return at


def text_of(value: Any) -> str:
    """A parameter as the service takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(one) for one in value)
    if isinstance(value, date):
        return moment_of(value) or ""
    return str(value)


def _checked(url: str) -> str:
    if urlsplit(url).scheme not in ("http", "https", "ws", "wss"):
        raise ValueError(f"{url} is no address of a web server")
    return url.rstrip("/")
