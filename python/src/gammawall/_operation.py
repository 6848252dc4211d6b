"""What the generated operations are made of."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Mapping, NamedTuple, Tuple

from .answer import Answer, RowArray


class Operation(NamedTuple):
    """One operation of the service, as its declaration states it."""

    method: str
    path: str
    replayable: bool
    arrays: Tuple[RowArray, ...] = ()


Call = Callable[[Operation, Mapping[str, Any], Any, Any], Answer]
AsyncCall = Callable[[Operation, Mapping[str, Any], Any, Any], Awaitable[Answer]]


class Group:
    """Operations under one name. `_call` takes the operation, its parameters, the body, and the past moment."""

    def __init__(self, call: Call):
        self._call = call


class AsyncGroup:
    def __init__(self, call: AsyncCall):
        self._call = call
