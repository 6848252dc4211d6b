import { computed } from '@preact/signals'
import type { AnswerOf, GetPath } from 'gammawall/client'
import { date, horizon } from '../day/day.ts'
import { ended, type Track } from '../day/track.ts'
import { place } from '../page/address.ts'
import { type Figures, figures } from '../service/figures.ts'
import type { Follow } from '../stream/stream-state.ts'

const expiry = computed(() => place.value.expiry)
/** Parameters for one symbol and, if the address names one, one expiration. */
const asked = (symbol: string) => ({ symbol, ...(expiry.value !== undefined && { expiry: expiry.value }) })

/** How often the tape is requested while the stream brings the rest, milliseconds. */
const EVERY = 5000
const isLarge = computed(() => place.value.least !== undefined)
/** Number of prints in a request. */
const PRINTS = 500
/** Smallest size of the prints that the service keeps longest, contracts. */
export const LARGE = 25

/** Estimated change of positions and of dealer gamma. */
export const risk = figures('/v1/flow/dealer-risk/{symbol}', { params: ({ symbol }) => asked(symbol), isMain: true })
export const tilt = figures('/v1/flow/signals/{symbol}/summary', { params: ({ symbol }) => asked(symbol) })
export const sums = figures('/v1/flow/options/{symbol}/summary', { params: ({ symbol }) => asked(symbol) })
export const signals = figures('/v1/flow/signals/{symbol}', {
  params: ({ symbol }) => ({ ...asked(symbol), limit: 200 })
})
/** The newest prints. If the reader asks for a smallest premium, `large` is requested instead. */
export const recent = figures('/v1/flow/options/{symbol}/recent', {
  params: ({ symbol }) => (isLarge.value ? undefined : { ...asked(symbol), limit: PRINTS }),
  every: EVERY
})
export const large = figures('/v1/flow/options/{symbol}/blocks', {
  params: ({ symbol }) => (isLarge.value ? { ...asked(symbol), limit: PRINTS, minSize: LARGE } : undefined),
  every: EVERY
})
/** Minutes of a full session. */
export const SESSION = 390
export const running = figures('/v1/flow/options/{symbol}/cumulative', {
  params: ({ symbol }) => (date.value === undefined ? undefined : { ...asked(symbol), minutes: SESSION })
})
export const shares = figures('/v1/flow/stocks/leaderboard', { params: () => ({ n: 4 }) })
export const leaders = figures('/v1/flow/options/leaderboard', { params: () => ({ n: 5 }) })
export const outliers = figures('/v1/flow/options/outliers', { params: () => ({ limit: 8 }) })

export const all = [risk, tilt, sums, signals, recent, large, running, leaders, outliers, shares] as const

export type Signal = AnswerOf<'/v1/flow/signals/{symbol}'>['signals'][number]
type Trade = AnswerOf<'/v1/flow/options/{symbol}/recent'>['trades'][number]

/** A print of the tape; large prints come without their quote. */
export interface Print extends Pick<Trade, 'ts' | 'expiry' | 'strike' | 'right' | 'price' | 'size' | 'side'> {
  readonly bid: number | null
  readonly ask: number | null
  /** Price times size times 100 shares, USD, like the premium of a signal. */
  readonly premium: number
}

/** Whether the filters of the address let a print or signal through, and it is not after the shown moment. */
function isShown({ ts, expiry, right, side, premium }: Pick<Signal, 'ts' | 'expiry' | 'right' | 'side' | 'premium'>) {
  const wanted = place.value
  return (
    Date.parse(ts) <= horizon.value &&
    (wanted.expiry === undefined || expiry === wanted.expiry) &&
    (wanted.right === undefined || right === wanted.right) &&
    (wanted.side === undefined || side === wanted.side) &&
    premium >= (wanted.least ?? 0)
  )
}

const CONTRACT = 100
const withPremium = <Row extends { readonly price: number; readonly size: number }>(row: Row) => ({
  ...row,
  premium: row.price * row.size * CONTRACT
})

export const tape = computed(() => (isLarge.value ? large : recent))

/** Filtered prints, newest first. */
export const prints = computed((): readonly Print[] => {
  if (!isLarge.value) return (recent.answer.value?.trades ?? []).map(withPremium).filter(isShown)
  const blocks = large.answer.value?.blocks ?? []
  return blocks.map((each) => withPremium({ ...each, bid: null, ask: null })).filter(isShown)
})

/** Filtered signals, best first. */
export const chosenSignals = computed((): readonly Signal[] => {
  const { tag } = place.value
  return (signals.answer.value?.signals ?? [])
    .filter(isShown)
    .filter(({ tags }) => tag === undefined || tags.includes(tag))
})

/** Expirations to choose from, ascending: those of the loaded signals and prints. */
export const expirations = computed((): readonly string[] => {
  const held = [
    ...(signals.answer.value?.signals ?? []),
    ...(recent.answer.value?.trades ?? []),
    ...(place.value.expiry === undefined ? [] : [{ expiry: place.value.expiry }])
  ]
  return [...new Set(held.map(({ expiry }) => expiry))].sort()
})

/** Milliseconds. */
const MINUTE = 60_000

/** Contracts bought less contracts sold since the open. */
export const netTrack = computed((): Track => {
  const rows = ended(running.answer.value?.points ?? [], ({ ts }) => ts, MINUTE, Number.POSITIVE_INFINITY)
  return { times: rows.map(({ time }) => time), lines: [rows.map(({ row }) => row.cumulative)] }
})

/** Follows live totals of the symbol and, if the address names one, of its expiration. */
export function followFlow(follow: Follow): void {
  const params = expiry.value === undefined ? undefined : { expiry: expiry.value }
  const take = <Path extends GetPath>(
    id: string,
    of: Figures<Path>,
    fields: readonly (keyof AnswerOf<Path> & string)[]
  ) => {
    for (const field of fields)
      follow(
        `flow.${id}.${field}`,
        1000,
        (value) => {
          if (typeof value === 'number') of.patch((answer) => ({ ...answer, [field]: value }))
        },
        params
      )
  }
  take('dealer_risk', risk, ['live_net_gex', 'flow_gex_pct_shift'])
  take('options_summary', sums, ['buyVolume', 'sellVolume', 'netVolume'])
  take('signals_summary', tilt, [
    'bullish_premium',
    'bearish_premium',
    'net_directional_premium',
    'opening_premium',
    'closing_premium'
  ])
}
