import { level, usd } from '../../parts/format.ts'
import type { Card } from '../../state/page/place.ts'

/** How a card names its figure: its page of docs/methods, and what a value is per. */
interface Named {
  readonly name: string
  readonly method: string
  readonly unit?: string
}

export const CARD_NAMES: Readonly<Record<Card, Named>> = {
  net_gex: { name: 'Net GEX', method: 'gamma-exposure', unit: 'per 1 % move' },
  net_dex: { name: 'Net DEX', method: 'delta-exposure', unit: 'delta, notional' },
  net_vex: { name: 'Net VEX', method: 'vanna-exposure', unit: 'per vol point' },
  net_chex: { name: 'Net CHEX', method: 'charm-exposure', unit: 'a day; 0DTE to the close' },
  gamma_flip: { name: 'Gamma flip', method: 'gamma-flip' },
  call_wall: { name: 'Call wall', method: 'key-levels' },
  put_wall: { name: 'Put wall', method: 'key-levels' },
  magnet: { name: '0DTE magnet', method: 'key-levels' },
  max_pain: { name: 'Max pain', method: 'max-pain' }
}

type Value = number | null | undefined

/** A value of the service as the page shows it: vanna is answered per 1.00 of volatility and shown per point. */
const shown = (card: Card, value: Value) =>
  card === 'net_vex' && value !== null && value !== undefined ? value / 100 : value

/** A figure as the page writes it, USD or a price. */
export const figureText = (card: Card, value: Value) =>
  card.startsWith('net_') ? usd(shown(card, value)) : level(value)

/** A part of a net exposure or a change of one, with its sign. */
export const changeText = (card: Card, value: Value) => usd(shown(card, value), value === 0 ? 'plain' : 'signed')
