import type { DailyBar } from '../../src/market/bar.ts'
import { latestSession, nextTradingDay } from '../../src/market/calendar.ts'
import { yearsToExpiry } from '../../src/market/clock.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { formatOcc } from '../../src/market/occ.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../src/market/units.ts'
import { price } from '../../src/pricing/bsm.ts'
import { datedBefore, walk } from '../volatility/made-up-bars.ts'

/** An option of a fake vendor's market. Prices in USD per share. */
export interface VendorOption {
  /** OCC symbol without spaces. */
  readonly contract: string
  readonly expiration: IsoDate
  readonly bid: number
  readonly ask: number
  readonly volume: number
  readonly openInterest: number
}

/** One symbol whenever a test runs: options on its next expirations, at the prices of one volatility. */
export interface VendorMarket {
  readonly symbol: string
  readonly spot: number
  /** A trade in the middle of the newest session. */
  readonly traded: Instant
  readonly expirations: readonly IsoDate[]
  readonly options: readonly VendorOption[]
}

const SIGMA = 0.2
const WEEKS = [5, 10, 20, 40, 80]

const made = new Map<string, VendorMarket>()

/** The market of a symbol at `spot`. Its last trade moves by the minute, so that many requests find it made. */
export function vendorMarket(symbol: string, spot: number, now: Instant): VendorMarket {
  const { open, close } = latestSession(now)
  const traded = Math.min((open + close) / 2, now - (now % MILLISECONDS_PER_MINUTE))
  const key = `${symbol} ${spot} ${traded}`
  const found = made.get(key) ?? priced(symbol, spot, now, traded)
  made.set(key, found)
  return found
}

function priced(symbol: string, spot: number, now: Instant, traded: Instant): VendorMarket {
  const days = [latestSession(now).date]
  while (days.length <= Math.max(...WEEKS)) days.push(nextTradingDay(days.at(-1)!))
  const expirations = WEEKS.map((sessions) => days[sessions])
  const strikes = Array.from({ length: 41 }, (_, k) => Math.round(spot * (0.8 + 0.01 * k)))
  const options = expirations.flatMap((expiration) =>
    strikes.flatMap((strike) =>
      (['call', 'put'] as const).map((right): VendorOption => {
        const terms = { spot, strike, t: yearsToExpiry(traded, expiration, 'pm'), sigma: SIGMA, rate: 0.04 }
        const middle = price({ ...terms, right, dividendYield: 0 })
        const near = Math.exp(-(((strike / spot - 1) / 0.08) ** 2))
        return {
          contract: formatOcc({ root: symbol, expiration, right, strike }),
          expiration,
          bid: Math.max(0, Math.floor(middle * 100 - 1) / 100),
          ask: Math.ceil(middle * 100 + 1) / 100,
          volume: Math.round(500 * near),
          openInterest: Math.round((right === 'put' ? 4000 : 3000) * near)
        }
      })
    )
  )
  return { symbol, spot, traded, expirations, options }
}

/** A year and a half of daily bars up to the session before today that end at a price, USD. */
export function vendorBars(last: number, now: Instant): readonly DailyBar[] {
  const bars = walk(11, 380)
  const scale = last / bars.at(-1)!.close
  const scaled = bars.map(({ open, high, low, close, ...day }) => {
    return { ...day, open: scale * open, high: scale * high, low: scale * low, close: scale * close }
  })
  return datedBefore(scaled, easternDate(now))
}
