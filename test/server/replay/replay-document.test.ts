import { expect, test } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { replayDocument } from '../../../src/server/replay/replay-document.ts'
import { momentParameters } from '../../../src/server/replay/replay-host.ts'
import { coveragePath } from '../../../src/server/replay/replay-routes.ts'

test('the document of the historical host declares times as tz=et and tz=utc print them', () => {
  const text = JSON.stringify(
    replayDocument(endpoints.filter(({ replay }) => replay).slice(0, 5), '0.0.0', momentParameters('utc', 'plain'))
  )
  expect(text).not.toContain('"format":"date-time"')
  const [pattern] = [...text.matchAll(/"pattern":("\^\\\\d\{4\}[^"]*Z\?\$")/g)].map(([, found]) => JSON.parse(found))
  const fits = new RegExp(pattern)
  for (const time of ['2026-11-20T12:30:00', '2026-11-20T17:30:00.000Z']) expect(fits.test(time)).toBe(true)
  for (const time of ['2026-11-20', '2026-11-20T12:30', '2026-11-20 12:30:00']) expect(fits.test(time)).toBe(false)
})

test('every operation about the past says what it answers where the archive is damaged', () => {
  const replayed = endpoints.filter(({ replay }) => replay)
  const { paths } = replayDocument(replayed, '0.0.0', momentParameters('utc', 'plain')) as {
    paths: Record<string, Record<string, { responses: Record<string, { 'x-error-codes'?: string[] }> }>>
  }
  const silent = [coveragePath, ...replayed.map(({ path }) => path)].filter((path) =>
    Object.values(paths[path]!).some(
      ({ responses }) => !responses['500']!['x-error-codes']?.includes('history_damaged')
    )
  )
  expect(silent).toEqual([])
})
