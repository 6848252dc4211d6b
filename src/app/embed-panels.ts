import type { EmbedPanels } from '../server/embed/tokens.ts'

/** The panels of the dashboard that can be embedded, with the endpoints they are drawn from, beside the session. */
const drawnFrom: EmbedPanels = {
  ladder: [
    'exposure.summary',
    'exposure.gex',
    'exposure.levels',
    'exposure.zero_dte',
    'exposure.matrix',
    'series.current'
  ],
  levels: ['exposure.levels', 'exposure.zero_dte'],
  reading: ['exposure.narrative'],
  today: ['exposure.zero_dte'],
  hedging: ['exposure.zero_dte'],
  profile: ['exposure.profile', 'exposure.levels'],
  expirations: ['exposure.term_structure'],
  matrix: ['exposure.matrix', 'exposure.levels', 'exposure.term_structure'],
  pain: ['maxpain.current', 'exposure.matrix'],
  smile: ['adv_volatility.current', 'optionquote.current'],
  surface: ['adv_volatility.current'],
  terms: ['adv_volatility.current'],
  skew: ['volatility.skew_term']
}

/** Every panel says the price and the hours of its session. */
export const embedPanels: EmbedPanels = Object.fromEntries(
  Object.entries(drawnFrom).map(([panel, endpoints]) => [panel, ['market.session', ...endpoints]])
)
