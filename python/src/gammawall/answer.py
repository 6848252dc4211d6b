"""What a request returns: the JSON of the service, its rows as tables, and the facts in its headers."""

from __future__ import annotations

import math
from typing import Any, Dict, Generic, Iterator, List, Mapping, NamedTuple, Optional, TypeVar

T = TypeVar("T")


class Meta(NamedTuple):
    """The facts in the headers of an answer."""

    age: Optional[float]
    """Seconds since the oldest market data behind the answer; None without market data."""
    stale: bool
    """Whether the data is older than its source promises."""
    quality: Optional[float]
    """Score of the option chain, 0 to 100, as /v1/quality gives it; None without a chain."""
    source: Optional[str]
    """Where the data comes from; `synthetic` is a simulated market."""
    flow_source: Optional[str]
    """Where the prints come from: recorded, inferred, synthetic or none; None where none are read."""
    replay_as_of: Optional[str]
    """Time of the oldest snapshot behind an answer about the past, New York; None for the present."""
    imported: bool
    """Whether a snapshot behind an answer about the past was imported rather than recorded."""
    remaining: Optional[float]
    """Requests left today, infinite without a limit; None for a request that was not counted."""
    headers: Mapping[str, str]
    """All headers, by names in lower case."""


class RowArray(NamedTuple):
    """An array of objects in an answer, and which field tells its elements apart."""

    path: str
    """Names joined by dots; empty where the answer itself is the array."""
    key: Optional[str]


class Answer(Generic[T]):
    """An answer. Read it like the dictionary (or list) that the service sent; `data` is that value with its type."""

    def __init__(self, data: T, meta: Meta, arrays: "tuple[RowArray, ...]" = ()):
        self.data = data
        self.meta = meta
        self._arrays = arrays

    def __getitem__(self, name: Any) -> Any:
        return self.data[name]  # type: ignore[index]

    def __contains__(self, name: object) -> bool:
        return name in self.data  # type: ignore[operator]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)  # type: ignore[call-overload]

    def __len__(self) -> int:
        return len(self.data)  # type: ignore[arg-type]

    def get(self, name: str, default: Any = None) -> Any:
        return self.data.get(name, default)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"Answer({self.data!r})"

    def rows(self, name: Optional[str] = None) -> List[Dict[str, Any]]:
        """The rows of an array of the answer, nested fields joined by dots.

        `name` says which array where there are several: its path, such as "strikes". The main one is the default.
        Raises ValueError where the answer has no such array.
        """
        return [_flat(row) for row in self._found(self._array(name))]

    def df(self, name: Optional[str] = None) -> Any:
        """The rows as a pandas DataFrame, indexed by the field that tells them apart. Needs pandas."""
        array = self._array(name)
        frame = frame_of([_flat(row) for row in self._found(array)])
        return frame.set_index(array.key) if array.key is not None and array.key in frame.columns else frame

    def polars(self, name: Optional[str] = None) -> Any:
        """The rows as a polars DataFrame. Needs polars."""
        import polars

        return polars.DataFrame(self.rows(name))

    def _array(self, name: Optional[str]) -> RowArray:
        if _is_columns(self.data) and name is None:
            return RowArray("", "t")
        if name is None:
            if not self._arrays:
                raise ValueError("this answer has no rows")
            return self._arrays[0]
        for array in self._arrays:
            if array.path == name:
                return array
        known = ", ".join(array.path for array in self._arrays) or "none"
        raise ValueError(f"this answer has no rows {name}; it has: {known}")

    def _found(self, array: RowArray) -> List[Mapping[str, Any]]:
        if _is_columns(self.data):
            return _rows_of_columns(self.data)
        found: Any = self.data
        for name in array.path.split(".") if array.path else []:
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return [found]
        return found if isinstance(found, list) else []


def frame_of(rows: List[Dict[str, Any]]) -> Any:
    """Rows as a pandas DataFrame, columns of moments in UTC as such. Needs pandas."""
    import pandas

    frame = pandas.DataFrame(rows)
    for column in frame.columns:
        if _holds_moments(frame[column]):
            frame[column] = pandas.to_datetime(frame[column], utc=True)
    return frame


def meta_of(headers: Mapping[str, str]) -> Meta:
    """`headers` by names in lower case."""
    return Meta(
        age=_number(headers.get("x-data-age")),
        stale=headers.get("x-data-stale") == "true",
        quality=_number(headers.get("x-data-quality")),
        source=headers.get("x-data-source"),
        flow_source=headers.get("x-flow-source"),
        replay_as_of=headers.get("x-replay-as-of"),
        imported=headers.get("x-replay-fidelity") == "imported",
        remaining=_number(headers.get("x-ratelimit-remaining")),
        headers=headers,
    )


def _number(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    if text == "unlimited":
        return math.inf
    try:
        return float(text)
    except ValueError:
        return None


def _flat(row: Any, before: str = "") -> Dict[str, Any]:
    if not isinstance(row, dict):
        return {"value": row}
    fields: Dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            fields.update(_flat(value, f"{before}{name}."))
        else:
            fields[before + name] = value
    return fields


def _is_columns(data: Any) -> bool:
    """Whether an answer holds columns over moments, as /v1/series does."""
    return isinstance(data, dict) and isinstance(data.get("columns"), dict) and isinstance(data.get("t"), list)


def _rows_of_columns(data: Any) -> List[Mapping[str, Any]]:
    names = list(data["columns"])
    values = zip(data["t"], *(data["columns"][name] for name in names))
    return [dict(zip(["t", *names], row)) for row in values]


def _holds_moments(column: Any) -> bool:
    """Whether all values of a column of texts are moments in UTC."""
    texts = [value for value in column if value is not None]
    return bool(texts) and all(
        isinstance(value, str) and len(value) >= 20 and value[4] == "-" and value[10] == "T" and value.endswith("Z")
        for value in texts
    )
