import type { ReceivedPayload } from '../../src/connectors/port/connector.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import { buildChain, type Chain, type ContractRow } from '../../src/market/chain.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { jumbled, ladder, type SeriesSketch, sketched } from './hand-made.ts'
import { type ScriptedSource, scriptedSource } from './scripted-source.ts'

const series: readonly SeriesSketch[] = ['2026-07-31', '2026-08-21', '2026-09-18', '2026-12-18'].map((date) => ({
  date,
  strikes: ladder(80, 124, 4),
  oi: (strike, right) => 1 + jumbled(strike, right, 900),
  volume: (strike, right) => jumbled(strike, right, 90)
}))
const standing = sketched({ date: '2026-07-29', time: '11:00', spot: 100.3, series })
/** The contracts after spot and options have gone up by a fifth. */
const moved = sketched({ date: '2026-07-29', time: '11:00', spot: 120.4, series })

/** The rows of a chain, so that a fault can be made in them. */
export function rowsOf(chain: Chain): readonly ContractRow[] {
  const { strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } = chain
  return chain.expirations.flatMap(({ root, date, settlement, start, end }) =>
    Array.from({ length: end - start }, (_, k) => {
      const i = start + k
      return {
        root,
        expiration: date,
        settlement,
        strike: strike[i],
        right: right[i],
        bid: bid[i],
        ask: ask[i],
        last: last[i],
        bidSize: bidSize[i],
        askSize: askSize[i],
        volume: volume[i],
        openInterest: openInterest[i]
      }
    })
  )
}

const withRows = (chain: Chain, change: (row: ContractRow, k: number) => ContractRow | undefined): Chain =>
  buildChain(
    chain,
    rowsOf(chain).flatMap((row, k) => change(row, k) ?? [])
  )

/** A chain, with the number of rows that could not be read or used. */
type Payload = Chain | { readonly chain: Chain; readonly unreadable?: number; readonly unusable?: number }

type Mistake = (chain: Chain) => Payload

/** Payloads that contradict the held chain and must be held back. */
const contradictions = {
  'an empty list': (chain) => withRows(chain, () => undefined),
  'half of the contracts': (chain) => withRows(chain, (row, at) => (at % 2 === 0 ? row : undefined)),
  'one expiration': (chain) => withRows(chain, (row) => (row.expiration <= '2026-07-31' ? row : undefined)),
  'no open interest': (chain) => withRows(chain, (row) => ({ ...row, openInterest: 0 })),
  'twice the open interest': (chain) => withRows(chain, (row) => ({ ...row, openInterest: 2 * row.openInterest })),
  'an hour ago': (chain) => ({ ...chain, asOf: chain.asOf - 60 * 60_000 }),
  yesterday: (chain) => ({ ...chain, asOf: chain.asOf - 24 * 60 * 60_000 }),
  'a spot ten times as high': (chain) => ({ ...chain, spot: 10 * chain.spot }),
  'a spot a fifth lower': (chain) => ({ ...chain, spot: 0.8 * chain.spot })
} satisfies Record<string, Mistake>

/** Payloads that must be refused whatever chain is held. */
const impossibilities = {
  'rows that cannot be read': (chain) => ({
    chain: withRows(chain, (row, at) => (at % 5 < 4 ? row : undefined)),
    unreadable: 0.6
  }),
  'quotes that are no numbers': (chain) => ({
    chain: withRows(chain, (row, at) => (at % 4 > 0 ? row : undefined)),
    unusable: 0.25
  }),
  'quotes that are zero': (chain) => withRows(chain, (row) => ({ ...row, bid: 0, ask: Number.NaN })),
  'quotes that are absent': (chain) => withRows(chain, (row) => ({ ...row, bid: Number.NaN, ask: Number.NaN })),
  'quotes that are crossed': (chain) =>
    withRows(chain, (row, at) => (at % 5 === 0 ? { ...row, bid: row.ask + 1 } : row)),
  'a moment from the future': (chain) => ({ ...chain, asOf: chain.asOf + 10 * 60_000 }),
  'no spot': (chain) => ({ ...chain, spot: Number.NaN })
} satisfies Record<string, Mistake>

export const contradictory = Object.keys(contradictions) as readonly (keyof typeof contradictions)[]
export const impossible = Object.keys(impossibilities) as readonly (keyof typeof impossibilities)[]
const mistakes: ReadonlyMap<string, Mistake> = new Map(Object.entries({ ...contradictions, ...impossibilities }))

/** Errors that a source may return instead of an answer. */
const failures = {
  'is down': () => new SourceError('unavailable', 'the source is down'),
  'is overrun': () => new SourceError('rate_limited', 'too many requests', 5000),
  'denies it': () => new SourceError('refused', 'the source refuses'),
  'breaks off': () => new SourceError('malformed', 'the answer broke off'),
  'is late': () => new SourceError('timeout', 'the source did not answer')
} as const
export const failureNames = Object.keys(failures) as readonly (keyof typeof failures)[]

/** Everything the source can do with a request. `hangs`: nothing, until `release`. `moves`: spot jumps, the options with it. */
export type Mode =
  | 'good'
  | 'moves'
  | 'hangs'
  | 'loses it'
  | keyof typeof contradictions
  | keyof typeof impossibilities
  | (typeof failureNames)[number]
export const modes: readonly Mode[] = [
  'good',
  'moves',
  'hangs',
  'loses it',
  ...contradictory,
  ...impossible,
  ...failureNames
]

export interface HostileSource extends ScriptedSource {
  /** Mode of each symbol; `good` by default. */
  readonly modes: Map<string, Mode>
  /** Lets what hangs fail. */
  release(): void
  /** Whether a chain of a symbol is held: where none is, nothing contradicts it, and the source is `good` instead. */
  isHeld: (symbol: string) => boolean
  /** How far the clock of the source is before that of the service, milliseconds. */
  ahead: number
  /** Symbol and moment of every payload that was good and taken. */
  readonly good: Set<string>
}

/** A source with every mode of misbehaviour. It shows what it made to the check, as a connector that keeps things does. */
export function hostileSource(): HostileSource {
  const inner = scriptedSource()
  const hanging: (() => void)[] = []
  /** Last good chain of each symbol, in which faults are made. */
  const last = new Map<string, Chain>()
  const source: HostileSource = {
    ...inner,
    pace: 1000,
    tickers: ['AAPL', 'KO', 'MSFT', 'SPY'] as Ticker[],
    listsAll: true,
    modes: new Map(),
    isHeld: () => true,
    ahead: 0,
    good: new Set(),
    release: () => {
      for (const fail of hanging.splice(0)) fail()
    },
    chain: async (symbol, now, _signal, check) => {
      inner.asked.push({ symbol, now })
      const asked = source.modes.get(symbol) ?? 'good'
      const mode = Object.hasOwn(contradictions, asked) && !source.isHeld(symbol) ? 'good' : asked
      if (mode === 'hangs') {
        await new Promise<void>((resolve) => hanging.push(resolve))
        throw new SourceError('timeout', 'the source did not answer within 10 seconds')
      }
      if (mode === 'loses it' || !source.tickers.includes(symbol)) return undefined
      if (Object.hasOwn(failures, mode)) throw failures[mode as keyof typeof failures]()
      const from = mode === 'moves' ? moved : mode === 'good' ? standing : (last.get(symbol) ?? standing)
      const chain = goodChain(symbol, now + source.ahead, from)
      const mistake = mistakes.get(mode)
      const shown: Payload = mistake === undefined ? chain : mistake(chain)
      const { chain: given, unreadable = 0, unusable = 0 } = 'chain' in shown ? shown : { chain: shown as Chain }
      check?.(given, receivedOf(given, { symbol, mode, unreadable, unusable }))
      if (mistake === undefined) {
        last.set(symbol, from)
        source.good.add(`${symbol} ${given.asOf}`)
      }
      return given
    }
  }
  return source
}

/** A good chain of a symbol at a moment. */
export function goodChain(symbol: string, asOf: Instant, from: Chain = standing): Chain {
  return { ...from, symbol: symbol as Ticker, asOf, quote: { ...from.quote, time: asOf } }
}

function receivedOf(
  { size }: Chain,
  { symbol, mode, unreadable, unusable }: { symbol: string; mode: string; unreadable: number; unusable: number }
): ReceivedPayload {
  const payload = new TextEncoder().encode(JSON.stringify({ symbol, mode }))
  const rows = Math.round(size / (1 - unreadable - unusable))
  const lost = Math.round(unusable * rows)
  return { payload, reading: { rows, unreadable: Math.round(unreadable * rows), unusable: lost, unusableLiquid: lost } }
}
