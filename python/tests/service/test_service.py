"""Tests against a service: GAMMAWALL_URL and GAMMAWALL_KEY name it, with a key that may stream and replay."""

import asyncio
import importlib.util
import unittest

from gammawall import AsyncClient, BadParameter, Client, NotFound, StreamError
from gammawall.moments import moments_of

HAS_WEBSOCKETS = importlib.util.find_spec("websockets") is not None
without_websockets = unittest.skipUnless(HAS_WEBSOCKETS, "skipped: the Python package websockets is not installed")


class Service(unittest.TestCase):
    def setUp(self):
        self.client = Client()
        self.addCleanup(self.client.close)

    def test_a_recorded_moment_answers_as_it_did(self):
        day = self.client.days("SPY")[-1]
        moment = self.client.minutes("SPY", day)[-1]
        then = self.client.exposure.gex("SPY", at=moment)
        self.assertEqual(then.meta.replay_as_of, moment.strftime("%Y-%m-%dT%H:%M:%S"))
        self.assertAlmostEqual(sum(row["net_gex"] for row in then.rows()) / then["net_gex"], 1, places=6)

    def test_a_stretch_of_time_answers_as_its_moments_do(self):
        days = self.client.days("SPY")[:3]
        history = self.client.history("exposure.gex", "SPY", days[0], days[-1])
        moments = list(dict.fromkeys(row["at"] for row in history.rows()))
        self.assertEqual([moment.date() for moment in moments_of(moments)], days)
        self.assertEqual(history.meta.headers["x-bulk-groups"], "3")
        for at, moment in zip(moments, moments_of(moments)):
            then = self.client.exposure.gex("SPY", at=moment).rows()
            rows = [row for row in history.rows() if row["at"] == at]
            self.assertEqual([{name: row[name] for name in then[0]} for row in rows], then)

    def test_figures_of_a_stretch_of_time_come_without_an_array(self):
        days = self.client.days("SPY")[:3]
        rows = self.client.history("exposure.levels", ["SPY"], days[0], days[-1], fields=["levels.gamma_flip"]).rows()
        self.assertEqual([list(row) for row in rows], [["symbol", "at", "as_of", "levels.gamma_flip"]] * 3)

    def test_a_stretch_of_time_is_refused_like_any_request(self):
        with self.assertRaises(BadParameter) as caught:
            self.client.history("exposure.gex", "SPY", "2026-07-01", "2026-07-31", fields=["net_gexx"])
        self.assertEqual((caught.exception.code, caught.exception.parameter), ("invalid_fields", "fields"))
        with self.assertRaises(NotFound):
            self.client.history("exposure.gex", "SPY", "2019-07-01", "2019-07-31")

    def test_a_job_leaves_what_one_response_has(self):
        days = self.client.days("SPY")[:3]
        for operation in ("exposure.gex", "series", "quotes"):
            seen = []
            job = self.client.start_job(operation, "SPY", days[0], days[-1]).wait(seen.append)
            self.assertEqual((job.state, seen[-1].absent), ("done", 0))
            self.assertEqual(job.rows(), self.client.history(operation, "SPY", days[0], days[-1]).rows())
            self.assertEqual(self.client.job(job.id).cancel().state, "expired")

    def test_every_group_has_the_operations_that_it_names(self):
        self.assertEqual(self.client.quality("SPY")["symbol"], "SPY")
        self.assertEqual(self.client.system.get_livez().meta.headers["content-type"][:10], "text/plain")
        self.assertGreater(len(self.client.reference.get_stream_catalog().rows()), 100)

    @without_websockets
    def test_updates_come_over_the_stream(self):
        metrics = ["exposure.gex.net_gex", "exposure.levels.gamma_flip"]
        with self.client.stream("SPY", *metrics, cadence_ms=100) as updates:
            found = {update.metric: update for update in (next(updates), next(updates))}
        self.assertEqual(sorted(found), sorted(metrics))
        net_gex = self.client.exposure.gex("SPY")["net_gex"]
        self.assertEqual((found[metrics[0]].value, found[metrics[0]].gap), (net_gex, False))

    @without_websockets
    def test_the_async_stream_is_the_same(self):
        async def first():
            async with AsyncClient() as client:
                async for update in client.stream("SPY", "exposure.gex.net_gex"):
                    return update

        self.assertEqual(asyncio.run(first()).symbol, "SPY")

    @without_websockets
    def test_a_metric_that_is_none_is_refused_with_what_was_meant(self):
        with self.client.stream("SPY", "exposure.gex.net_gexx") as updates:
            with self.assertRaises(StreamError) as caught:
                next(updates)
        self.assertEqual(caught.exception.code, "unknown_metric")


if __name__ == "__main__":
    unittest.main()
