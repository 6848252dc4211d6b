"""Answers over a stretch of time as one table, by a bulk request."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from ._arrays import ARRAYS
from ._hosts import Moment, moment_of, text_of
from ._transport import Response
from .answer import Meta, frame_of, meta_of
from .errors import Incomplete, Unreadable

Every = Literal["1m", "5m", "15m", "30m", "1h", "1d"]
FLAT = "flat"
GROUP = ("at", "symbol")
"""Columns that tell the answer that a row is of."""
CONTRACT = ("expiration", "root", "strike", "right")
RECORDED: Mapping[str, Tuple[str, ...]] = {"series": (), "quotes": CONTRACT}
"""Rows that are recorded rather than answers of an operation, and what tells those of one moment apart."""


class History:
    """Rows of many answers: `symbol`, `at` (the moment that was asked for), `as_of` (the moment described), then the figures."""

    def __init__(self, rows: List[Dict[str, Any]], meta: Meta, key: Sequence[str]):
        self._rows = rows
        self._key = key
        self.meta = meta

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"History({len(self._rows)} rows)"

    def rows(self) -> List[Dict[str, Any]]:
        """The rows, symbols in the order asked for, moments ascending; moments are texts in UTC."""
        return self._rows

    def df(self) -> Any:
        """The rows as a pandas DataFrame, indexed by at, symbol and what tells the rows of an answer apart.

        Moments are in UTC. Needs pandas.
        """
        frame = frame_of(self._rows)
        index = [name for name in (*GROUP, *self._key) if name in frame.columns]
        return frame.set_index(list(dict.fromkeys(index)))


def request_of(
    operation: str,
    symbols: Union[str, Sequence[str]],
    moments: Tuple[Moment, Moment, Every],
    rows: Optional[str] = None,
    fields: Optional[Sequence[str]] = None,
    parents: bool = False,
    params: Optional[Mapping[str, Any]] = None,
) -> Dict[str, Any]:
    """The body of a bulk request."""
    from_, to, every = moments
    body: Dict[str, Any] = {
        "source": operation if operation in RECORDED else "answers",
        "symbols": {"list": [symbols] if isinstance(symbols, str) else list(symbols)},
        "moments": {"from": moment_of(from_), "to": moment_of(to), "every": every},
        "format": "ndjson",
    }
    if operation not in RECORDED:
        name = operation if operation in ARRAYS else operation + ".current"
        paths = [array.path for array in ARRAYS.get(name, ())]
        path = "" if rows == FLAT else next(iter(paths), "") if rows is None else rows
        body["operation"] = name if name in ARRAYS else operation
        body["rows"] = path or None
        body["parents"] = parents
        body["params"] = {name: text_of(value) for name, value in (params or {}).items() if value is not None}
    elif rows is not None or parents or params:
        raise ValueError(f"{operation} has no rows, parents or params to choose")
    if fields is not None:
        body["fields"] = [fields] if isinstance(fields, str) else list(fields)
    return body


def key_of(body: Mapping[str, Any]) -> Sequence[str]:
    """The columns that tell the rows of one answer apart, by the body of a bulk request."""
    if body["source"] in RECORDED:
        return RECORDED[body["source"]]
    keys = [array.key for array in ARRAYS.get(body["operation"], ()) if array.path == (body.get("rows") or "")]
    return [key for key in keys if key is not None]


def history_of(send: Callable[[Mapping[str, Any]], Response], body: Mapping[str, Any]) -> History:
    """Sends a bulk request. If its response breaks off, the rest is asked for once, from the last answer that came."""
    key = key_of(body)
    try:
        response = send(body)
        return History(rows_of(response.body), meta_of(response.headers), key)
    except Incomplete as error:
        rows = rows_of(error.partial[: error.partial.rfind(b"\n") + 1])
        if not rows:
            raise
    # The last answer may have lost some of its rows, so it comes again whole.
    last = {name: rows[-1][name] for name in GROUP}
    kept = [row for row in rows if any(row[name] != last[name] for name in GROUP)]
    response = send({**body, "resume_from": last})
    return History(kept + rows_of(response.body), meta_of(response.headers), key)


def rows_of(body: bytes) -> List[Dict[str, Any]]:
    """The rows of lines that each end with LF. They are read at once, so that all rows share the names of their columns."""
    lines = body.split(b"\n")
    if lines.pop() != b"":
        raise Unreadable("the last row of the answer has no end")
    try:
        rows = json.loads(b"[" + b",".join(lines) + b"]")
    except ValueError as error:
        raise Unreadable("a row of the answer is no JSON") from error
    if not all(isinstance(row, dict) and all(name in row for name in GROUP) for row in rows):
        raise Unreadable("a row of the answer does not say what it is of")
    return rows
