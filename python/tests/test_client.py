import asyncio
import gzip
import json
import os
import unittest
from datetime import date, datetime, timezone
from unittest import mock

from gammawall import (
    ApiError,
    AsyncClient,
    AuthError,
    BadParameter,
    Client,
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
from standin import StandIn

GEX = {"symbol": "SPY", "net_gex": 5.0, "strikes": [{"strike": 600, "net_gex": 2.0}, {"strike": 605, "net_gex": 3.0}]}


def refusal(status, error, headers=None, **detail):
    return status, headers or {}, {"status": "ERROR", "error": error, "message": "a sentence", **detail}


class Requests(unittest.TestCase):
    def test_an_answer_is_read_like_what_the_service_sent(self):
        with StandIn((200, {"X-Data-Age": "1.5", "X-Data-Stale": "true", "X-RateLimit-Remaining": "unlimited"}, GEX)) as s:
            answer = s.client().exposure.gex("SPY")
            self.assertEqual(answer["net_gex"], 5.0)
            self.assertEqual(answer.data, GEX)
            self.assertEqual((answer.meta.age, answer.meta.stale, answer.meta.quality), (1.5, True, None))
            self.assertEqual(answer.meta.remaining, float("inf"))
            self.assertEqual(answer.rows(), GEX["strikes"])
            self.assertEqual(s.asked[0][2]["X-Api-Key"], "a key")

    def test_parameters_are_written_as_the_service_takes_them(self):
        with StandIn((200, {}, GEX)) as s:
            c = s.client()
            c.exposure.gex("BRK/B", expiration=date(2026, 8, 21), min_oi=100)
            c.series("SPY", fields=["net_gex", "gamma_flip"], from_=date(2026, 7, 1))
            self.assertEqual(s.asked[0][1], "/v1/exposure/gex/BRK%2FB?expiration=2026-08-21&min_oi=100")
            self.assertEqual(s.asked[1][1], "/v1/series/SPY?fields=net_gex%2Cgamma_flip&from=2026-07-01")

    def test_a_past_moment_is_asked_of_the_replay_host_in_new_york_time(self):
        with StandIn((200, {}, GEX)) as s:
            c = s.client()
            for at in (datetime(2026, 7, 29, 15, 0, tzinfo=timezone.utc), datetime(2026, 7, 29, 11, 0), "2026-07-29T11:00:00"):
                c.exposure.gex("SPY", at=at)
            c.exposure.gex("SPY", at=date(2026, 7, 29))
            paths = [path for _, path, _, _ in s.asked]
            self.assertEqual(set(paths[:3]), {"/past/v1/exposure/gex/SPY?at=2026-07-29T11%3A00%3A00"})
            self.assertEqual(paths[3], "/past/v1/exposure/gex/SPY?at=2026-07-29")

    def test_a_body_is_sent_as_json(self):
        with StandIn((200, {}, {"max_loss": 1})) as s:
            legs = [{"action": "buy", "type": "call", "strike": 600, "premium": 4.2}]
            s.client().structures.pnl({"legs": legs})
            method, path, headers, content = s.asked[0]
            self.assertEqual((method, path, headers["Content-Type"]), ("POST", "/v1/structures/pnl", "application/json"))
            self.assertEqual(json.loads(content), {"legs": legs})

    def test_the_address_and_the_key_come_from_the_environment(self):
        with StandIn((200, {}, GEX)) as s, mock.patch.dict(os.environ, {"GAMMAWALL_URL": s.url, "GAMMAWALL_KEY": "mine"}):
            with Client() as c:
                c.exposure.gex("SPY")
            self.assertEqual(s.asked[0][2]["X-Api-Key"], "mine")

    def test_a_compressed_answer_is_unpacked(self):
        with StandIn((200, {"content-encoding": "gzip"}, gzip.compress(json.dumps(GEX).encode()))) as s:
            self.assertEqual(s.client().exposure.gex("SPY").data, GEX)

    def test_unknown_paths_are_asked_as_they_are(self):
        with StandIn((200, {}, {"new": 1})) as s:
            self.assertEqual(s.client().raw.get("/v1/new/{symbol}", symbol="SPY", depth=3)["new"], 1)
            self.assertEqual(s.asked[0][1], "/v1/new/SPY?depth=3")

    def test_the_async_client_asks_the_same(self):
        async def both(url):
            async with AsyncClient(url, "a key") as c:
                return await asyncio.gather(c.exposure.gex("SPY"), c.raw.get("/v1/account"))

        with StandIn((200, {}, GEX)) as s:
            self.assertEqual([answer.data for answer in asyncio.run(both(s.url))], [GEX, GEX])
            self.assertEqual(sorted(path for _, path, _, _ in s.asked), ["/v1/account", "/v1/exposure/gex/SPY"])

    def test_a_connection_that_was_closed_meanwhile_is_opened_anew(self):
        with StandIn((200, {"connection": "close"}, GEX), (200, {}, GEX)) as s:
            c = s.client()
            self.assertEqual([c.exposure.gex("SPY").data for _ in range(3)], [GEX] * 3)

    def test_an_answer_that_breaks_off_is_not_asked_for_again(self):
        with StandIn((200, {}, (json.dumps(GEX).encode(),)), (200, {}, (b'{"net', None))) as s:
            c = s.client()
            c.exposure.gex("SPY")
            with self.assertRaises(Incomplete) as caught:
                c.exposure.gex("SPY")
            self.assertEqual((caught.exception.partial, len(s.asked)), (b'{"net', 2))


class Refusals(unittest.TestCase):
    def raised(self, *answers, **options):
        with StandIn(*answers) as s:
            with self.assertRaises(Exception) as caught:
                s.client(**options).exposure.gex("SPY")
            return caught.exception, len(s.asked)

    def test_every_kind_of_refusal_is_a_class(self):
        cases = [
            (refusal(400, "invalid_min_oi", parameter="min_oi"), BadParameter, lambda e: e.parameter == "min_oi"),
            ((401, {}, {"title": "Unauthorized", "status": 401, "detail": "no key"}), AuthError, lambda e: e.message == "no key"),
            (refusal(403, "tier_restricted", required_plan="Alpha"), PlanError, lambda e: e.required_plan == "Alpha"),
            (refusal(404, "symbol_not_found"), NotFound, lambda e: e.code == "symbol_not_found"),
            (refusal(429, "too_many_requests"), TooManyRequests, lambda e: e.retry_after is None),
            (refusal(502, "upstream_unavailable"), Unavailable, lambda e: e.status == 502),
            (refusal(500, "internal_error", request_id="r-1"), Unavailable, lambda e: e.request_id == "r-1"),
            (refusal(409, "alert_limit"), ApiError, lambda e: e.code == "alert_limit"),
            ((502, {}, b"<html>Bad gateway</html>"), Unreadable, lambda e: "502" in str(e)),
            ((200, {}, b"<html>"), Unreadable, lambda e: True),
        ]
        for answer, kind, holds in cases:
            with self.subTest(kind=kind.__name__, status=answer[0]):
                error, _ = self.raised(answer)
                self.assertIs(type(error), kind)
                self.assertTrue(holds(error), vars(error))

    def test_a_used_up_quota_says_when_it_starts_anew(self):
        body = {"status": "ERROR", "error": "Quota exceeded", "message": "used up", "reset_at": "2026-07-30T00:00:00Z"}
        error, asked = self.raised((429, {"Retry-After": "40000"}, body))
        self.assertIsInstance(error, QuotaError)
        self.assertEqual(error.reset_at, datetime(2026, 7, 30, tzinfo=timezone.utc))
        self.assertEqual(asked, 1)

    def test_only_429_and_503_are_sent_again_after_the_time_that_they_name(self):
        pauses = []
        with mock.patch("gammawall._transport.time.sleep", pauses.append):
            with StandIn(refusal(503, "data_loading", {"Retry-After": "2"}), refusal(429, "too_many_requests", {"Retry-After": "1"}), (200, {}, GEX)) as s:
                self.assertEqual(s.client().exposure.gex("SPY")["net_gex"], 5.0)
            error, asked = self.raised(refusal(503, "data_loading", {"Retry-After": "2"}), retries=2)
            self.assertIsInstance(error, Loading)
            self.assertEqual(asked, 3)
            for status in (400, 404, 500, 502):
                self.assertEqual(self.raised(refusal(status, "some_code", {"Retry-After": "1"}))[1], 1)
        self.assertEqual(pauses, [2.0, 1.0, 2.0, 2.0])

    def test_nothing_at_the_address_is_told_from_a_refusal(self):
        with StandIn((200, {}, GEX)) as s:
            url = s.url
        with self.assertRaises(Unreachable):
            Client(url, "a key", timeout=2).exposure.gex("SPY")


class Rows(unittest.TestCase):
    def answer(self, body, ask):
        with StandIn((200, {}, body)) as s:
            return ask(s.client())

    def test_nested_fields_are_joined_by_dots(self):
        body = {"checks": [{"name": "archive", "details": {"days": 3, "size": {"mb": 2}}}]}
        rows = self.answer(body, lambda c: c.system.get_health()).rows()
        self.assertEqual(rows, [{"name": "archive", "details.days": 3, "details.size.mb": 2}])

    def test_a_list_is_its_own_rows(self):
        body = [{"strike": 600, "bid": 1.0}]
        self.assertEqual(self.answer(body, lambda c: c.optionquote("SPY")).rows(), body)

    def test_columns_over_moments_become_rows(self):
        body = {"t": ["2026-07-29T15:00:00.000Z"], "columns": {"net_gex": [None], "call_wall": [640]}, "incomplete": []}
        rows = self.answer(body, lambda c: c.series("SPY")).rows()
        self.assertEqual(rows, [{"t": "2026-07-29T15:00:00.000Z", "net_gex": None, "call_wall": 640}])

    def test_an_array_that_is_not_there_is_named_with_those_that_are(self):
        answer = self.answer(GEX, lambda c: c.exposure.gex("SPY"))
        with self.assertRaisesRegex(ValueError, "no rows legs; it has: strikes"):
            answer.rows("legs")

    def test_a_frame_is_indexed_by_what_tells_rows_apart(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("skipped: pandas is not installed")
        frame = self.answer(GEX, lambda c: c.exposure.gex("SPY")).df()
        self.assertEqual(list(frame.index), [600, 605])
        self.assertEqual(frame.index.name, "strike")
        body = {"t": ["2026-07-29T15:00:00.000Z"], "columns": {"net_gex": [1.0]}, "incomplete": []}
        series = self.answer(body, lambda c: c.series("SPY")).df()
        self.assertEqual(series.index[0], pandas.Timestamp("2026-07-29T15:00:00", tz="UTC"))


if __name__ == "__main__":
    unittest.main()
