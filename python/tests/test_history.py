import asyncio
import json
import unittest
from datetime import date, datetime, timezone
from unittest import mock

from gammawall import AsyncClient, BadParameter, Incomplete, NotFound, PlanError, QuotaError, TooManyRequests, Unreadable
from standin import StandIn

DAYS = ("2026-07-28T20:00:00.000Z", "2026-07-29T20:00:00.000Z")
NDJSON = {"content-type": "application/x-ndjson", "X-RateLimit-Remaining": "498"}


def rows_of(*days):
    return [
        {"symbol": "SPY", "at": day, "as_of": day, "row": row, "strike": strike, "net_gex": value}
        for day in days
        for row, (strike, value) in enumerate([(600, 2.5), (605, None)])
    ]


def lines_of(*days):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows_of(*days))


def refusal(status, error, headers=None):
    return status, headers or {}, {"status": "ERROR", "error": error, "message": "a sentence"}


def month(client, operation="exposure.gex", **options):
    return client.history(operation, "SPY", "2026-07-01", "2026-07-31", **options)


class Asked(unittest.TestCase):
    def body(self, ask):
        with StandIn((200, NDJSON, (lines_of(*DAYS),))) as s:
            ask(s.client())
            self.assertEqual(len(s.asked), 1)
            method, path, headers, content = s.asked[0]
            self.assertEqual((method, path, headers["Accept"]), ("POST", "/v1/bulk", "application/x-ndjson"))
            return json.loads(content)

    def test_one_request_asks_for_the_rows_of_the_main_array(self):
        expected = {
            "source": "answers",
            "operation": "exposure.gex",
            "symbols": {"list": ["SPY"]},
            "moments": {"from": "2026-07-01", "to": "2026-07-31", "every": "1d"},
            "rows": "strikes",
            "parents": False,
            "params": {},
            "format": "ndjson",
        }
        self.assertEqual(self.body(month), expected)

    def test_moments_are_in_new_york_however_they_are_given(self):
        at = datetime(2026, 7, 1, 15, 0, tzinfo=timezone.utc)
        body = self.body(lambda c: c.history("exposure.gex", ["SPY", "QQQ"], at, date(2026, 7, 31), "30m"))
        self.assertEqual(body["moments"], {"from": "2026-07-01T11:00:00", "to": "2026-07-31", "every": "30m"})
        self.assertEqual(body["symbols"], {"list": ["SPY", "QQQ"]})

    def test_rows_fields_and_parameters_are_those_that_are_named(self):
        params = {"min_oi": 100, "expiration": date(2026, 8, 21), "none": None}
        body = self.body(lambda c: month(c, fields=["strike", "net_gex"], parents=True, params=params))
        self.assertEqual((body["fields"], body["parents"]), (["strike", "net_gex"], True))
        self.assertEqual(body["params"], {"min_oi": "100", "expiration": "2026-08-21"})
        self.assertEqual(self.body(lambda c: month(c, rows="scope.expirations"))["rows"], "scope.expirations")

    def test_the_figures_of_the_answer_are_its_rows_where_it_has_no_array_or_they_are_wanted(self):
        self.assertIsNone(self.body(lambda c: month(c, rows="flat"))["rows"])
        self.assertIsNone(self.body(lambda c: month(c, "exposure.levels"))["rows"])

    def test_an_operation_is_named_like_its_method(self):
        body = self.body(lambda c: month(c, "quality"))
        self.assertEqual((body["operation"], body["rows"]), ("quality.current", "checks"))
        body = self.body(lambda c: month(c, "exposure.newer"))
        self.assertEqual((body["operation"], body["rows"]), ("exposure.newer", None))


    def test_recorded_rows_are_a_source_of_their_own(self):
        body = self.body(lambda c: c.history("series", "SPY", "2026-07-01", "2026-07-31", "5m", fields="net_gex"))
        expected = {
            "source": "series",
            "symbols": {"list": ["SPY"]},
            "moments": {"from": "2026-07-01", "to": "2026-07-31", "every": "5m"},
            "format": "ndjson",
            "fields": ["net_gex"],
        }
        self.assertEqual(body, expected)


class Answered(unittest.TestCase):
    def test_rows_are_those_that_were_sent(self):
        with StandIn((200, NDJSON, (lines_of(*DAYS)[:50], lines_of(*DAYS)[50:]))) as s:
            history = month(s.client())
            self.assertEqual(history.rows(), rows_of(*DAYS))
            self.assertEqual((len(history), history.meta.remaining), (4, 498))

    def test_the_async_client_gives_the_same(self):
        async def ask(url):
            async with AsyncClient(url, "a key") as client:
                return await month(client)

        with StandIn((200, NDJSON, (lines_of(*DAYS),))) as s:
            self.assertEqual(asyncio.run(ask(s.url)).rows(), rows_of(*DAYS))

    def test_a_frame_is_indexed_by_moment_symbol_and_key(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("skipped: pandas is not installed")
        with StandIn((200, NDJSON, (lines_of(*DAYS),))) as s:
            frame = month(s.client()).df()
        self.assertEqual(list(frame.index.names), ["at", "symbol", "strike"])
        table = frame["net_gex"].unstack("at")
        self.assertEqual(table.loc[("SPY", 600), pandas.Timestamp(DAYS[1])], 2.5)

    def test_refusals_have_the_classes_of_all_requests(self):
        quota = refusal(429, "Quota exceeded", {"Retry-After": "40000"})
        cases = [
            (refusal(400, "invalid_fields"), BadParameter),
            (refusal(403, "tier_restricted"), PlanError),
            (refusal(404, "no_data"), NotFound),
            (refusal(429, "bulk_busy"), TooManyRequests),
            (quota, QuotaError),
            ((200, NDJSON, (b'{"symbol":"SPY"}\n',)), Unreadable),
            ((200, NDJSON, (b"<html>\n",)), Unreadable),
            ((200, NDJSON, (lines_of(*DAYS)[:-1],)), Unreadable),
        ]
        for answer, kind in cases:
            with self.subTest(kind=kind.__name__), StandIn(answer) as s:
                with self.assertRaises(kind):
                    month(s.client())
                self.assertEqual(len(s.asked), 1)


class BrokenOff(unittest.TestCase):
    first = (200, NDJSON, (lines_of(*DAYS)[:-20], None))

    def test_the_rest_is_asked_for_once_and_no_row_comes_twice(self):
        busy = refusal(429, "bulk_busy", {"Retry-After": "1"})
        with StandIn(self.first, busy, (200, NDJSON, (lines_of(DAYS[1]),))) as s:
            with mock.patch("gammawall._transport.time.sleep"):
                self.assertEqual(month(s.client()).rows(), rows_of(*DAYS))
            bodies = [json.loads(content) for *_, content in s.asked]
        self.assertEqual(bodies[1], {**bodies[0], "resume_from": {"symbol": "SPY", "at": DAYS[1]}})

    def test_a_second_break_raises(self):
        with StandIn(self.first) as s:
            with self.assertRaises(Incomplete):
                month(s.client())
            self.assertEqual(len(s.asked), 2)

    def test_a_break_before_the_first_row_raises(self):
        with StandIn((200, NDJSON, (b'{"sym', None))) as s:
            with self.assertRaises(Incomplete):
                month(s.client())
            self.assertEqual(len(s.asked), 1)


if __name__ == "__main__":
    unittest.main()
