import type { AnswerOf } from 'gammawall/client'
import { fixed, level, percent } from '../../parts/format.ts'
import type { Card, Explained } from '../../state/page/place.ts'
import type { Net } from '../../state/screens/card-state.ts'
import { figureText } from './card-names.ts'

export type Bands = AnswerOf<'/v1/exposure/bands/{symbol}'>
export type Models = AnswerOf<'/v1/exposure/models/{symbol}'>
type NetBand = Bands['net_gex']

/** A share as a count of 100, never rounded to certainty. */
export function ofHundred(share: number): string {
  const count = Math.round(100 * share)
  if (count === 100 && share < 1) return 'more than 99 of 100'
  if (count === 0 && share > 0) return 'fewer than 1 of 100'
  return `${count} of 100`
}

/** One uncertainty of a figure: where nine of ten cases lie, and the middle half if there are quantiles. */
export interface Range {
  readonly name: string
  readonly hint: string
  readonly low: number
  readonly high: number
  readonly half?: readonly [low: number, high: number]
}

const quantiles = ({ p05, p25, p75, p95 }: NetBand['combined']) => ({ low: p05, high: p95, half: [p25, p75] as const })

/** The uncertainties of a net exposure. Net delta does not depend on the sides of dealers. */
export function rangesOf(card: Net, { positions, sign, quotes, combined }: NetBand): readonly Range[] {
  return [
    { name: 'Positions', hint: 'Open interest may have changed since it was settled', ...quantiles(positions) },
    ...(card === 'net_dex'
      ? []
      : [{ name: 'Sides', hint: 'Dealers may hold the other side of some contracts', ...quantiles(sign) }]),
    { name: 'Bid and ask', hint: 'With the volatilities of bid and ask', low: quotes.low, high: quotes.high },
    { name: 'Combined', hint: 'Positions and sides together', ...quantiles(combined) }
  ]
}

/** Words on the range that holds nine of ten cases. */
export const rangeWords = (card: Card, { p05, p95 }: { readonly p05: number; readonly p95: number }) =>
  `Between ${figureText(card, p05)} and ${figureText(card, p95)} in 90 of 100 cases.`

type FlipBand = Bands['gamma_flip']['combined']

/** The uncertainties of the flip that have quantiles. */
export function flipRanges({ positions, combined }: Bands['gamma_flip']): readonly Range[] {
  const range = (name: string, hint: string, { p05, p25, p75, p95 }: FlipBand): readonly Range[] =>
    p05 === null || p25 === null || p75 === null || p95 === null
      ? []
      : [{ name, hint, low: p05, high: p95, half: [p25, p75] }]
  return [
    ...range('Positions', 'Open interest may have changed since it was settled', positions),
    ...range('Combined', 'Positions and sides together', combined)
  ]
}

/** Words on the range of the flip in nine of ten draws, and on how many draws have none. */
export function flipWords({ p05, p95, share_without: without }: FlipBand): string {
  const none = without > 0 ? ` No flip in ${ofHundred(without)} draws.` : ''
  if (p05 === null || p95 === null) return `Too few draws have a flip to say where it lies.${none}`
  const where = `Between ${level(p05)} and ${level(p95)} in 90 of 100 draws${without > 0 ? ' that have a flip' : ''}.`
  return `${where}${none}`
}

/** How often net gamma is positive. */
export function regimeWords({ positive_combined: share }: Bands['regime']): string {
  return share === null
    ? 'How often net gamma is positive cannot be said: it is 0, or no contract could change it.'
    : `Net gamma is positive in ${ofHundred(share)} cases.`
}

/** How often a strike is the wall. */
export function wallWords(name: string, odds: Bands['walls']['call']): string {
  const [first] = odds
  if (first === undefined) return `No strike is the ${name} in any draw.`
  const often = first.probability === 1 ? 'every draw' : `${ofHundred(first.probability)} draws`
  return `${level(first.strike)} is the ${name} in ${often} of positions.`
}

const BASES = { symbol: 'of the symbol', class: 'of its class', all: 'of all symbols' } as const

/** Words on the mornings that corrected the width of a band. */
export function calibrationWords(calibration: NetBand['calibration']): string {
  if (calibration === 'prior') return 'Too few mornings are recorded to correct the bands.'
  const { basis, mornings, held_pct: held } = calibration
  return `Corrected by ${fixed(mornings, 0)} mornings ${BASES[basis]}, of which ${percent(held, 'plain', 0)} lay inside.`
}

/** How many models agree with the convention on the sign of net gamma, the convention among them. */
export function modelWords({ agreement, models }: Pick<Models, 'agreement' | 'models'>): string {
  const regime = models.find(({ id }) => id === 'convention')?.regime
  if (agreement === null || (regime !== 'positive_gamma' && regime !== 'negative_gamma'))
    return 'Net gamma has no sign by the convention, so no model can agree with it.'
  const available = models.filter((each) => each.available).length
  const sign = regime === 'positive_gamma' ? 'positive' : 'negative'
  return `Net gamma is ${sign} by ${fixed(agreement * available, 0)} of ${available} dealer models.`
}

const MODEL_NAMES: Readonly<Record<Models['models'][number]['id'], string>> = {
  convention: 'Long calls, short puts',
  all_short: 'Short every option',
  index_overwriting: 'Index overwriting',
  tape: "Opposite of today's tape",
  open_close: 'By open and close'
}

type Modelled = Exclude<Explained, 'net_dex' | 'magnet' | 'max_pain'>

/** A figure by each model; the reason where there is none. */
export function modelRows(card: Modelled, { models }: Pick<Models, 'models'>) {
  return models.map((model) => ({
    id: model.id,
    name: MODEL_NAMES[model.id],
    value: model[card],
    reason: model.reason ?? undefined
  }))
}
