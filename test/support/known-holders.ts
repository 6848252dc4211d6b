import { customerSums, type TradedContract } from '../../src/flow/open-interest/customer-side.ts'
import { previousTradingDay } from '../../src/market/calendar.ts'
import { type CustomerGroup, customerGroups, type SessionCustomers } from '../../src/market/customer-sums.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { Chance } from '../../trials/chance.ts'

const SESSIONS = 20
const CONTRACTS = 60

interface Holdings {
  /** Contracts that customers hold long and short. Dealers hold the opposite, netted. */
  long: number
  short: number
}

const openInterest = ({ long, short }: Holdings) => Math.max(long, short)

/**
 * Sessions of a market of which it is known who holds what: each customer who trades opens or closes a position, and
 * open interest follows from all positions. `lean` is the share of customers who are long at the beginning.
 */
export function marketOfHolders(
  seed: number,
  lean: number,
  { sessions = SESSIONS } = {}
): readonly (readonly TradedContract[])[] {
  const chance = new Chance(seed)
  const held = Array.from({ length: CONTRACTS }, (): Holdings => {
    const size = 200 + chance.below(3000)
    return { long: Math.round(size * lean), short: Math.round(size * (1 - lean)) }
  })
  return Array.from({ length: sessions }, () =>
    held.map((holdings) => {
      const before = openInterest(holdings)
      let [volume, net] = [0, 0]
      for (let trades = chance.below(12); trades > 0; trades--) {
        const size = 1 + chance.below(30)
        const buys = chance.happens(0.5)
        const closing = buys ? 'short' : 'long'
        const closes = chance.happens(0.45) && holdings[closing] >= size
        if (closes) holdings[closing] -= size
        else holdings[buys ? 'long' : 'short'] += size
        volume += size
        net += buys ? size : -size
      }
      const noise = chance.below(9) - 4 // exercise, and trades that the tape lacks
      return { change: openInterest(holdings) - before + noise, volume, net }
    })
  )
}

/** Share of customers who are long in each group at the beginning: calls as the convention has them, puts against it. */
export const leans: Readonly<Record<CustomerGroup, number>> = {
  calls_out: 0.2,
  calls_in: 0.2,
  puts_out: 0.2,
  puts_in: 0.8
}

/** Sums of the sessions before a date, of customers whose sides are `leans`, ascending. */
export function knownCustomers(symbol: Ticker, before: IsoDate, sessions = SESSIONS): readonly SessionCustomers[] {
  const dates: IsoDate[] = []
  for (let date = previousTradingDay(before); dates.length < sessions; date = previousTradingDay(date))
    dates.unshift(date)
  const traded = customerGroups.map((group, k) => marketOfHolders(11 + k, leans[group], { sessions }))
  return dates.map((session, day) => ({
    symbol,
    session,
    groups: Object.fromEntries(
      customerGroups.map((group, k) => [group, customerSums(traded[k][day])])
    ) as SessionCustomers['groups']
  }))
}
