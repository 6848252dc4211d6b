import { CALL, known } from '../../market/chain.ts'
import type { IsoDate } from '../../market/units.ts'
import { byStrike, sumOf, totalOi } from '../by-strike.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'

export interface PutCallRow {
  readonly date: IsoDate
  readonly callOi: number
  readonly putOi: number
  readonly callVolume: number
  readonly putVolume: number
}

/**
 * Open interest and volume of each expiration date, ascending. AM- and PM-settled options of a date are added together.
 */
export function putCallByExpiration({ chain, slots, book }: Scope): readonly PutCallRow[] {
  const expirationOf = expirationOfSlots(chain)
  const rows = new Map<IsoDate, { -readonly [Key in keyof PutCallRow]: PutCallRow[Key] }>()
  for (const i of slots) {
    const { date } = chain.expirations[expirationOf[i]]
    let row = rows.get(date)
    if (row === undefined) rows.set(date, (row = { date, callOi: 0, putOi: 0, callVolume: 0, putVolume: 0 }))
    const [oi, volume] = [known(book.openInterest[i]), known(chain.volume[i])]
    if (chain.right[i] === CALL) {
      row.callOi += oi
      row.callVolume += volume
    } else {
      row.putOi += oi
      row.putVolume += volume
    }
  }
  return [...rows.values()]
}

/** Open interest in contracts by moneyness: out of, at and in the money. */
export interface ByMoneyness {
  readonly otm: number
  readonly atm: number
  readonly itm: number
}

/** A strike counts as at the money up to this distance from spot, as a fraction of spot. */
const NEAR_REACH = 0.05

/** Open interest of calls and of puts: out of the money, at the money (within 5 % of spot) and in the money. */
export function openInterestByMoneyness({ chain, slots, book }: Scope): { calls: ByMoneyness; puts: ByMoneyness } {
  const [calls, puts] = [0, 1].map(() => ({ otm: 0, atm: 0, itm: 0 }))
  for (const i of slots) {
    const distance = chain.strike[i] / chain.spot - 1
    const call = chain.right[i] === CALL
    const place = Math.abs(distance) <= NEAR_REACH ? 'atm' : distance > 0 === call ? 'otm' : 'itm'
    ;(call ? calls : puts)[place] += known(book.openInterest[i])
  }
  return { calls, puts }
}

/**
 * Herfindahl index of open interest over strikes: the sum of squared shares. It is 1 if one strike has all open
 * interest. Undefined without open interest. Source: Herfindahl (1950), Concentration in the Steel Industry.
 */
export function herfindahl(scope: Scope): number | undefined {
  const held = byStrike(scope).map(totalOi)
  const total = sumOf(held, (oi) => oi)
  return total === 0 ? undefined : sumOf(held, (oi) => (oi / total) ** 2)
}

/**
 * Mean days to expiry of all open contracts, Σ (open interest × days) / Σ open interest. Undefined without open
 * interest.
 */
export function openInterestDays({ chain, expirations, book }: Scope): number | undefined {
  let contracts = 0
  let days = 0
  for (const at of expirations) {
    const { start, end } = chain.expirations[at]
    for (let i = start; i < end; i++) {
      const oi = known(book.openInterest[i])
      contracts += oi
      days += oi * chain.carries[at].days
    }
  }
  return contracts === 0 ? undefined : days / contracts
}
