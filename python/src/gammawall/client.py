"""The client: one object with a method for every operation of the service."""

from __future__ import annotations

import asyncio
import os
from datetime import date, datetime
from typing import Any, Awaitable, Callable, List, Literal, Mapping, Optional, Sequence, Union

from ._async_operations import AsyncOperations
from ._hosts import Hosts, Moment, address_of, hosts_of, moment_of
from ._operation import Operation
from ._operations import Operations
from ._transport import Response, Transport
from .answer import Answer, meta_of
from .errors import NotFound
from .history import Every, History, history_of, request_of
from .job import AsyncJob, Job, found, listed, started
from .moments import days_of, moments_of
from .stream import AsyncStream, Stream, items_of

DEFAULT_URL = "http://127.0.0.1:8080"
RECORDED = Operation("GET", "/v1/series/{symbol}", True)
FIRST_DAY = "2000-01-03"


class Raw:
    """Any path of the service, for what this version of the package does not know yet."""

    def __init__(self, ask: Callable[..., Answer[Any]]):
        self._ask = ask

    def get(self, path: str, *, at: Optional[Moment] = None, **parameters: Any) -> Answer[Any]:
        return self._ask(Operation("GET", path, True), parameters, None, at)

    def post(self, path: str, body: Any) -> Answer[Any]:
        return self._ask(Operation("POST", path, False), {}, body, None)


class Client(Operations):
    """A client of a service. May be used from several threads.

    `url` is the address of the REST interface, by default that in GAMMAWALL_URL, else http://127.0.0.1:8080. History
    and the stream are reached under it too; `replay_url` and `stream_url` name them where a proxy keeps them apart.
    `key` is by default that in GAMMAWALL_KEY. `timeout` is in seconds; `retries` is how often a request that the service asks to
    send again (429 and 503 with Retry-After) is sent again.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 30,
        retries: int = 3,
        replay_url: Optional[str] = None,
        stream_url: Optional[str] = None,
    ):
        self._hosts: Hosts = hosts_of(url or os.environ.get("GAMMAWALL_URL") or DEFAULT_URL, replay_url, stream_url)
        self._transport = Transport(key or os.environ.get("GAMMAWALL_KEY"), timeout, retries)
        self.raw = Raw(self._ask)
        super().__init__(self._ask)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def table(self, path: str, *, at: Optional[Moment] = None, **parameters: Any) -> Any:
        """The rows of an answer as a pyarrow.Table, sent as Arrow. Needs pyarrow."""
        import pyarrow

        host = self._hosts.rest if at is None else self._hosts.replay
        address = address_of(host, path, {**parameters, "at": moment_of(at)})
        response = self._transport.send("GET", address, accept="application/vnd.apache.arrow.stream")
        return pyarrow.ipc.open_stream(response.body).read_all()

    def days(self, symbol: str) -> List[date]:
        """The days of which the archive holds snapshots of a symbol, ascending."""
        return days_of(self._recorded(symbol, every="1h", **{"from": FIRST_DAY}))

    def minutes(self, symbol: str, day: Union[str, date]) -> List[datetime]:
        """The moments of a day that are recorded, New York, ascending; at most one a minute."""
        named = moment_of(day)
        return moments_of(self._recorded(symbol, every="1m", **{"from": named, "to": named}))

    def history(
        self,
        operation: str,
        symbols: Union[str, Sequence[str]],
        from_: Moment,
        to: Moment,
        every: Every = "1d",
        *,
        rows: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        parents: bool = False,
        params: Optional[Mapping[str, Any]] = None,
    ) -> History:
        """Rows of an answer at every recorded step between two moments, by one request:
        `client.history("exposure.gex", "SPY", "2026-07-01", "2026-07-31").df()`.

        `operation` is named like its method; "series" are recorded figures and "quotes" recorded quotes of all contracts.
        `symbols` are one or several. `from_` and `to` are moments in New York, the days
        of dates belong to it whole; `every` is 1m, 5m, 15m, 30m, 1h or 1d. `rows` names the array whose elements are the
        rows, by default that of `Answer.rows()`, "flat" for the figures of the answer itself. `fields` are the columns after
        symbol, at and as_of, in this order. `parents` adds the figures of the answer to its rows, `params` are parameters
        of the operation.

        Each answer counts as one request of the quota. Answers that there are not are left out; NotFound is raised if there
        is none at all. A response that breaks off is continued once, without repeating rows, and then raises Incomplete.
        """
        return history_of(self._bulk, request_of(operation, symbols, (from_, to, every), rows, fields, parents, params))

    def start_job(
        self,
        operation: str,
        symbols: Union[str, Sequence[str]],
        from_: Moment,
        to: Moment,
        every: Every = "1d",
        *,
        rows: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        parents: bool = False,
        params: Optional[Mapping[str, Any]] = None,
        format: Literal["ndjson", "csv", "arrow"] = "ndjson",
    ) -> Job:
        """Has the service write what `history` gives into files, for what one response cannot hold:
        `client.start_job("exposure.gex", symbols, "2025-01-01", "2025-12-31", "5m").wait(print).df()`.

        The arguments are those of `history`. `format` is that of the files; `df` and `rows` need ndjson, `save` takes any.
        """
        wanted = request_of(operation, symbols, (from_, to, every), rows, fields, parents, params)
        return started(self._transport, self._hosts.rest, {**wanted, "format": format})

    def job(self, id: str) -> Job:
        """A job that was begun before, by its id. It outlasts this program and a restart of the service."""
        return found(self._transport, self._hosts.rest, id)

    def jobs(self) -> Sequence[Job]:
        """The jobs that are kept of this user, the newest first."""
        return listed(self._transport, self._hosts.rest)

    def _bulk(self, body: Mapping[str, Any]) -> Response:
        url = self._hosts.rest + "/v1/bulk"
        return self._transport.send("POST", url, accept="application/x-ndjson", body=body, packed=False)

    def _recorded(self, symbol: str, **stretch: Optional[str]) -> List[str]:
        """The recorded moments of a stretch of time; none if nothing was recorded in it."""
        try:
            return self._ask(RECORDED, {"symbol": symbol, "fields": "underlying_price", **stretch}, None, None)["t"]
        except NotFound as error:
            if error.code != "no_data":
                raise
            return []

    def stream(
        self,
        symbols: Union[str, Sequence[str]],
        *metrics: str,
        cadence_ms: int = 1000,
        params: Optional[Mapping[str, Any]] = None,
    ) -> Stream:
        """Updates as they come: `for update in client.stream("SPY", "exposure.gex.net_gex")`. Needs websockets.

        `cadence_ms` is 100 to 60000 between two updates of a metric, or 0 for each time it is made. `params` are those
        of the operation behind the metrics.
        """
        items = items_of(symbols, metrics, cadence_ms, params)
        return Stream(AsyncStream(self._hosts.stream, self._ticket_later, items))

    async def _ticket_later(self) -> str:
        return await asyncio.get_running_loop().run_in_executor(None, self._ticket)

    def _ticket(self) -> str:
        response = self._transport.send("POST", self._hosts.rest + "/v1/stream/ticket")
        return str(response.json()["ticket"])

    def _ask(self, operation: Operation, parameters: Mapping[str, Any], body: Any, at: Optional[Moment]) -> Answer[Any]:
        host = self._hosts.rest if at is None else self._hosts.replay
        address = address_of(host, operation.path, {**parameters, "at": moment_of(at)})
        response = self._transport.send(operation.method, address, body=body)
        is_json = "json" in response.headers.get("content-type", "")
        data = response.json() if is_json else response.body.decode() or None
        return Answer(data, meta_of(response.headers), operation.arrays)


class AsyncRaw:
    """The same, awaited."""

    def __init__(self, ask: Callable[..., Awaitable[Answer[Any]]]):
        self._ask = ask

    async def get(self, path: str, *, at: Optional[Moment] = None, **parameters: Any) -> Answer[Any]:
        return await self._ask(Operation("GET", path, True), parameters, None, at)

    async def post(self, path: str, body: Any) -> Answer[Any]:
        return await self._ask(Operation("POST", path, False), {}, body, None)


class AsyncClient(AsyncOperations):
    """The same client for asyncio: every method that asks the service is awaited. Takes what Client takes.

    The standard library has no HTTP client for asyncio, so requests run in threads.
    """

    def __init__(self, *args: Any, **options: Any):
        self._client = Client(*args, **options)
        self.raw = AsyncRaw(self._ask)
        super().__init__(self._ask)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    async def table(self, *args: Any, **options: Any) -> Any:
        return await asyncio.to_thread(self._client.table, *args, **options)

    async def history(self, *args: Any, **options: Any) -> History:
        """What `Client.history` gives for the same arguments."""
        return await asyncio.to_thread(self._client.history, *args, **options)

    async def start_job(self, *args: Any, **options: Any) -> AsyncJob:
        """What `Client.start_job` begins for the same arguments."""
        return AsyncJob(await asyncio.to_thread(self._client.start_job, *args, **options))

    async def job(self, id: str) -> AsyncJob:
        return AsyncJob(await asyncio.to_thread(self._client.job, id))

    async def jobs(self) -> Sequence[AsyncJob]:
        return [AsyncJob(job) for job in await asyncio.to_thread(self._client.jobs)]

    async def days(self, symbol: str) -> List[date]:
        return await asyncio.to_thread(self._client.days, symbol)

    async def minutes(self, symbol: str, day: Union[str, date]) -> List[datetime]:
        return await asyncio.to_thread(self._client.minutes, symbol, day)

    def stream(
        self,
        symbols: Union[str, Sequence[str]],
        *metrics: str,
        cadence_ms: int = 1000,
        params: Optional[Mapping[str, Any]] = None,
    ) -> AsyncStream:
        """Updates as they come: `async for update in client.stream("SPY", "exposure.gex.net_gex")`."""
        client = self._client
        return AsyncStream(client._hosts.stream, client._ticket_later, items_of(symbols, metrics, cadence_ms, params))

    async def _ask(
        self, operation: Operation, parameters: Mapping[str, Any], body: Any, at: Optional[Moment]
    ) -> Answer[Any]:
        return await asyncio.to_thread(self._client._ask, operation, parameters, body, at)
