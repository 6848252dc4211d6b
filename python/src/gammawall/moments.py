"""Moments of the wire, in UTC, as New York's."""

from __future__ import annotations

from datetime import date, datetime
from typing import List, Sequence
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")


def moments_of(texts: Sequence[str]) -> List[datetime]:
    return [datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(NEW_YORK) for text in texts]


def days_of(texts: Sequence[str]) -> List[date]:
    """The days of moments, each once, ascending."""
    return sorted({moment.date() for moment in moments_of(texts)})
