"""Everything that a request can fail with. All errors are a GammawallError."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional


class GammawallError(Exception):
    """Base of all errors of this package."""


class Unreachable(GammawallError):
    """Nothing answered at the address, or not in time."""


class Incomplete(Unreachable):
    """An answer broke off before its end; `partial` is what came of it."""

    def __init__(self, message: str, partial: bytes):
        super().__init__(message)
        self.partial = partial


class Unreadable(GammawallError):
    """Something answered, but not with what this service sends: most likely a proxy or another program."""


class ApiError(GammawallError):
    """The service refused a request.

    `code` is the error code of the service (docs/endpoints.md lists those of each operation), `detail` the further
    fields of its body, `retry_after` the seconds after which a new try makes sense, None where none does.
    """

    def __init__(self, status: int, code: str, message: str, detail: Mapping[str, Any], retry_after: Optional[float]):
        super().__init__(f"{message} ({code}, status {status})")
        self.status = status
        self.code = code
        self.message = message
        self.detail = detail
        self.retry_after = retry_after

    @property
    def request_id(self) -> Optional[str]:
        """Id under which the operator finds this request in the log; only failures of the service have one."""
        return self.detail.get("request_id")


class AuthError(ApiError):
    """The key is missing, unknown or revoked (401)."""


class PlanError(ApiError):
    """The plan of the key does not open this (403)."""

    @property
    def required_plan(self) -> Optional[str]:
        """The least plan that would do."""
        return self.detail.get("required_plan")

    @property
    def current_plan(self) -> Optional[str]:
        return self.detail.get("current_plan")


class BadParameter(ApiError):
    """A parameter or the body cannot be read (400, 413, 414, 422)."""

    @property
    def parameter(self) -> Optional[str]:
        """Name of the parameter that is wrong, where there is one."""
        named = self.detail.get("parameter")
        if named is None and self.code.startswith(("invalid_", "missing_")):
            return self.code.split("_", 1)[1]
        return named


class NotFound(ApiError):
    """The symbol, the contract or the moment is unknown, or too little is known of it (404)."""


class QuotaError(ApiError):
    """The requests of this day are used up (429)."""

    @property
    def reset_at(self) -> Optional[datetime]:
        """When the count starts anew, a moment in UTC."""
        text = self.detail.get("reset_at")
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
        except ValueError:
            return None
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)


class TooManyRequests(ApiError):
    """Too many requests in too short a time (429); `retry_after` says how long to wait."""


class Loading(ApiError):
    """The data is being read; the same request succeeds after `retry_after` seconds (503)."""


class Unavailable(ApiError):
    """The service, or a source of its data, cannot answer now (500 and above)."""


_BY_STATUS = {400: BadParameter, 401: AuthError, 403: PlanError, 404: NotFound, 413: BadParameter, 414: BadParameter, 422: BadParameter}
_LOADING = ("loading", "data_loading")


def api_error(status: int, headers: Mapping[str, str], body: bytes) -> GammawallError:
    """The error of a response that is none of 200 to 299; `headers` by names in lower case."""
    try:
        fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        return Unreadable(f"the answer of status {status} is none of this service")
    retry_after = _seconds(headers.get("retry-after"))
    if status == 401:
        message = str(fields.get("detail", "a valid API key is needed"))
        return AuthError(status, "unauthorized", message, {}, retry_after)
    code = fields.get("error")
    if not isinstance(code, str):
        return Unreadable(f"the answer of status {status} is none of this service")
    message = str(fields.get("message", code))
    detail = {name: value for name, value in fields.items() if name not in ("status", "error", "message")}
    if code == "Quota exceeded":
        return QuotaError(status, "quota_exceeded", message, detail, retry_after)
    if code in _LOADING:
        kind = Loading
    elif status == 429:
        kind = TooManyRequests
    elif status >= 500:
        kind = Unavailable
    else:
        kind = _BY_STATUS.get(status, ApiError)
    return kind(status, code, message, detail, retry_after)


def _seconds(header: Optional[str]) -> Optional[float]:
    """Seconds of a Retry-After header, which holds seconds or a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
