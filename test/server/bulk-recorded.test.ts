import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CoveredDay, StoredSnapshot } from '../../src/archive/history-store.ts'
import { session, tradingDays } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { stretchesOf } from '../../src/server/bulk/bulk-stretches.ts'
import { parsedCsv } from '../support/csv.ts'
import { memoryStore } from '../support/memory-store.ts'
import { mountBulkOver } from '../support/mount-bulk-over.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { type ReplayService, replayService } from '../support/replay.ts'

type Row = Readonly<Record<string, unknown>>

const day = '2026-07-29'
const history = memoryStore(await recordedDay(day))
const range = { from: day, to: day, every: '1m' }
const series = {
  source: 'series',
  symbols: { list: ['KO', 'T'] },
  moments: range,
  fields: ['net_gex', 'gamma_flip', 'put_wall']
}
const quotes = { source: 'quotes', symbols: { list: ['KO'] }, moments: { at: [`${day}T12:00:00`] } }

function made(given: { history: typeof history | undefined; now?: () => number }): ReplayService {
  const running = replayService({ history: given.history })
  mountBulkOver(running, { ...given, onFault: () => {} })
  return running
}

const rowsOf = (text: string): readonly Row[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))

describe('recorded rows in bulk', () => {
  let running: ReplayService
  beforeAll(() => {
    running = made({ history })
  })
  afterAll(() => running.close())

  const post = (payload: object, by = running.key, path = '/v1/bulk') =>
    running.ask(path, by, { method: 'POST', payload })
  const rows = async (body: object) => {
    const response = await post(body)
    expect(response.statusCode, response.body).toBe(200)
    return rowsOf(response.body)
  }

  test.each(['1m', '5m', '1h', '1d'])('have the figures of the series, every %s', async (every) => {
    const found = await rows({ ...series, moments: { ...range, every } })
    const expected: Row[] = []
    for (const symbol of series.symbols.list) {
      const query = `at=${day}T16:00:00&fields=${series.fields}&from=${day}&to=${day}&every=${every}`
      const { t, columns } = (await running.past(`/v1/series/${symbol}?${query}`)).json()
      t.forEach((as_of: string, k: number) => {
        const at = new Date(1000 * Math.ceil(Date.parse(as_of) / 1000)).toISOString()
        const figures = series.fields.map((name) => [name, columns[name][k]])
        expected.push({ symbol, at, as_of, ...Object.fromEntries(figures) })
      })
    }
    expect(expected.length).toBeGreaterThan(every === '1d' ? 1 : 5)
    expect(found).toEqual(expected)
    expect(Object.keys(found[0])).toEqual(['symbol', 'at', 'as_of', ...series.fields])
  })

  test('have the last figures at or before each moment that is named', async () => {
    const moments = { at: [`${day}T12:00:30`, `${day}T09:31:00`] }
    const found = await rows({ ...series, symbols: { list: ['KO'] }, moments })
    expect(found.map(({ at, as_of }) => [at, as_of])).toEqual([
      ['2026-07-29T13:31:00.000Z', '2026-07-29T13:31:00.000Z'],
      ['2026-07-29T16:00:30.000Z', '2026-07-29T16:00:00.000Z']
    ])
  })

  test('have every contract of a snapshot as it was recorded', async () => {
    const found = await rows(quotes)
    const stored = (await history.snapshot('KO' as Ticker, Date.parse('2026-07-29T16:00:00Z'))) as StoredSnapshot
    const { expirations, size, ...chain } = stored.packed as Chain
    expect(found).toHaveLength(size)
    const orNull = (value: number) => (Number.isNaN(value) || value < 0 ? null : value)
    for (const { date, root, settlement, start, end } of expirations) {
      for (let slot = start; slot < end; slot++) {
        expect(found[slot]).toEqual({
          symbol: 'KO',
          at: '2026-07-29T16:00:00.000Z',
          as_of: new Date(stored.asOf).toISOString(),
          session: day,
          expiration: date,
          root,
          settlement,
          strike: chain.strike[slot],
          right: chain.right[slot] === 0 ? 'call' : 'put',
          bid: orNull(chain.bid[slot]),
          ask: orNull(chain.ask[slot]),
          last: orNull(chain.last[slot]),
          bid_size: orNull(chain.bidSize[slot]),
          ask_size: orNull(chain.askSize[slot]),
          volume: orNull(chain.volume[slot]),
          open_interest: orNull(chain.openInterest[slot]),
          spot: chain.spot,
          fidelity: 'recorded'
        })
      }
    }
    const few = await rows({ ...quotes, fields: ['ask', 'strike'] })
    expect(few.map(({ strike, ask }) => [strike, ask])).toEqual(found.map(({ strike, ask }) => [strike, ask]))
    expect(Object.keys(few[0])).toEqual(['symbol', 'at', 'as_of', 'ask', 'strike'])
  })

  test.each([
    series,
    quotes
  ])('are the same in every form, with the columns that are told beforehand: $source', async (body) => {
    const plan = (await post(body, running.key, '/v1/bulk/columns')).json()
    const names = plan.columns.map(({ name }: { name: string }) => name)
    expect(plan).toMatchObject({
      groups: body.symbols.list.length,
      cost: body.symbols.list.length,
      fits: 'response',
      tables: [{ rows: null }]
    })
    const found = await rows(body)
    for (const row of found) expect(Object.keys(row)).toEqual(names)
    const [heading, ...lines] = parsedCsv((await post({ ...body, format: 'csv' })).body)
    expect(heading).toEqual(names)
    const text = (value: unknown) => (value === null ? '' : String(value))
    expect(lines).toEqual(found.map((row) => Object.values(row).map(text)))
    const arrow = await post({ ...body, format: 'arrow' })
    expect(arrow.rawPayload.subarray(-8)).toEqual(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]))
  })

  test('have units, and all figures where none are named', async () => {
    const { columns } = (await post({ ...series, fields: undefined }, running.key, '/v1/bulk/columns')).json()
    expect(columns).toContainEqual(expect.objectContaining({ name: 'net_gex', unit: 'usd-notional', nullable: true }))
    expect(columns.length).toBeGreaterThan(30)
  })

  test('go on from a row as they would have gone on', async () => {
    const whole = await rows(series)
    for (const k of [0, 3, whole.length - 1]) {
      const { symbol, at } = whole[k]
      expect(await rows({ ...series, resume_from: { symbol, at } })).toEqual(whole.slice(k))
    }
    const none = await post({ ...series, resume_from: { symbol: 'KO', at: '2026-08-29T16:00:00.000Z' } })
    expect(none.json().error).toBe('invalid_resume_from')
    const image = { symbol: 'KO', at: '2026-07-29T16:00:00.000Z' }
    const all = await rows({ ...quotes, moments: range })
    const rest = all.slice(all.findIndex(({ at }) => at === image.at))
    expect(await rows({ ...quotes, moments: range, resume_from: image })).toEqual(rest)
  })

  test('say what was not recorded where that is wanted, and are none if nothing was', async () => {
    const moments = { at: [`${day}T12:00:00`, '2026-07-27T12:00:00', '2026-07-26T12:00:00'] }
    for (const body of [series, quotes]) {
      const told = await rows({ ...body, symbols: { list: ['KO'] }, moments, missing: 'row' })
      const codes = [...new Set(told.map(({ at, error }) => `${at} ${error}`))]
      expect(codes).toEqual([
        '2026-07-26T16:00:00.000Z no_data',
        '2026-07-27T16:00:00.000Z no_data',
        '2026-07-29T16:00:00.000Z null'
      ])
      const none = await post({ ...body, symbols: { list: ['NOPE'] } })
      expect([none.statusCode, none.json().error]).toEqual([404, 'no_data'])
    }
  })

  test('say which figures are still being made', async () => {
    const given = await recordedDay(day)
    const late = Date.parse('2026-07-29T16:00:00Z')
    const some = memoryStore({ ...given, figures: given.figures!.filter(({ asOf }) => asOf < late) })
    const running = made({ history: some })
    onTestFinished(() => running.close())
    const ask = (more: object) =>
      running.ask('/v1/bulk', running.key, {
        method: 'POST',
        payload: { ...series, symbols: { list: ['KO'] }, ...more }
      })
    const silent = rowsOf((await ask({})).body)
    const told = rowsOf((await ask({ missing: 'row' })).body)
    expect(told.filter(({ error }) => error === null).map(({ at }) => at)).toEqual(silent.map(({ at }) => at))
    expect(told.at(-1)).toMatchObject({ at: '2026-07-29T16:00:00.000Z', as_of: null, error: 'data_loading' })
    const nothing = await ask({ moments: { from: `${day}T12:00:00`, to: day, every: '1m' } })
    expect(nothing.json().error).toBe('no_data')
  })

  test.each([
    [{ operation: 'exposure.gex' }, 'invalid_operation'],
    [{ params: { min_oi: 1 } }, 'invalid_params'],
    [{ rows: 'strikes' }, 'invalid_rows'],
    [{ parents: true }, 'invalid_rows'],
    [{ moments: 'now' }, 'invalid_moments'],
    [{ moments: { from: day, to: '2026-07-28', every: '1m' } }, 'invalid_moments'],
    [{ moments: { at: ['yesterday'] } }, 'invalid_moments'],
    [{ fields: ['net_gexx'] }, 'invalid_fields'],
    [{ format: 'parquet' }, 'invalid_format'],
    [{ source: 'prints' }, 'invalid_source']
  ])('with %j are refused with %s', async (change, error) => {
    for (const body of [series, quotes]) {
      const response = await post({ ...body, ...change })
      expect([response.statusCode, response.json().error]).toEqual([400, error])
    }
  })

  test('need the right to the past, and a history', async () => {
    const bare = made({ history: undefined })
    onTestFinished(() => bare.close())
    for (const body of [series, quotes]) {
      const refused = await post(body, running.keyOn('growth'))
      expect(refused.json()).toMatchObject({ error: 'tier_restricted', required_plan: 'Alpha' })
      const off = await bare.ask('/v1/bulk', bare.key, { method: 'POST', payload: { ...body, moments: range } })
      expect([off.statusCode, off.json().error]).toEqual([503, 'history_off'])
    }
  })

  test.each([
    series,
    { ...quotes, moments: range }
  ])('never hold what was not visible at the present: $source', async (body) => {
    const now = Date.parse('2026-07-29T16:00:00Z')
    const wide = { ...body, moments: { from: day, to: '2030-01-01', every: '1m' } }
    const answers = await Promise.all(
      [history, history.cut(now), history.poison(now)].map(async (store) => {
        const running = made({ history: store, now: () => now })
        onTestFinished(() => running.close())
        const response = await running.ask('/v1/bulk', running.key, { method: 'POST', payload: wide })
        expect(response.statusCode, response.body).toBe(200)
        return response.body
      })
    )
    expect(rowsOf(answers[0]).every(({ as_of }) => Date.parse(String(as_of)) <= now)).toBe(true)
    expect(answers[1]).toBe(answers[0])
    expect(answers[2]).toBe(answers[0])
  })
})

describe('stretches of a series', () => {
  const dates = tradingDays('2025-01-02' as IsoDate, '2026-07-29' as IsoDate)
  const covered = dates.map((date) => ({ date, snapshots: 5000 }) as unknown as CoveredDay)
  const now = session('2026-07-29' as IsoDate)!.close
  const archive = {
    period: () => ({ now, from: '2025-06-02' as IsoDate }),
    coverage: async () => ({ symbol: 'SPY' as Ticker, days: covered, updatedAt: 0 })
  } as unknown as Parameters<typeof stretchesOf>[2]
  const ask = (every: '1m' | '1d', from = '2024-01-01', to = '2030-01-01', columns = 5) =>
    stretchesOf('SPY', { from, to, every }, archive, columns)

  test('hold whole days of at most ten thousand rows, and all of what is served', async () => {
    const found = await ask('1m')
    for (const { stretch } of found) expect(stretch!.rows).toBeLessThanOrEqual(10_000)
    for (const [k, { at }] of found.slice(1).entries()) expect(at! > found[k].stretch!.to).toBe(true)
    const served = dates.filter((date) => date >= '2025-06-02')
    for (const date of served) {
      const { open, close } = session(date)!
      expect(found.filter(({ at, stretch }) => at! <= open && stretch!.to >= close)).toHaveLength(1)
    }
    expect([found[0].at! > Date.parse('2025-06-02'), found.at(-1)!.stretch!.to]).toEqual([true, now])
    expect(await ask('1d')).toHaveLength(1)
    for (const { stretch } of await ask('1m', undefined, undefined, 40)) {
      expect(40 * stretch!.rows).toBeLessThanOrEqual(50_000)
    }
  })

  test('are none where nothing is served', async () => {
    expect(await ask('1m', '2024-01-01', '2024-12-31')).toEqual([])
    expect(await ask('1m', '2027-01-01', '2027-12-31')).toEqual([])
  })
})
