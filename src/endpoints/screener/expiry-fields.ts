import { Contracts, Days, Notional, Percent, Price, Ratio } from '../../api/quantity.ts'
import { hasGreeks } from '../../exposure/liquidity/data-quality.ts'
import { type NetExposures, netExposures } from '../../exposure/net.ts'
import { type PutCallTotals, putCallTotals } from '../../exposure/open-interest/put-call-totals.ts'
import { maxPain } from '../../exposure/pin/max-pain.ts'
import { liveOn, type Scope } from '../../exposure/scope.ts'
import { daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { chainTree } from '../../screener/chain-tree.ts'
import type { ScreenerField } from '../../screener/screener-field.ts'
import { skewProfiles } from '../../volatility/smile/skew.ts'
import { acceptedSlices } from '../../volatility/smile/slice.ts'
import { atmVolatility } from '../../volatility/smile/smile-volatility.ts'
import { dateKind, fieldOf, figure } from './field-kinds.ts'

/** Measures of the live contracts that expire on one date. */
export interface ExpirySubject {
  readonly date: IsoDate
  readonly days: number
  readonly scope: Scope
  readonly net: NetExposures | undefined
  readonly putCall: PutCallTotals
  /** At-the-money implied volatility, percent. Undefined if no fitted smile of this date was accepted. */
  readonly atmIv: number | undefined
  readonly skew25: number | undefined
}

export interface ExpiryField extends ScreenerField {
  readonly of: (expiry: ExpirySubject) => number | string | undefined
}

/** Computes these measures for every expiration date with live contracts, ascending. */
export function expirySubjects(chain: PricedChain): readonly ExpirySubject[] {
  const fitted = new Map(acceptedSlices(chain).map((slice) => [slice.date, slice]))
  const skews = new Map(skewProfiles(chain).map(({ slice, skew }) => [slice.date, skew.skew25]))
  return chainTree(chain).dates.map((date) => {
    const scope = liveOn(chain, date)
    const slice = fitted.get(date)
    return {
      date,
      days: daysToExpiry(chain.asOf, date),
      scope,
      net: hasGreeks(scope) ? netExposures(scope) : undefined,
      putCall: putCallTotals(scope),
      atmIv: slice && 100 * atmVolatility(slice)!,
      skew25: skews.get(date)
    }
  })
}

const field = (
  key: string,
  kind: Parameters<typeof fieldOf>[2],
  of: ExpiryField['of'],
  note?: string
): ExpiryField => ({
  ...fieldOf('expiries', key, kind, note === undefined ? {} : { note }),
  of
})
const percent = figure(Percent())
const notional = figure(Notional())
const contracts = figure(Contracts())

/** All screener fields of an expiration date. Their values equal those in responses of single-symbol endpoints. */
export const expiryFields: readonly ExpiryField[] = [
  field('expiry', dateKind, ({ date }) => date),
  field('days_to_expiry', figure(Days()), ({ days }) => days),
  field('atm_iv', percent, ({ atmIv }) => atmIv, 'of a fitted slice, as iv_term_structure of the stock summary'),
  field('skew_25d', { ...percent, unit: 'vol-points' }, ({ skew25 }) => skew25, 'as /v1/volatility/skew-term'),
  field('net_gex', notional, ({ net }) => net?.gex),
  field('net_dex', notional, ({ net }) => net?.dex),
  field('net_vex', notional, ({ net }) => net?.vex),
  field('net_chex', notional, ({ net }) => net?.chex),
  field('call_oi', contracts, ({ putCall }) => putCall.callOi),
  field('put_oi', contracts, ({ putCall }) => putCall.putOi),
  field('call_volume', contracts, ({ putCall }) => putCall.callVolume),
  field('put_volume', contracts, ({ putCall }) => putCall.putVolume),
  field('pc_ratio_oi', figure(Ratio()), ({ putCall }) => putCall.oiRatio),
  field('max_pain', figure(Price()), ({ scope }) => maxPain(scope))
]
