import type { Explained, Signal } from '../page/place.ts'

/** Stream id of the price of the underlying. */
export const PRICE = 'stockquote.current.mid'

/** Stream ids of the figures that the service explains. */
const METRICS: Readonly<Record<Explained, string>> = {
  net_gex: 'exposure.summary.exposures.net_gex',
  net_dex: 'exposure.summary.exposures.net_dex',
  net_vex: 'exposure.summary.exposures.net_vex',
  net_chex: 'exposure.summary.exposures.net_chex',
  gamma_flip: 'exposure.summary.gamma_flip',
  call_wall: 'exposure.levels.levels.call_wall',
  put_wall: 'exposure.levels.levels.put_wall',
  magnet: 'exposure.levels.levels.zero_dte_magnet',
  max_pain: 'maxpain.current.max_pain_strike'
}

/** Stream ids of the levels that the chart draws, by their fields in its bars. An alert may be tied to one of them. */
export const LEVEL_METRICS = {
  call_wall: METRICS.call_wall,
  put_wall: METRICS.put_wall,
  gamma_flip: METRICS.gamma_flip,
  'zero_dte.magnet': METRICS.magnet,
  max_pain: METRICS.max_pain
} as const

/** Score from which a signal is a candidate. */
const CANDIDATE = '70'

const isExplained = (watch: string): watch is Explained => watch in METRICS

/** Conditions of a new alert: a net exposure against 0, the price against a level wherever it is, the score of a signal. */
export function alertDraft(card: Explained | Signal): { readonly metric: string; readonly value: string } {
  if (!isExplained(card)) return { metric: `strategies.${card.replaceAll('-', '_')}.score`, value: CANDIDATE }
  const id = METRICS[card]
  return card.startsWith('net_') ? { metric: id, value: '0' } : { metric: PRICE, value: id }
}

/** Traders' names for the metrics that alerts mostly use. Other metrics keep their ids. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [PRICE, 'price'],
  ['exposure.summary.gamma_flip', 'gamma flip'],
  ['exposure.levels.levels.call_wall', 'call wall'],
  ['exposure.levels.levels.put_wall', 'put wall'],
  ['exposure.levels.levels.zero_dte_magnet', '0DTE magnet'],
  ['maxpain.current.max_pain_strike', 'max pain'],
  ['exposure.summary.exposures.net_gex', 'net GEX'],
  ['exposure.summary.exposures.net_dex', 'net DEX'],
  ['exposure.summary.exposures.net_vex', 'net VEX'],
  ['exposure.summary.exposures.net_chex', 'net CHEX'],
  ['exposure.summary.zero_dte.net_gex', '0DTE net GEX'],
  ['volatility.current.atm_iv_30d', '30-day ATM IV'],
  ['volatility.current.model_free.days_30', '30-day model-free IV'],
  ['vrp.current.vrp.z_score', 'premium z-score'],
  ['macro.vix_state.vix', 'VIX']
])

export const knownMetrics = [...NAMES.keys()]

/** The name of a metric, or else its id. */
export const nameOf = (id: string) => NAMES.get(id) ?? id

/** The id of a metric by its name; what is no name is taken as it is. */
export const idOf = (name: string) => [...NAMES].find(([, each]) => each === name)?.[0] ?? name

/** Replaces ids by names in a sentence of the service. */
export const inWords = (sentence: string) =>
  [...NAMES].reduce((text, [id, name]) => text.replaceAll(` ${id} `, ` ${name} `), sentence)
