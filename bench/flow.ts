import { answer } from '../src/api/answer.ts'
import { endpoints } from '../src/endpoints/index.ts'
import type { TapeGreeks } from '../src/flow/fold.ts'
import {
  beginFolds,
  copyFolds,
  type FoldedView,
  type FoldName,
  foldedView,
  foldNames,
  type RowsNear,
  type SessionFolds,
  stepFolds
} from '../src/flow/folds.ts'
import { rowsNear } from '../src/flow/near-cancel.ts'
import type { ViewContext } from '../src/flow/tape-views.ts'
import { viewBytes } from '../src/flow/view-bytes.ts'
import { addDays } from '../src/market/calendar.ts'
import { CALL, type Chain, PUT } from '../src/market/chain.ts'
import { easternDate } from '../src/market/eastern.ts'
import { CANCEL, emptyPrints, judgedOf, MULTI_LEG, type Prints } from '../src/market/print.ts'
import { type Series, SeriesList } from '../src/market/series.ts'
import type { IsoDate, Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { type Figure, median, medianMilliseconds, report } from './support/figure.ts'
import { areRecorded, recorded, synthetic } from './support/recorded-chain.ts'

// A busy session of SPY through every fold: what one thread can take in from all tapes, how long a tape is away at a
// restart, and what a view costs the thread that folds.
const PRINTS = 2_000_000
/** The newest prints of a tape, which may be taken back. */
const HELD = 30_000
const EXPIRATIONS = 35
const STRIKES = 200
const session = '2026-07-29' as IsoDate
const OPEN = Date.UTC(2026, 6, 29, 13, 30) * 1000 // microseconds
const LENGTH = 390 * 60_000_000
const header = {
  symbol: 'SPY' as Ticker,
  kind: 'option',
  session,
  source: 'recorded',
  unit: 1e-4,
  known: (OPEN + LENGTH) / 1000,
  version: 1,
  silent: false
} as const

export async function run(): Promise<readonly Figure[]> {
  const series = seriesOfSession()
  const prints = printsOfSession(series)
  const folded = (block: number, names?: readonly FoldName[]) => foldedSession(series, prints, block, names)
  const withoutPressure = foldNames.filter((name) => name !== 'pressure')
  const seconds = (names?: readonly FoldName[]) => secondsOf(() => folded(4096, names))
  const ratios = Array.from({ length: 12 }, () => seconds(withoutPressure) / seconds()).slice(3) // the first ones warm up
  const rate = (block: number) => {
    const seconds = Math.min(...[0, 1, 2, 3].map(() => secondsOf(() => folded(block))))
    return {
      name: `option prints through every fold, blocks of ${block}`,
      value: PRINTS / seconds / 1e6,
      unit: 'M/s',
      atLeast: 4
    }
  }
  const state = folded(4096)
  return [
    rate(4096),
    rate(16),
    { name: 'a session of 2 M prints folded again', value: secondsOf(() => folded(4096)), unit: 's', atMost: 1 },
    {
      name: 'a copy of the folds',
      value: medianMilliseconds(() => copyFolds(state), { runs: 9, warmUp: 3 }),
      unit: 'ms'
    },
    {
      name: 'rate of all folds beside that without hedging pressure',
      value: median(ratios),
      unit: 'x',
      atLeast: 0.85
    },
    ...pressureMemory(series, prints),
    ...viewFigures(state, series),
    await liveFigure()
  ]
}

/** Bytes of the newest greeks of a contract: strike, right, delta, gamma and vega. */
const BYTES_OF_GREEKS = 33

/**
 * Memory of hedging pressure on a day on which contracts of every symbol expire: of SPY, of a quiet symbol all of whose
 * prints may be taken back, and of many.
 */
function pressureMemory(series: Series, prints: Prints): readonly Figure[] {
  const megabytes = (folds: SessionFolds, contracts: number) =>
    (viewBytes([folds.states.pressure, folds.states.hedgeFlow?.greeks]) + BYTES_OF_GREEKS * contracts) / 1e6
  const [one, other] = [
    megabytes(foldedSession(series, prints, 4096, ['pressure', 'hedgeFlow']), 14_024),
    megabytes(quietSession(), 2 * QUIET.series)
  ]
  return [
    { name: 'memory of hedging pressure: SPY, 2 M prints', value: one, unit: 'MB' },
    { name: `memory of hedging pressure: a quiet symbol, ${QUIET.prints} prints`, value: other, unit: 'MB' },
    {
      name: 'memory of hedging pressure: 10 like SPY, 240 quiet',
      value: 10 * one + 240 * other,
      unit: 'MB',
      atMost: 100
    }
  ]
}

/** The session as a tape folds it, which holds its newest prints only. */
function foldedSession(series: Series, prints: Prints, block: number, names?: readonly FoldName[]): SessionFolds {
  const state = beginFolds({ kind: 'option', session, unit: 1e-4 }, names)
  const greeks = greeksByMinute(series)
  for (let from = 0; from < prints.length; from += HELD) {
    const to = Math.min(from + HELD, prints.length)
    const dropped = Math.max(0, from - HELD)
    const held = viewOf(prints, dropped, to)
    const near: RowsNear = (cancel, of) => rowsNear(held, series, cancel, of)
    for (let at = from; at < to; at += block) {
      const tape = { prints: held, series, greeks: greeks(prints.known[at]), dropped }
      stepFolds(state, tape, at - dropped, Math.min(at + block, to) - dropped, near)
    }
  }
  return state
}

/** The rows from `from` to `to`, not copied. */
function viewOf(prints: Prints, from: number, to: number): Prints {
  const columns = Object.entries(prints).map(([name, column]) => [
    name,
    ArrayBuffer.isView(column) ? (column as Float64Array).subarray(from, to) : to - from
  ])
  return Object.fromEntries(columns)
}

/** A session of a symbol whose prints may all be taken back, on half of its contracts. */
const QUIET = { prints: 11_000, series: 1000 }

function quietSession(): SessionFolds {
  const series = seriesOfSession(QUIET.series / 2 / EXPIRATIONS)
  const prints = printsOn(series, QUIET.prints, LENGTH / QUIET.prints)
  const state = beginFolds({ kind: 'option', session, unit: 1e-4 }, ['pressure', 'hedgeFlow'])
  const greeks = greeksByMinute(series)
  for (let at = 0; at < prints.length; at++)
    stepFolds(state, { prints, series, greeks: greeks(prints.known[at]), dropped: 0 }, at, at + 1, () => prints)
  return state
}

/**
 * Measures a thousand further prints of SPX, on any of its contracts, until the headline figures of flow include them.
 */
async function liveFigure(): Promise<Figure> {
  const listed = areRecorded ? await recorded('SPX', '2026-07-31') : await synthetic('SPX')
  const chain = priceChain(listed, defaultAssumptions, fittedSmile)
  const series = seriesOf(chain)
  const prints = printsOn(series, 200_000)
  const its = { ...header, symbol: chain.symbol, session: easternDate(chain.asOf), known: chain.asOf }
  const state = beginFolds(its)
  const near: RowsNear = (cancel, of) => rowsNear(prints, series, cancel, of)
  const live = endpoints.find(({ id }) => id === 'flow.live')!
  let rows = 100_000
  stepFolds(state, { prints, series, greeks: undefined, dropped: 0 }, 0, rows, near)
  const answerAnew = () => {
    stepFolds(state, { prints, series, greeks: undefined, dropped: 0 }, rows, rows + 1000, near)
    rows += 1000
    const moment: ViewContext = { ...its, version: rows, now: chain.asOf, series, confidence: 0.43 }
    const positions = foldedView(state, 'positions', moment)!
    answer(live, { params: { symbol: chain.symbol }, inputs: { chain, positions }, body: undefined, caller: [] })
  }
  for (let k = 0; k < 50; k++) answerAnew()
  const value = 1000 * median(Array.from({ length: 41 }, () => secondsOf(answerAnew)))
  return { name: `1,000 prints to flow/live of SPX, ${chain.size} contracts, CPU`, value, unit: 'ms', atMost: 6 }
}

function seriesOf({ expirations, strike, right }: Chain): Series {
  const list = new SeriesList()
  for (const { date, root, settlement, start, end } of expirations) {
    for (let i = start; i < end; i++) {
      list.numberOf({ date, root, settlement, strike: strike[i], right: right[i], adjusted: false })
    }
  }
  return list.columns
}

/** Prints on any of these series, so many microseconds apart. */
function printsOn({ length }: Series, count: number, apart = 10_000): Prints {
  const random = seeded(2)
  const prints = emptyPrints(count)
  for (let at = 0; at < count; at++) {
    prints.ts[at] = prints.known[at] = OPEN + 1 + Math.round(at * apart)
    prints.sequence[at] = at
    prints.instrument[at] = Math.floor(length * random())
    prints.price[at] = 10_000
    prints.size[at] = 1 + Math.floor(10 * random())
    prints.judged[at] = judgedOf(1 + Math.floor(2 * random()), 2, 1)
  }
  return prints
}

function viewFigures(state: SessionFolds, series: Series): readonly Figure[] {
  const moment: ViewContext = { ...header, now: header.known, series, confidence: 0.43 }
  const names: readonly FoldedView[] = ['positions', 'totals', 'minutes', 'prints', 'blocks', 'groups']
  return names.map((name) => ({
    name: `view of ${name}`,
    value: medianMilliseconds(() => foldedView(state, name, moment), { runs: 15, warmUp: 5 }),
    unit: 'ms'
  }))
}

function seriesOfSession(strikes = STRIKES): Series {
  const list = new SeriesList()
  for (let day = 0; day < EXPIRATIONS; day++) {
    for (let k = 0; k < strikes; k++) {
      for (const right of [CALL, PUT]) {
        list.numberOf({
          root: 'SPY',
          date: addDays(session, day),
          settlement: 'pm',
          strike: 530 + k,
          right,
          adjusted: false
        })
      }
    }
  }
  return list.columns
}

/** A third of the prints on the day itself, most of them near the money; a tenth of several legs, one in 5,000 taken back. */
function printsOfSession(series: Series): Prints {
  const random = seeded(1)
  const prints = emptyPrints(PRINTS)
  const perExpiration = series.length / EXPIRATIONS
  let ts = OPEN
  const mean = LENGTH / PRINTS
  for (let at = 0; at < PRINTS; at++) {
    ts += Math.round(-Math.log(1 - random()) * mean)
    const takenBack = at - 1 - Math.floor(random() * 20_000)
    if (takenBack >= 0 && random() < 2e-4 && (prints.flags[takenBack] & CANCEL) === 0) {
      for (const name of [
        'ts',
        'sequence',
        'instrument',
        'price',
        'size',
        'spot',
        'flags',
        'judged',
        'exchange'
      ] as const) {
        prints[name][at] = prints[name][takenBack]
      }
      prints.flags[at] |= CANCEL
      prints.known[at] = ts
      continue
    }
    const day = Math.min(Math.floor(-2.5 * Math.log(1 - random())), EXPIRATIONS - 1)
    const away = 4 * Math.sqrt(1 + day) * Math.log(1 - random()) * (random() < 0.5 ? 1 : -1)
    const strike = Math.min(Math.max(Math.round(STRIKES / 2 + away), 0), STRIKES - 1)
    const side = random() < 0.12 ? 0 : random() < 0.5 ? 1 : 2
    const isMultiLeg = random() < 0.1
    prints.known[at] = ts
    prints.ts[at] = ts
    prints.sequence[at] = at
    prints.instrument[at] = day * perExpiration + 2 * strike + (random() < 0.5 ? 0 : 1)
    prints.price[at] = 100 * (1 + Math.floor(900 * random() ** 3))
    prints.size[at] = random() < 0.02 ? 50 + Math.floor(200 * random()) : 1 + Math.floor(10 * random() ** 2)
    prints.bid[at] = prints.price[at] - 100
    prints.ask[at] = prints.price[at]
    prints.spot[at] = 6_300_000 + Math.floor(10_000 * random())
    prints.flags[at] = isMultiLeg ? MULTI_LEG : 0
    prints.judged[at] = isMultiLeg ? 0 : judgedOf(side, side === 1 ? 2 : side === 2 ? 3 : 0, 1)
    prints.exchange[at] = 1 + Math.floor(16 * random())
  }
  return prints
}

/** Greeks by the minute in which a block becomes known, of two images in turn. */
function greeksByMinute(series: Series): (known: number) => TapeGreeks {
  const images = [0.45, 0.5].map((delta) => ({
    values: new Float64Array(3 * series.length).map((_, k) => [delta, 0.02, 0.3][k % 3]),
    next: series.expirations
      .map(({ date }) => date)
      .sort()
      .find((date) => date > session)
  }))
  let greeks: TapeGreeks | undefined
  return (known) => {
    const minute = Math.floor(known / 60_000_000)
    if (greeks?.since === minute * 60_000_000) return greeks
    return (greeks = { since: minute * 60_000_000, ...images[minute % 2] })
  }
}

/** Seconds of this process on a core: neighbours on the machine take none of them. */
function secondsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Numbers in [0, 1), the same on every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

await report(import.meta.url, run)
