import type { EmbedPanels } from '../server/embed/tokens.ts'

/** The panels of the dashboard that can be embedded, with the endpoints they are drawn from. */
export const embedPanels: EmbedPanels = {
  ladder: ['exposure.gex', 'exposure.levels', 'exposure.zero_dte', 'stockquote.current'],
  levels: ['exposure.levels', 'exposure.zero_dte', 'stockquote.current'],
  reading: ['exposure.narrative', 'exposure.summary'],
  expirations: ['exposure.term_structure'],
  pain: ['maxpain.current'],
  smile: ['adv_volatility.current', 'optionquote.current'],
  surface: ['adv_volatility.current'],
  terms: ['adv_volatility.current', 'volatility.skew_term']
}
