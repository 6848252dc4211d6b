/** The price of the underlying, by the id that the stream has for it. */
export const PRICE = 'stockquote.current.mid'

/** What traders call the metrics that alerts are mostly set on; every other goes by its id. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [PRICE, 'price'],
  ['exposure.summary.gamma_flip', 'gamma flip'],
  ['exposure.levels.levels.call_wall', 'call wall'],
  ['exposure.levels.levels.put_wall', 'put wall'],
  ['exposure.levels.levels.zero_dte_magnet', '0DTE magnet'],
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

/** The name of a metric, or its id where it has no other. */
export const nameOf = (id: string) => NAMES.get(id) ?? id

/** The sentence of the service with the names that traders use. */
export const inWords = (sentence: string) =>
  [...NAMES].reduce((text, [id, name]) => text.replaceAll(` ${id} `, ` ${name} `), sentence)
