"""The stream: updates of metrics over WebSocket, kept through lost connections. Needs the package websockets."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from datetime import datetime, timezone
from typing import Any, AsyncGenerator, Awaitable, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import quote

from .errors import ApiError, GammawallError, Unreachable

SUBSCRIBED_AT_ONCE = 100
"""Items of one command, as the service limits them."""
RESUME_WINDOW = 120.0
"""Seconds for which the service keeps the subscriptions of a lost connection."""
HEARTBEAT = 5.0
"""Seconds of silence after which the service sends a heartbeat."""
MISSED = 3
"""Heartbeats missed before a connection counts as lost."""
SLOWEST = 60_000
FINAL = {
    1009: "a frame was too large for the service",
    4401: "the key was revoked",
    4403: "the streaming bundle has ended",
    4410: "another connection took the subscriptions over",
    4429: "the service refused too many commands",
}
TOO_SLOW = 4409


class StreamError(GammawallError):
    """A metric that the service refused, or a stream that it ended for good."""

    def __init__(self, code: str, message: str, detail: Mapping[str, Any]):
        super().__init__(f"{message} ({code})")
        self.code = code
        self.detail = detail


class Update(NamedTuple):
    symbol: str
    metric: str
    value: Any
    """None is a figure that does not exist at this moment."""
    at: datetime
    """The moment of the data behind the value, UTC."""
    stale: bool
    gap: bool
    """Whether the connection was lost before this update, so that earlier values may be missing."""


class Item(NamedTuple):
    symbol: str
    metric: str
    cadence_ms: int
    params: Mapping[str, Any]


def items_of(
    symbols: Union[str, Sequence[str]], metrics: Sequence[str], cadence_ms: int, params: Optional[Mapping[str, Any]]
) -> List[Item]:
    """One item for each symbol and metric."""
    if not metrics:
        raise ValueError("name at least one metric, such as exposure.gex.net_gex")
    named = [symbols] if isinstance(symbols, str) else list(symbols)
    return [Item(symbol, metric, cadence_ms, dict(params or {})) for symbol in named for metric in metrics]


class AsyncStream:
    """Updates of the wanted items, for `async for`. Each call of `async for` opens a connection of its own.

    A lost connection is opened again, with growing pauses; the first update of an item after that has `gap`. The
    stream carries states: a slow reader gets fewer and newer values.
    """

    def __init__(self, url: str, ticket: Callable[[], Awaitable[str]], items: Sequence[Item]):
        self._url = url
        self._ticket = ticket
        self._items = list(items)

    def __aiter__(self) -> AsyncGenerator[Update, None]:
        return self._updates()

    async def _updates(self) -> AsyncGenerator[Update, None]:
        session = _Session(self._items)
        failures = 0
        while True:
            try:
                address = f"{self._url}/ws?ticket={quote(await self._ticket())}"
                updates = session.updates(address)
                try:
                    async for update in updates:
                        failures = 0
                        yield update
                finally:
                    await updates.aclose()
            except ApiError as error:
                if error.status < 500 and error.status != 429:
                    raise
                pause = max(error.retry_after or 0.0, _pause(failures))
            except Unreachable:
                pause = _pause(failures)
            else:
                pause = session.asked_pause or _pause(failures)
            failures += 1
            await asyncio.sleep(pause)


class _Session:
    """Subscriptions that outlive their connections."""

    def __init__(self, items: Sequence[Item]):
        self._items = list(items)
        self._by_id: Dict[str, Item] = {}
        self._after_gap: "set[Item]" = set()
        self._seen: Dict[str, int] = {}
        self._token: Optional[str] = None
        self._lost_at = 0.0
        self.asked_pause: Optional[float] = None

    async def updates(self, address: str) -> AsyncGenerator[Update, None]:
        """Updates over one connection until it is lost. Raises StreamError where the service ends it for good."""
        import websockets

        self.asked_pause = None
        try:
            async with websockets.connect(address, max_size=1 << 20, close_timeout=1) as socket:
                await self._subscribe(socket)
                while True:
                    text = await asyncio.wait_for(socket.recv(), MISSED * HEARTBEAT)
                    for update in self._arrived(json.loads(text)):
                        yield update
        except websockets.ConnectionClosed as closed:
            self._closed(getattr(closed.rcvd, "code", 1006))
        except (OSError, asyncio.TimeoutError, websockets.InvalidHandshake):
            pass
        self._lost_at = time.monotonic()
        self._after_gap = {_identity(item) for item in self._items}

    async def _subscribe(self, socket: Any) -> None:
        if self._token is not None and time.monotonic() - self._lost_at < RESUME_WINDOW:
            reply = await self._ask(socket, {"action": "resume", "token": self._token})
            if reply["type"] == "ack":
                self._token = reply["resume_token"]
                return
        self._by_id = {}
        self._seen = {}
        for start in range(0, len(self._items), SUBSCRIBED_AT_ONCE):
            items = self._items[start : start + SUBSCRIBED_AT_ONCE]
            wanted = [
                {"symbol": symbol, "metric": metric, "cadence_ms": cadence, "params": params}
                for symbol, metric, cadence, params in items
            ]
            reply = await self._ask(socket, {"action": "subscribe_many", "items": wanted})
            if reply["type"] == "error":
                raise _error_of(reply)
            self._token = reply["resume_token"]
            for result in reply["results"]:
                if "error" in result:
                    raise _error_of(result["error"])
                self._by_id[result["sub_id"]] = items[result["index"]]

    async def _ask(self, socket: Any, command: Mapping[str, Any]) -> Any:
        """Sends a command and returns its reply, which is the next frame with its id."""
        await socket.send(json.dumps({**command, "req_id": command["action"]}))
        while True:
            frame = json.loads(await asyncio.wait_for(socket.recv(), MISSED * HEARTBEAT))
            if frame.get("req_id") == command["action"]:
                return frame

    def _arrived(self, frame: Any) -> Iterator[Update]:
        kind = frame.get("type")
        if kind == "update":
            yield from self._update(frame)
        elif kind == "notice" and frame.get("code") == "draining":
            self.asked_pause = frame.get("reconnect_after_ms", 0) / 1000

    def _update(self, frame: Any) -> Iterator[Update]:
        item = self._by_id.get(frame["sub_id"])
        if item is None:
            return
        repeated = frame.get("snapshot") is True and frame["seq"] <= self._seen.get(frame["sub_id"], -1)
        self._seen[frame["sub_id"]] = frame["seq"]
        if repeated:
            self._after_gap.discard(_identity(item))
            return
        gap = _identity(item) in self._after_gap
        self._after_gap.discard(_identity(item))
        at = datetime.fromtimestamp(frame["ts"] / 1000, timezone.utc)
        yield Update(item.symbol, item.metric, frame["value"], at, frame.get("stale") is True, gap)

    def _closed(self, code: int) -> None:
        if code in FINAL:
            raise StreamError("closed", FINAL[code], {"close_code": code})
        if code == TOO_SLOW:
            self._token = None  # what the service kept has the old intervals
            self._items = [
                item._replace(cadence_ms=min(SLOWEST, max(1000, 2 * item.cadence_ms))) for item in self._items
            ]


class Stream:
    """The same for `for`. The connection lives in a thread of its own and ends with `close` or the end of a `with`."""

    def __init__(self, updates: AsyncStream):
        self._updates = updates
        self._loop = asyncio.new_event_loop()
        self._thread: Optional[threading.Thread] = None
        self._open: Optional[AsyncGenerator[Update, None]] = None

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> Update:
        if self._loop.is_closed():
            raise StopIteration
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
            self._thread.start()
            self._open = self._updates.__aiter__()
        assert self._open is not None
        return self._run(self._open.__anext__())

    def close(self) -> None:
        if self._thread is not None and self._open is not None:
            self._run(self._open.aclose())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._thread = None
        if not self._loop.is_closed():
            self._loop.close()

    def _run(self, awaited: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result()


def _identity(item: Item) -> Any:
    """What stays of an item when its interval is lengthened."""
    return item.symbol, item.metric, json.dumps(item.params, sort_keys=True)


def _pause(failures: int) -> float:
    """Seconds before the next attempt: a random part of 0.5, doubled with each failure up to 30."""
    return random.random() * min(30.0, 0.5 * 2.0 ** min(failures, 10))


def _error_of(frame: Mapping[str, Any]) -> StreamError:
    detail = {name: value for name, value in frame.items() if name not in ("type", "ts", "req_id", "code", "message")}
    return StreamError(str(frame.get("code")), str(frame.get("message")), detail)
