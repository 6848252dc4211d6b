import asyncio
import hashlib
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from gammawall import AsyncClient, JobFailed, NotFound, PlanError, Progress, TooManyRequests, Unreachable, Unreadable
from standin import StandIn
from test_history import DAYS, lines_of, refusal, rows_of

ID = "bj_0123456789ABCDEFGHJKMNPQRS"
FILES = (lines_of(DAYS[0]), lines_of(DAYS[1]))
REQUEST = {"source": "answers", "operation": "exposure.gex", "rows": "strikes", "format": "ndjson"}


def job_of(state, answered=0, files=(), request=REQUEST, message=None):
    parts = [
        {"part": k + 1, "rows": 2, "bytes": len(file), "sha256": hashlib.sha256(file).hexdigest()}
        for k, file in enumerate(files)
    ]
    groups = {"total": 3, "answered": answered, "absent": 0, "waiting": 3 - answered}
    return {"id": ID, "state": state, "request": request, "groups": groups, "parts": parts, "message": message}


def told(*args, **options):
    return 200, {}, job_of(*args, **options)


def ranged(file, first=0, last=None):
    last = len(file) - 1 if last is None else last
    headers = {"content-type": "application/x-ndjson", "content-range": f"bytes {first}-{last}/{len(file)}"}
    return 206, headers, file[first : last + 1]


def broken(file, first, last):
    status, headers, _ = ranged(file, first)
    return status, headers, (file[first : last + 1], None)


DONE = told("done", 3, FILES)


def started(client, **options):
    return client.start_job("exposure.gex", "SPY", "2026-07-01", "2026-07-31", **options)


def without_pauses():
    return mock.patch("gammawall.job.time.sleep")


class Begun(unittest.TestCase):
    def test_a_job_asks_for_what_history_would(self):
        with StandIn(told("waiting")) as s:
            job = started(s.client(), fields=["net_gex"], format="csv")
            self.assertEqual((job.id, job.state), (ID, "waiting"))
            method, path, _, content = s.asked[0]
            self.assertEqual((method, path), ("POST", "/v1/bulk/jobs"))
            expected = {
                "source": "answers",
                "operation": "exposure.gex",
                "symbols": {"list": ["SPY"]},
                "moments": {"from": "2026-07-01", "to": "2026-07-31", "every": "1d"},
                "rows": "strikes",
                "parents": False,
                "params": {},
                "fields": ["net_gex"],
                "format": "csv",
            }
            self.assertEqual(json.loads(content), {"request": expected})

    def test_a_lost_answer_begins_no_other_job(self):
        with StandIn((202, {}, (None,)), told("waiting")) as s:
            self.assertEqual(started(s.client()).id, ID)
            (_, _, one, first), (_, _, other, again) = s.asked
            self.assertEqual((one["Idempotency-Key"], first), (other["Idempotency-Key"], again))

    def test_recorded_rows_are_a_source_of_their_own(self):
        with StandIn(told("waiting")) as s:
            s.client().start_job("quotes", ["SPY", "QQQ"], "2026-07-01", "2026-07-31", "1h")
            body = json.loads(s.asked[0][3])["request"]
            self.assertEqual((body["source"], body["symbols"]), ("quotes", {"list": ["SPY", "QQQ"]}))
            self.assertFalse({"operation", "rows", "params", "parents"} & set(body))
            with self.assertRaises(ValueError):
                s.client().start_job("series", "SPY", "2026-07-01", "2026-07-31", rows="strikes")

    def test_refusals_have_the_classes_of_all_requests(self):
        cases = [
            (refusal(403, "tier_restricted"), PlanError),
            (refusal(404, "no_data"), NotFound),
            (refusal(429, "bulk_busy"), TooManyRequests),
        ]
        for answer, kind in cases:
            with self.subTest(kind=kind.__name__), StandIn(answer) as s, self.assertRaises(kind):
                started(s.client())

    def test_it_is_found_again_listed_and_ended(self):
        with StandIn(DONE, (200, {}, {"jobs": [DONE[2], DONE[2]]}), told("cancelled")) as s:
            job = s.client().job(ID)
            self.assertEqual([each.id for each in s.client().jobs()], [ID, ID])
            self.assertEqual(job.cancel().state, "cancelled")
            asked = [(method, path) for method, path, *_ in s.asked]
        of_job = f"/v1/bulk/jobs/{ID}"
        self.assertEqual(asked, [("GET", of_job), ("GET", "/v1/bulk/jobs"), ("DELETE", of_job)])


class Waited(unittest.TestCase):
    def test_progress_is_told_whenever_it_moves(self):
        seen = []
        running = told("running", 1)
        with StandIn(told("waiting"), running, running, told("running", 2, FILES[:1]), DONE) as s, without_pauses():
            job = started(s.client()).wait(seen.append)
        self.assertEqual((job.state, len(s.asked)), ("done", 5))
        self.assertEqual(
            seen,
            [
                Progress("waiting", 3, 0, 0, 0),
                Progress("running", 3, 1, 0, 0),
                Progress("running", 3, 2, 0, 1),
                Progress("done", 3, 3, 0, 2),
            ],
        )

    def test_a_job_that_ends_otherwise_raises_with_the_reason(self):
        with StandIn(told("waiting"), told("failed", message="no_room: the disk is full")) as s, without_pauses():
            with self.assertRaisesRegex(JobFailed, "failed: no_room") as caught:
                started(s.client()).wait()
            self.assertEqual(caught.exception.state, "failed")

    def test_a_time_limit_leaves_the_job_alone(self):
        with StandIn(told("waiting")) as s:
            with self.assertRaises(TimeoutError):
                started(s.client()).wait(timeout=0)
            self.assertEqual([method for method, *_ in s.asked], ["POST"])


class Fetched(unittest.TestCase):
    def test_the_rows_of_all_files_are_one_table(self):
        with StandIn(DONE, ranged(FILES[0]), ranged(FILES[1])) as s:
            job = started(s.client())
            self.assertEqual(job.rows(), rows_of(*DAYS))
            ranges = [(path, headers["Range"]) for _, path, headers, _ in s.asked[1:]]
        expected = [(f"/v1/bulk/jobs/{ID}/parts/{k + 1}", f"bytes=0-{len(file) - 1}") for k, file in enumerate(FILES)]
        self.assertEqual(ranges, expected)

    def test_a_frame_is_indexed_like_that_of_history(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("skipped: pandas is not installed")
        with StandIn(DONE, ranged(FILES[0]), ranged(FILES[1])) as s:
            self.assertEqual(list(started(s.client()).df().index.names), ["at", "symbol", "strike"])

    def test_what_breaks_off_is_continued_from_there(self):
        file = FILES[0]
        answers = [broken(file, 0, 9), broken(file, 10, 29), ranged(file, 30)]
        with StandIn(told("done", 3, [file]), *answers) as s:
            self.assertEqual(started(s.client()).rows(), rows_of(DAYS[0]))
            asked = [(headers["Range"], headers["If-Range"]) for _, _, headers, _ in s.asked[1:]]
        etag = f'"{hashlib.sha256(file).hexdigest()}"'
        self.assertEqual(asked, [(f"bytes={first}-{len(file) - 1}", etag) for first in (0, 10, 30)])

    def test_large_files_come_in_several_ranges(self):
        file = FILES[0]
        pieces = [ranged(file, first, min(first + 99, len(file) - 1)) for first in range(0, len(file), 100)]
        self.assertGreater(len(pieces), 1)
        with StandIn(told("done", 3, [file]), *pieces) as s, mock.patch("gammawall.job.BLOCK", 100):
            self.assertEqual(started(s.client()).rows(), rows_of(DAYS[0]))

    def test_nothing_that_comes_again_and_again_raises(self):
        file = FILES[0]
        with StandIn(told("done", 3, [file]), (206, ranged(file)[1], (None,))) as s:
            with self.assertRaises(Unreachable):
                started(s.client()).rows()

    def test_another_content_raises(self):
        other = FILES[0].replace(b"2.5", b"2.6")
        with StandIn(told("done", 3, FILES[:1]), ranged(other)) as s, self.assertRaises(Unreadable):
            started(s.client()).rows()
        changed = (200, {"content-type": "application/x-ndjson"}, FILES[0])
        with StandIn(told("done", 3, FILES[:1]), broken(FILES[0], 0, 9), changed) as s, self.assertRaises(Unreadable):
            started(s.client()).rows()

    def test_files_are_saved_and_continued_by_a_later_run(self):
        file = FILES[0]
        empty = (206, ranged(file)[1], (None,))
        with tempfile.TemporaryDirectory() as folder, StandIn(
            told("done", 3, [file]), broken(file, 0, 9), empty, empty, empty, empty, empty, ranged(file, 10)
        ) as s:
            job = started(s.client())
            with self.assertRaises(Unreachable):
                job.save(folder)
            self.assertEqual([path.suffix for path in Path(folder).iterdir()], [".part"])
            [path] = job.save(folder)
            self.assertEqual((path.name, path.read_bytes()), (f"{ID}-00001.ndjson", file))
            self.assertEqual(s.asked[-1][2]["Range"], f"bytes=10-{len(file) - 1}")
            asked = len(s.asked)
            self.assertEqual((job.save(folder), len(s.asked)), ([path], asked))

    def test_files_of_other_formats_are_saved_alone(self):
        request = {**REQUEST, "format": "arrow"}
        with tempfile.TemporaryDirectory() as folder, StandIn(told("done", 3, [b"arrow"], request), ranged(b"arrow")) as s:
            job = started(s.client())
            with self.assertRaises(ValueError):
                job.rows()
            self.assertEqual([path.read_bytes() for path in job.save(folder)], [b"arrow"])

    def test_the_async_client_does_the_same(self):
        async def ask(url):
            seen = []
            async with AsyncClient(url, "a key") as client:
                job = await client.start_job("exposure.gex", "SPY", "2026-07-01", "2026-07-31")
                with mock.patch("gammawall.job.FIRST_PAUSE", 0):
                    await job.wait(seen.append)
                return await job.rows(), [progress.state for progress in seen]

        with StandIn(told("waiting"), DONE, ranged(FILES[0]), ranged(FILES[1])) as s:
            self.assertEqual(asyncio.run(ask(s.url)), (rows_of(*DAYS), ["waiting", "done"]))


if __name__ == "__main__":
    unittest.main()
