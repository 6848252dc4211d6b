"""Client of gammawall, the options exposure analytics service that you host yourself.

    from gammawall import Client
    client = Client()  # reads GAMMAWALL_URL and GAMMAWALL_KEY
    client.exposure.gex("SPY").df()
"""

from .answer import Answer, Meta
from .client import AsyncClient, Client
from .errors import (
    ApiError,
    AuthError,
    BadParameter,
    GammawallError,
    Incomplete,
    Loading,
    NotFound,
    PlanError,
    QuotaError,
    TooManyRequests,
    Unavailable,
    Unreachable,
    Unreadable,
)
from .history import History
from .job import AsyncJob, Job, JobFailed, Progress
from .stream import StreamError, Update

__all__ = [
    "Answer",
    "ApiError",
    "AsyncClient",
    "AsyncJob",
    "AuthError",
    "BadParameter",
    "Client",
    "GammawallError",
    "History",
    "Incomplete",
    "Job",
    "JobFailed",
    "Loading",
    "Meta",
    "NotFound",
    "PlanError",
    "Progress",
    "QuotaError",
    "StreamError",
    "TooManyRequests",
    "Unavailable",
    "Unreachable",
    "Unreadable",
    "Update",
]
