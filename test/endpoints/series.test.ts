import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { answer, answerBytes } from '../../src/api/answer.ts'
import { ApiError } from '../../src/api/error.ts'
import { readParameters } from '../../src/api/params.ts'
import { textLiteral } from '../../src/archive/clickhouse/database-connection.ts'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import { rowsOf } from '../../src/archive/codec/native-rows.ts'
import { enginePath } from '../../src/archive/open.ts'
import { seriesFieldNames, seriesFields } from '../../src/endpoints/series/fields.ts'
import { figureRow } from '../../src/endpoints/series/row.ts'
import { series } from '../../src/endpoints/series/series.ts'
import { type SeriesStep, stretchOf } from '../../src/endpoints/series/stretch.ts'
import { session } from '../../src/market/calendar.ts'
import { easternDate, parseEasternDateTime } from '../../src/market/eastern.ts'
import type { FigureColumns } from '../../src/market/figure-row.ts'
import { type PressureClass, pressureClasses } from '../../src/market/hedge-pressure.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { figureVersion } from '../../src/signals/figure-version.ts'
import { asked } from '../support/asking.ts'
import { hasEngine } from '../support/engine.ts'
import { traded } from '../support/made-up-flow.ts'
import { allMarkets, type Market } from '../support/markets.ts'
import { ascending } from './invariants/invariant.ts'

type Node = { readonly [Name in string]: number | string | boolean | null | readonly Node[] | Node }

/** The answer that prints each figure for its moment, and the place there. */
const twins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v1/exposure/summary/{symbol}': {
    underlying_price: 'underlying_price',
    net_gex: 'exposures.net_gex',
    net_dex: 'exposures.net_dex',
    net_vex: 'exposures.net_vex',
    net_chex: 'exposures.net_chex',
    gamma_flip: 'gamma_flip'
  },
  '/v1/exposure/levels/{symbol}': {
    call_wall: 'levels.call_wall',
    put_wall: 'levels.put_wall',
    call_wall_above: 'levels.call_wall_above',
    put_wall_below: 'levels.put_wall_below',
    max_positive_gamma: 'levels.max_positive_gamma',
    max_negative_gamma: 'levels.max_negative_gamma'
  },
  '/v1/maxpain/{symbol}': { max_pain: 'max_pain_strike' },
  '/v1/volatility/{symbol}': { atm_iv: 'atm_iv', atm_iv_30d: 'atm_iv_30d' },
  '/v1/stock/{symbol}/summary': {
    skew_25d: 'volatility.skew_25d.skew_25d',
    pc_ratio_oi: 'options_flow.pc_ratio_oi',
    pc_ratio_volume: 'options_flow.pc_ratio_volume',
    total_call_oi: 'options_flow.total_call_oi',
    total_put_oi: 'options_flow.total_put_oi',
    total_call_volume: 'options_flow.total_call_volume',
    total_put_volume: 'options_flow.total_put_volume'
  },
  '/v1/exposure/zero-dte/{symbol}': {
    'zero_dte.net_gex': 'exposures.net_gex',
    'zero_dte.net_chex': 'exposures.net_chex',
    'zero_dte.call_wall': 'levels.call_wall',
    'zero_dte.put_wall': 'levels.put_wall',
    'zero_dte.magnet': 'pin_risk.magnet_strike',
    'zero_dte.pin_score': 'pin_risk.pin_score',
    'zero_dte.theta_per_hour': 'decay.theta_per_hour_remaining',
    'zero_dte.remaining_1sd_dollars': 'expected_move.remaining_1sd_dollars'
  },
  '/v1/flow/gex/{symbol}': { 'flow.net_gex_live': 'live_net_gex' }
}
/** Sums of hedging pressure, each with the classes that it is of. */
const hedgeSums: Readonly<Record<string, (of: PressureClass) => boolean>> = {
  'flow.hedge.delta': ({ measure }) => measure === 'delta',
  'flow.hedge.delta_calls': ({ measure, right }) => measure === 'delta' && right === 'calls',
  'flow.hedge.delta_puts': ({ measure, right }) => measure === 'delta' && right === 'puts',
  'flow.hedge.delta_next': ({ measure, expiry }) => measure === 'delta' && expiry === 'next',
  'flow.hedge.gamma': ({ measure }) => measure === 'gamma',
  'flow.hedge.vega': ({ measure }) => measure === 'vega'
}
/** Fields of the series that no answer prints by itself: one follows from two others, the rest are sums of a tape. */
const others = ['expected_move_1d', 'flow.net_premium', 'flow.delta_dollars', ...Object.keys(hedgeSums)]

const valueAt = (node: Node | undefined, path: string) =>
  path.split('.').reduce<unknown>((found, name) => (found as Node | null | undefined)?.[name], node) ?? null

let markets: readonly Market[]
beforeAll(async () => {
  const all = (await allMarkets()).map((market, k) => (k % 2 === 0 ? market : traded(market, k)))
  // Moments outside a session are in no series, because replay has no answer about them.
  markets = all.filter(({ chain: { asOf } }) => asOf >= (session(easternDate(asOf))?.open ?? Number.POSITIVE_INFINITY))
})

const cents = Float64Array.from(pressureClasses, (_, cell) => 1000 * cell ** 2 - 500_007 * cell)
const tapeOf = ({ positions }: Market) =>
  positions && { positions, netPremium: -12.345, hedgeFlow: undefined, pressure: cents }
const figuresOf = (market: Market) => figureRow(market.chain, tapeOf(market)).figures

describe('a figure over time', () => {
  test('is compared with the answer about its moment, whichever it is', () => {
    const compared = [...Object.values(twins).flatMap((names) => Object.keys(names)), ...others]
    expect(compared.sort()).toEqual(seriesFieldNames.toSorted())
  })

  test.each(Object.entries(twins))('says what %s says', (path, names) => {
    let compared = 0
    for (const market of markets) {
      const twin = asked<Node>(path, market)
      const figures = figuresOf(market)
      for (const [name, place] of Object.entries(names)) {
        if (name.startsWith('flow.') && market.positions === undefined) continue
        if (name === 'underlying_price' && twin === undefined) continue // nothing is answered without options
        expect(figures[name] ?? null, `${name} of ${market.name}`).toBe(valueAt(twin, place))
        compared++
      }
    }
    expect(compared).toBeGreaterThan(8 * Object.keys(names).length)
  })

  test('is the move of a day at the volatility at the money, as the history of the premium has it', () => {
    for (const market of markets) {
      const { expected_move_1d: move, atm_iv: iv, underlying_price: spot } = figuresOf(market)
      if (iv === undefined) expect(move).toBeUndefined()
      else expect(Math.abs(move! - (spot! * iv) / 100 / Math.sqrt(252))).toBeLessThan(1e-4 + 1e-7 * spot!)
    }
  })

  test('of prints is there where a tape is, and left out where none is', () => {
    for (const market of markets) {
      const figures = figuresOf(market)
      const ofTape = Object.keys(figures).filter((name) => name.startsWith('flow.'))
      expect(ofTape).toHaveLength(market.positions === undefined ? 0 : 9)
      if (market.positions !== undefined) {
        expect([figures['flow.net_premium'], figures['flow.delta_dollars']]).toEqual([-12.35, undefined])
        for (const [name, isOf] of Object.entries(hedgeSums)) {
          const sum = pressureClasses.reduce((all, of, cell) => (isOf(of) ? all + cents[cell] : all), 0)
          expect(figures[name]).toBeCloseTo(sum / 100, 6)
        }
      }
    }
  })

  test('is not made before the open or on a day without a session', () => {
    const [{ chain }] = markets
    for (const at of ['2026-07-29T09:29:59', '2026-07-25T12:00:00']) {
      expect(figureRow({ ...chain, asOf: parseEasternDateTime(at)! }, undefined).figures).toEqual({})
    }
  })

  test('is of another version where rates, yields or the confidence in flow are others', () => {
    const other = { ...defaultAssumptions, dividendYield: 0.02 }
    const versions = [figureVersion(defaultAssumptions), figureVersion(other), figureVersion(defaultAssumptions, 0.4)]
    expect(new Set(versions).size).toBe(3)
    expect(figureVersion({ ...defaultAssumptions })).toBe(versions[0])
  })
})

/** The refusal of what is asked. */
function refusal(ask: () => unknown): ApiError {
  try {
    ask()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('it was not refused')
}

const today = '2026-07-29' as IsoDate
const { open, close } = session(today)!
const read = (query: Readonly<Record<string, string>>) => {
  const params = readParameters(series.params, { symbol: 'spy' }, query, { today })
  series.check(params as never)
  return params as { fields: readonly string[]; from?: number; to?: number; every: SeriesStep }
}
const stretch = (query: Readonly<Record<string, string>>, present = { asOf: close, now: close }) => {
  const { fields, every, from, to } = read(query)
  return stretchOf({ fields, every, from, to }, present)
}

describe('what is asked', () => {
  test('is by default five figures of the session of the answer up to its moment, each minute', () => {
    const asOf = open + 61_000
    expect(stretch({}, { asOf, now: asOf + 5000 })).toEqual({
      fields: ['underlying_price', 'net_gex', 'gamma_flip', 'call_wall', 'put_wall'],
      prices: ['underlying_price', 'gamma_flip', 'call_wall', 'put_wall'],
      from: open,
      to: asOf,
      until: asOf,
      closed: '2026-07-28',
      every: 60_000
    })
    const night = { asOf: session('2026-07-28' as IsoDate)!.close, now: open - 1 }
    expect(stretch({}, night)).toMatchObject({ from: session('2026-07-28' as IsoDate)!.open, closed: '2026-07-28' })
  })

  test('may be dates, which are included whole, or moments of New York', () => {
    const dates = stretch({ from: '2026-07-27', to: '2026-07-28', every: '1D' })
    expect([dates.from, dates.to]).toEqual([Date.parse('2026-07-27T04:00:00Z'), Date.parse('2026-07-29T04:00:00Z') - 1])
    expect(dates.every).toBe('session')
    const moments = stretch({ from: '2026-07-29T10:00', to: '2026-07-29T10:30:15' })
    expect([moments.from, moments.to]).toEqual([open + 30 * 60_000, open + 60 * 60_000 + 15_000])
  })

  test('never reaches beyond the moment of the answer', () => {
    expect(stretch({ to: '2027-01-01' }, { asOf: open + 1000, now: open + 9000 }).to).toBe(open + 1000)
    expect(stretch({ to: '2027-01-01' }, { asOf: close, now: close }).closed).toBe(today)
    expect(stretch({ to: '2027-01-01' }, { asOf: close - 1, now: close - 1 }).closed).toBe('2026-07-28')
  })

  test('names fields in the order wanted, each once', () => {
    expect(read({ fields: 'put_wall, net_gex,put_wall,flow.net_premium' }).fields).toEqual([
      'put_wall',
      'net_gex',
      'flow.net_premium'
    ])
  })

  test.each([
    [{ fields: 'net_gx' }, 'invalid_fields', /did you mean net_gex\?; it reads 'net_gx'$/],
    [{ fields: 'net_gex,,put_wall' }, 'invalid_fields', /it reads ''$/],
    [{ from: 'yesterday' }, 'invalid_from', /New York date/],
    [{ from: '2026-07-29T10:00:00Z' }, 'invalid_from', /wall-clock/],
    [{ from: '2026-03-08T02:30:00' }, 'invalid_from', /wall-clock/],
    [{ to: '2026-02-30' }, 'invalid_to', /New York date/],
    [{ from: '2026-07-29', to: '2026-07-28' }, 'invalid_from', /from lies after to/],
    [{ every: '2m' }, 'invalid_every', /the last row/]
  ])('%j is refused as %s', (query, code, message) => {
    const refused = refusal(() => read(query as Record<string, string>))
    expect([refused.code, refused.message]).toEqual([code, expect.stringMatching(message)])
  })

  test('is refused where it could have more cells than an answer may, and the least that fits is named', () => {
    // A session has 391 rows of a minute, its close included: 127 of them are 49,657.
    const longest = { fields: 'net_gex', to: '2026-07-28', from: '2026-01-26' }
    expect(() => stretch(longest)).not.toThrow()
    const tooLong = refusal(() => stretch({ ...longest, from: '2026-01-23' }))
    expect([tooLong.code, tooLong.message]).toEqual([
      'invalid_every',
      expect.stringMatching(/; 5m is the finest that fits$/)
    ])
    const fields = seriesFieldNames.slice(0, 20).join()
    expect(refusal(() => stretch({ fields, from: '2018-01-01', every: '30m' })).message).toMatch(/; 1d is the finest/)
    expect(refusal(() => stretch({ fields, from: '1990-01-01' })).message).toMatch(/fewer fields or a shorter period$/)
    expect(() => stretch({ fields: 'net_gex', from: '1900-01-01', every: '1d' })).not.toThrow()
  })
})

const columns: FigureColumns = {
  t: Float64Array.of(open, open + 60_500, close),
  columns: [Float64Array.of(1.5, -2e9, 0.1), Float64Array.of(Number.NaN, 700, Number.NaN)],
  waiting: [{ from: open + 1, to: close }]
}
const fields = ['net_gex', 'zero_dte.magnet']
const quote = { symbol: 'SPY' as Ticker, asOf: close, delay: 0, spot: 700.123_45, quote: {} }
const task = (form?: string, zone: 'utc' | 'et' = 'utc') => ({
  params: { fields, every: '1m' },
  inputs: { quote, figures: columns } as never,
  body: undefined,
  caller: [],
  zone,
  form
})

describe('the answer', () => {
  test('has a column for each field, as long as the moments, and null where there is no figure', () => {
    const found = JSON.parse(answer(series, task()))
    expect(found).toEqual({
      symbol: 'SPY',
      underlying_price: 700.1235,
      as_of: '2026-07-29T20:00:00.000Z',
      every: '1m',
      t: ['2026-07-29T13:30:00.000Z', '2026-07-29T13:31:00.500Z', '2026-07-29T20:00:00.000Z'],
      columns: { net_gex: [1.5, -2e9, 0.1], 'zero_dte.magnet': [null, 700, null] },
      incomplete: [{ from: '2026-07-29T13:30:00.001Z', to: '2026-07-29T20:00:00.000Z' }]
    })
    expect(ascending(found.t)).toBe(true)
    expect(JSON.parse(answer(series, task(undefined, 'et'))).t[0]).toBe('2026-07-29T09:30:00')
  })

  test('is a table of text as well', () => {
    const text = (zone: 'utc' | 'et') => new TextDecoder().decode(answerBytes(series, task('text/csv', zone)))
    expect(text('utc').split('\n')).toEqual([
      't,net_gex,zero_dte.magnet',
      '2026-07-29T13:30:00.000Z,1.5,',
      '2026-07-29T13:31:00.500Z,-2000000000,700',
      '2026-07-29T20:00:00.000Z,0.1,',
      ''
    ])
    expect(text('et').split('\n')[2]).toBe('2026-07-29T09:31:00.500,-2000000000,700')
  })

  test('is bytes of JSON where no other form is asked for, or one that there is not', () => {
    const text = (form: string | undefined) => new TextDecoder().decode(answerBytes(series, task(form)))
    expect(text(undefined)).toBe(answer(series, task()))
    expect(text('text/html')).toBe(answer(series, task()))
  })

  test.skipIf(!hasEngine)('is an Arrow stream that another reader of the format reads as the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
    const engine = await openEmbedded(join(folder, 'engine'), enginePath)
    try {
      for (const [k, found] of [columns, ...[1, 7, 8, 9, 64, 65, 1000].map(manyRows)].entries()) {
        const names = k === 0 ? fields : seriesFieldNames
        const given = { ...task('application/vnd.apache.arrow.stream'), params: { fields: names, every: '1m' } }
        const path = join(folder, `${k}.arrows`)
        writeFileSync(path, answerBytes(series, { ...given, inputs: { quote, figures: found } as never }))
        const file = `file(${textLiteral(path)}, ArrowStream)`
        const shape = rowsOf(await engine.read(`DESCRIBE ${file}`)).map(({ name, type }) => `${name} ${type}`)
        expect(shape).toEqual(["t DateTime64(3, 'UTC')", ...names.map((name) => `${name} Nullable(Float64)`)])
        const figures = names.map((name, at) => `ifNull(\`${name}\`, nan) AS f${at}`)
        const rows = rowsOf(
          await engine.read(`SELECT toUnixTimestamp64Milli(t) AS t, ${figures.join(', ')} FROM ${file}`)
        )
        expect(rows.map(({ t }) => t)).toEqual([...found.t])
        for (const at of names.keys()) expect(rows.map((row) => row[`f${at}`])).toEqual([...found.columns[at]])
      }
    } finally {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** So many rows of every field, every third of them absent in a column of its own turn. */
function manyRows(count: number): FigureColumns {
  const t = Float64Array.from({ length: count }, (_, k) => open + 1000 * k)
  const column = (at: number) => t.map((_, k) => ((k + at) % 3 === 0 && at % 5 !== 0 ? Number.NaN : (k - 3) / (at + 7)))
  return { t, columns: seriesFields.map((_, at) => column(at)), waiting: [] }
}
