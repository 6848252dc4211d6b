import { computed } from '@preact/signals'
import { at, place } from '../page/address.ts'
import { legsOf, textOfLegs } from '../page/legs.ts'
import { SIGNALS, type Signal } from '../page/place.ts'
import { figures } from '../service/figures.ts'

/** Names of the signals of strategies. */
export const SIGNAL_NAMES: Readonly<Record<Signal, string>> = {
  'dealer-regime': 'Dealer regime',
  'vol-carry': 'Volatility carry',
  'term-structure': 'Term structure',
  skew: 'Skew',
  'tail-pricing': 'Tail pricing',
  'yield-enhancement': 'Yield',
  'expiry-positioning': 'Expiry positioning',
  'zero-dte': '0DTE',
  'surface-anomaly': 'Surface',
  'flow-anomaly': 'Flow'
}

const ofSymbol = { params: ({ symbol }: { readonly symbol: string }) => ({ symbol }) }

export const signals = SIGNALS.map((name) => ({ name, found: figures(`/v1/strategies/${name}/{symbol}`, ofSymbol) }))
export type Found = NonNullable<(typeof signals)[number]['found']['answer']['value']>
export type Structure = Found['best_structures'][number]

const RANKS = ['candidate', 'neutral', 'avoid', 'insufficient_data']

/** The signals by decision and score, those without an answer last. */
export const ranked = computed(() =>
  signals
    .map(({ name, found }) => ({ name, answer: found.answer.value, trouble: found.trouble.value }))
    .sort((one, other) => rankOf(one.answer) - rankOf(other.answer))
)

const rankOf = (answer: Found | undefined) =>
  answer === undefined ? 1000 : 101 * RANKS.indexOf(answer.decision) + 100 - answer.score

/** The open signal, else the best, or the report of a company. */
export const opened = computed(() => place.value.idea ?? ranked.value[0]!.name)

/** The legs of a structure as an address of the lab has them. */
export function legsOfStructure({ legs, expiry }: Structure): string | undefined {
  const written = legs.map(
    ({ action, type, strike, quantity }) =>
      `${action === 'sell' ? '-' : '+'}${quantity}${type === 'call' ? 'C' : 'P'}${strike}@${expiry}`
  )
  return textOfLegs(legsOf(written.join()))
}

const isReport = computed(() => opened.value === 'report' && at.value === undefined)

/** Answers about the reports of a company, which are of the present only. */
const ofReport = {
  params: ({ symbol }: { readonly symbol: string }) => (isReport.value ? { symbol } : undefined),
  isDaily: true
} as const
export const reportMove = figures('/v1/earnings/expected-move/{symbol}', ofReport)
export const reportPremium = figures('/v1/earnings/vrp/{symbol}', ofReport)
export const reportCrush = figures('/v1/earnings/iv-crush/{symbol}', ofReport)
export const reportDealers = figures('/v1/earnings/dealer-positioning/{symbol}', ofReport)
export const reportScores = figures('/v1/earnings/strategies/{symbol}', ofReport)
export const reportHistory = figures('/v1/earnings/history/{symbol}', ofReport)

export const all = [
  ...signals.map(({ found }) => found),
  reportMove,
  reportPremium,
  reportCrush,
  reportDealers,
  reportScores,
  reportHistory
]
