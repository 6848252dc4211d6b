import { fixed, level, percent, price, usd } from '../../parts/format.ts'
import type { Card } from '../../state/page/place.ts'

type Value = number | null | undefined

/** How a card names its figure: its page of docs/methods, what a value is per, and how it is written. */
interface Named {
  readonly name: string
  readonly method: string
  readonly unit?: string
  readonly text: (value: Value) => string
}

const dollars = (value: Value) => usd(value)

export const CARD_NAMES: Readonly<Record<Card, Named>> = {
  net_gex: { name: 'Net GEX', method: 'gamma-exposure', unit: 'per 1 % move', text: dollars },
  net_dex: { name: 'Net DEX', method: 'delta-exposure', unit: 'delta, notional', text: dollars },
  net_vex: { name: 'Net VEX', method: 'vanna-exposure', unit: 'per vol point', text: dollars },
  net_chex: { name: 'Net CHEX', method: 'charm-exposure', unit: 'a day; 0DTE to the close', text: dollars },
  gamma_flip: { name: 'Gamma flip', method: 'gamma-flip', text: level },
  call_wall: { name: 'Call wall', method: 'key-levels', text: level },
  put_wall: { name: 'Put wall', method: 'key-levels', text: level },
  magnet: { name: '0DTE magnet', method: 'key-levels', text: level },
  max_pain: { name: 'Max pain', method: 'max-pain', text: level },
  atm_iv: {
    name: 'Implied volatility',
    method: 'smile',
    unit: 'at the money',
    text: (value) => percent(value, 'plain')
  },
  'zero_dte.pin_score': { name: 'Pin score', method: 'pin-risk', unit: 'of 100', text: (value) => fixed(value, 0) },
  'zero_dte.theta_per_hour': { name: '0DTE theta', method: 'zero-dte', unit: 'an hour', text: dollars },
  'zero_dte.remaining_1sd_dollars': { name: 'Move left today', method: 'expected-move', unit: '1σ', text: price },
  'flow.net_gex_live': { name: 'GEX with flow', method: 'estimated-positions', unit: 'per 1 % move', text: dollars },
  'flow.hedge.delta': {
    name: 'Hedging pressure',
    method: 'hedging-pressure',
    unit: 'delta since the open',
    text: dollars
  },
  'flow.hedge.delta_next': {
    name: 'Hedging pressure, next expiration',
    method: 'hedging-pressure',
    unit: 'delta since the open',
    text: dollars
  },
  'flow.hedge.gamma': {
    name: 'Gamma bought',
    method: 'hedging-pressure',
    unit: 'per 1 %, since the open',
    text: dollars
  },
  'flow.hedge.vega': {
    name: 'Vega bought',
    method: 'hedging-pressure',
    unit: 'per vol point, since the open',
    text: dollars
  }
}

/** A value of the service as the page shows it: vanna is answered per 1.00 of volatility and shown per point. */
const shown = (card: Card, value: Value) =>
  card === 'net_vex' && value !== null && value !== undefined ? value / 100 : value

/** A figure as the page writes it. */
export const figureText = (card: Card, value: Value) => CARD_NAMES[card].text(shown(card, value))

/** A part of a net exposure or a change of one, with its sign. */
export const changeText = (card: Card, value: Value) => usd(shown(card, value), value === 0 ? 'plain' : 'signed')
