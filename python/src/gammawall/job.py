"""Bulk jobs: answers over a stretch of time that the service writes into files, and that are fetched later."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from ._transport import Response, Transport
from .answer import meta_of
from .errors import GammawallError, Incomplete, Unreachable, Unreadable
from .history import History, key_of, rows_of

UNFINISHED = ("waiting", "running")
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 15.0
"""Seconds between two looks at a job; each counts as one request of the quota."""
BLOCK = 8 * 2**20
TRIES = 5
"""How often in a row a part is asked for again without a further byte of it."""


class JobFailed(GammawallError):
    """A job has ended without all of its answers; `state` says how: failed, cancelled or expired."""

    def __init__(self, state: str, message: Optional[str]):
        super().__init__(f"the job is {state}" + (f": {message}" if message else ""))
        self.state = state


class Progress(NamedTuple):
    """How far a job is."""

    state: str
    """waiting, running, done, failed, cancelled or expired."""
    total: int
    answered: int
    absent: int
    """Those that have no answer."""
    parts: int
    """Files that are finished."""


class Job:
    """A bulk job. Its answers can be fetched once it is done; `id` finds it again by `client.job(id)`."""

    def __init__(self, transport: Transport, url: str, told: Mapping[str, Any]):
        self._transport = transport
        self._url = url
        self._told = told

    @property
    def id(self) -> str:
        return str(self._told["id"])

    @property
    def state(self) -> str:
        """What it was when the service was asked last."""
        return str(self._told["state"])

    @property
    def data(self) -> Mapping[str, Any]:
        """What the service said of the job when it was asked last."""
        return self._told

    @property
    def progress(self) -> Progress:
        groups = self._told["groups"]
        return Progress(self.state, groups["total"], groups["answered"], groups["absent"], len(self._told["parts"]))

    def __repr__(self) -> str:
        return f"Job({self.id!r}, {self.state})"

    def look(self) -> Progress:
        """Asks the service how far the job is."""
        self._told = self._transport.send("GET", self._address()).json()
        return self.progress

    def wait(self, progress: Optional[Callable[[Progress], Any]] = None, timeout: Optional[float] = None) -> "Job":
        """Waits until the job is done, and calls `progress` whenever it has moved.

        Raises JobFailed if it ended otherwise, TimeoutError after `timeout` seconds; the job goes on then.
        """
        for pause in _pauses(self, progress, timeout):
            time.sleep(pause)
            self.look()
        return self

    def cancel(self) -> Progress:
        """Ends the job and removes its files. What was not tried is given back to the quota."""
        self._told = self._transport.send("DELETE", self._address()).json()
        return self.progress

    def save(self, folder: "Union[str, os.PathLike[str]]") -> List[Path]:
        """Writes the finished files into a folder and returns their paths, in order.

        A file that is there whole is not fetched again, and one that broke off is continued, in a later run too.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        ending = self._told["request"].get("format", "ndjson")
        paths = [target / f"{self.id}-{part['part']:05d}.{ending}" for part in self._told["parts"]]
        for part, path in zip(self._told["parts"], paths):
            if not path.exists() or _hash_of(path) != part["sha256"]:
                self._fetch(part, path)
        return paths

    def history(self) -> History:
        """The rows of all finished files, as those of `client.history`. Needs a job in ndjson, the usual format."""
        ending = self._told["request"].get("format", "ndjson")
        if ending != "ndjson":
            raise ValueError(f"the files of the job are {ending}: save() writes them into a folder")
        rows: List[Dict[str, Any]] = []
        headers: Mapping[str, str] = {}
        for part in self._told["parts"]:
            body = b""
            for response in self._blocks(part, 0):
                body += response.body
                headers = response.headers
            _check(hashlib.sha256(body).hexdigest(), part)
            rows += rows_of(body)
        return History(rows, meta_of(headers), key_of(self._told["request"]))

    def rows(self) -> List[Dict[str, Any]]:
        """The rows of all finished files."""
        return self.history().rows()

    def df(self) -> Any:
        """The rows as one pandas DataFrame, indexed as that of `client.history`. Needs pandas."""
        return self.history().df()

    def _address(self, more: str = "") -> str:
        return f"{self._url}/v1/bulk/jobs/{self.id}{more}"

    def _fetch(self, part: Mapping[str, Any], path: Path) -> None:
        partial = path.with_name(path.name + ".part")
        with partial.open("ab") as file:
            if file.tell() > part["bytes"]:
                file.truncate(0)
            for response in self._blocks(part, file.tell()):
                file.write(response.body)
        try:
            _check(_hash_of(partial), part)
        except Unreadable:
            partial.unlink()
            raise
        os.replace(partial, path)

    def _blocks(self, part: Mapping[str, Any], held: int) -> Iterator[Response]:
        """The bytes of a part behind those that are held, in ranges. What breaks off is asked for again from there."""
        tries = 0
        while held < part["bytes"]:
            try:
                response = self._range(part, held)
            except Incomplete as error:
                response = Response({}, error.partial)
                if not error.partial:
                    tries = _next_try(tries, error)
                    continue
            except Unreachable as error:
                tries = _next_try(tries, error)
                continue
            tries = 0
            held += len(response.body)
            yield response

    def _range(self, part: Mapping[str, Any], held: int) -> Response:
        last = min(held + BLOCK, part["bytes"]) - 1
        headers = {"Range": f"bytes={held}-{last}", "If-Range": f'"{part["sha256"]}"'}
        address = self._address(f"/parts/{part['part']}")
        response = self._transport.send("GET", address, accept="*/*", packed=False, headers=headers)
        if "content-range" not in response.headers and held > 0:
            raise Unreadable("the service gave another file than the job lists")
        return response


class AsyncJob:
    """The same, awaited."""

    def __init__(self, job: Job):
        self._job = job

    @property
    def id(self) -> str:
        return self._job.id

    @property
    def state(self) -> str:
        return self._job.state

    @property
    def data(self) -> Mapping[str, Any]:
        return self._job.data

    @property
    def progress(self) -> Progress:
        return self._job.progress

    def __repr__(self) -> str:
        return f"Async{self._job!r}"

    async def look(self) -> Progress:
        return await asyncio.to_thread(self._job.look)

    async def wait(
        self, progress: Optional[Callable[[Progress], Any]] = None, timeout: Optional[float] = None
    ) -> "AsyncJob":
        for pause in _pauses(self._job, progress, timeout):
            await asyncio.sleep(pause)
            await self.look()
        return self

    async def cancel(self) -> Progress:
        return await asyncio.to_thread(self._job.cancel)

    async def save(self, folder: "Union[str, os.PathLike[str]]") -> List[Path]:
        return await asyncio.to_thread(self._job.save, folder)

    async def history(self) -> History:
        return await asyncio.to_thread(self._job.history)

    async def rows(self) -> List[Dict[str, Any]]:
        return await asyncio.to_thread(self._job.rows)

    async def df(self) -> Any:
        return await asyncio.to_thread(self._job.df)


def started(transport: Transport, url: str, body: Mapping[str, Any]) -> Job:
    """Begins a job. A request whose answer is lost is sent once more, by its key without beginning another job."""

    def send() -> Job:
        response = transport.send("POST", url + "/v1/bulk/jobs", body={"request": body}, headers={"Idempotency-Key": key})
        return Job(transport, url, response.json())

    key = uuid.uuid4().hex
    try:
        return send()
    except Unreachable:
        return send()


def found(transport: Transport, url: str, id: str) -> Job:
    """A job that was begun before."""
    return Job(transport, url, transport.send("GET", f"{url}/v1/bulk/jobs/{id}").json())


def listed(transport: Transport, url: str) -> Sequence[Job]:
    """The jobs of the caller, the newest first."""
    jobs = transport.send("GET", url + "/v1/bulk/jobs").json()["jobs"]
    return [Job(transport, url, told) for told in jobs]


def _pauses(
    job: Job, progress: Optional[Callable[[Progress], Any]], timeout: Optional[float]
) -> Iterator[float]:
    """Seconds to wait before each look at a job until it is done."""
    end = None if timeout is None else time.monotonic() + timeout
    pause = FIRST_PAUSE
    shown: Optional[Progress] = None
    while True:
        if progress is not None and job.progress != shown:
            progress(job.progress)
        shown = job.progress
        if job.state not in UNFINISHED:
            break
        if end is not None and time.monotonic() + pause > end:
            raise TimeoutError(f"the job {job.id} is not done after {timeout} s; it goes on")
        yield pause
        pause = min(1.5 * pause, LONGEST_PAUSE)
    if job.state != "done":
        raise JobFailed(job.state, job.data.get("message"))


def _next_try(tries: int, error: Unreachable) -> int:
    if tries + 1 >= TRIES:
        raise error
    return tries + 1


def _check(sha256: str, part: Mapping[str, Any]) -> None:
    if sha256 != part["sha256"]:
        raise Unreadable(f"part {part['part']} of the job does not have the content that the service lists")


def _hash_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(BLOCK), b""):
            digest.update(block)
    return digest.hexdigest()
