import type { IsoDate } from '../../market/units.ts'
import {
  nearestDelta,
  outOfTheMoney,
  type Tradable,
  type TradableContract,
  widestWithin
} from './tradable-contracts.ts'

export const structureKinds = [
  'short_put_spread',
  'short_call_spread',
  'iron_fly',
  'iron_condor',
  'covered_call',
  'cash_secured_put'
] as const
export type StructureKind = (typeof structureKinds)[number]

export interface StructureLeg extends TradableContract {
  readonly action: 'sell' | 'buy'
}

/** An option structure that is sold at current mids and held to expiry. Amounts are in USD per share. */
export interface TradeStructure {
  readonly kind: StructureKind
  readonly expiry: IsoDate
  /** Legs of the structure: first puts, then calls, and the short leg before the long one on each side. */
  readonly legs: readonly StructureLeg[]
  readonly credit: number
  readonly maxProfit: number
  readonly maxLoss: number
  /**
   * Prices at expiry with neither profit nor loss, ascending. If a wing is narrower than the credit, the structure
   * cannot lose on that side, which then has no breakeven.
   */
  readonly breakevens: readonly number[]
  /**
   * Distance between the strikes of the vertical spread, or of the wider one if there are two. Undefined for a single
   * option.
   */
  readonly width: number | undefined
  /** Premium of a single sold option divided by the capital that it ties up, percent per year. */
  readonly annualYield: number | undefined
}

const sold = (contract: TradableContract): StructureLeg => ({ ...contract, action: 'sell' })
const bought = (contract: TradableContract): StructureLeg => ({ ...contract, action: 'buy' })

/** A vertical spread: a sold option, and a bought one further out of the money. */
interface Vertical {
  readonly short: TradableContract
  readonly long: TradableContract
  readonly credit: number
  readonly width: number
}

export interface VerticalTerms {
  /** Largest distance between the two strikes. By default one strike step or 2 % of spot, whichever is larger. */
  readonly maxWidth?: number | undefined
  /** Minimum credit in USD per share. */
  readonly minCredit?: number | undefined
}

const USUAL_WIDTH = 0.02

function verticalFrom(on: Tradable, short: TradableContract | undefined, terms: VerticalTerms): Vertical | undefined {
  if (short === undefined) return undefined
  const reach = terms.maxWidth ?? Math.max(on.strikeStep, USUAL_WIDTH * on.spot)
  const long = widestWithin(outOfTheMoney(on, short.right), short.strike, reach)
  return long && { short, long, credit: short.mid - long.mid, width: Math.abs(short.strike - long.strike) }
}

/** Whether a credit is acceptable: above 0, not below the required minimum, and less than the width. */
function isSold(credit: number, width: number, { minCredit = 0 }: VerticalTerms): boolean {
  return credit > 0 && credit < width && credit >= minCredit
}

/**
 * A vertical spread of out-of-the-money puts or calls whose short leg is nearest to a given delta. Undefined if the
 * chain has none.
 */
export function shortVertical(
  on: Tradable,
  right: 'put' | 'call',
  delta: number,
  terms: VerticalTerms = {}
): TradeStructure | undefined {
  const found = verticalFrom(on, nearestDelta(outOfTheMoney(on, right), delta), terms)
  if (found === undefined || !isSold(found.credit, found.width, terms)) return undefined
  const { short, long, credit, width } = found
  return {
    kind: right === 'put' ? 'short_put_spread' : 'short_call_spread',
    expiry: on.expiry,
    legs: [sold(short), bought(long)],
    credit,
    maxProfit: credit,
    maxLoss: width - credit,
    breakevens: [right === 'put' ? short.strike - credit : short.strike + credit],
    width,
    annualYield: undefined
  }
}

/** Strikes for the short legs. If one is given, it replaces the strike at the target delta. */
export interface ShortStrikes {
  readonly put?: number | undefined
  readonly call?: number | undefined
}

/**
 * A short put spread and a short call spread. Each short leg is at the strike in `wanted`, or else nearest to the given
 * delta.
 */
export function ironCondor(
  on: Tradable,
  delta: number,
  terms: VerticalTerms = {},
  wanted: ShortStrikes = {}
): TradeStructure | undefined {
  const sideOf = (right: 'put' | 'call') => {
    const contracts = outOfTheMoney(on, right)
    const short = contracts.find(({ strike }) => strike === wanted[right]) ?? nearestDelta(contracts, delta)
    return verticalFrom(on, short, terms)
  }
  return condorOf('iron_condor', on, [sideOf('put'), sideOf('call')], terms)
}

/** A put and a call sold at the strike `body`, with bought wings that are about `wingWidth` away from it. */
export function ironFly(on: Tradable, body: number, wingWidth: number): TradeStructure | undefined {
  const wing = (contracts: readonly TradableContract[], side: -1 | 1): Vertical | undefined => {
    const short = contracts.find(({ strike }) => strike === body)
    const beyond = contracts.filter(({ strike }) => side * (strike - body) > 0)
    const away = ({ strike }: TradableContract) => Math.abs(Math.abs(strike - body) - wingWidth)
    // If two wings are equally near, the outer one comes first.
    const outward = beyond.toSorted((a, b) => away(a) - away(b) || side * (b.strike - a.strike))
    const long = outward.at(0)
    if (short === undefined || long === undefined) return undefined
    return { short, long, credit: short.mid - long.mid, width: Math.abs(long.strike - body) }
  }
  return condorOf('iron_fly', on, [wing(on.puts, -1), wing(on.calls, 1)], {})
}

function condorOf(
  kind: 'iron_condor' | 'iron_fly',
  { expiry }: Tradable,
  [puts, calls]: readonly [Vertical | undefined, Vertical | undefined],
  terms: VerticalTerms
): TradeStructure | undefined {
  if (puts === undefined || calls === undefined) return undefined
  const credit = puts.credit + calls.credit
  const width = Math.max(puts.width, calls.width)
  if (!isSold(credit, width, terms)) return undefined
  return {
    kind,
    expiry,
    legs: [sold(puts.short), bought(puts.long), sold(calls.short), bought(calls.long)],
    credit,
    maxProfit: credit,
    maxLoss: width - credit,
    breakevens: [
      ...(credit <= puts.width ? [puts.short.strike - credit] : []),
      ...(credit <= calls.width ? [calls.short.strike + credit] : [])
    ],
    width,
    annualYield: undefined
  }
}

export const incomeKinds = ['covered_call', 'cash_secured_put'] as const
export type IncomeKind = (typeof incomeKinds)[number]

/**
 * One sold option: a call covered by stock bought at spot, or a put covered by the cash to buy the stock at the strike.
 */
export function incomeFrom(on: Tradable, kind: IncomeKind, contract: TradableContract): TradeStructure {
  const { strike, mid: premium } = contract
  const isCall = kind === 'covered_call'
  const capital = isCall ? on.spot : strike
  return {
    kind,
    expiry: on.expiry,
    legs: [sold(contract)],
    credit: premium,
    maxProfit: isCall ? strike - on.spot + premium : premium,
    maxLoss: capital - premium,
    breakevens: [capital - premium],
    width: undefined,
    annualYield: ((100 * premium) / capital) * (365 / on.days)
  }
}
