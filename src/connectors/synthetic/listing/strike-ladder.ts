import type { Security } from '../securities/securities.ts'
import type { ListedExpiration } from './expiry-cycles.ts'

/**
 * A range of equally spaced strikes around the price. It is opened `days` days before expiration, and extended to cover
 * the prices seen since then.
 */
interface Zone {
  readonly days: number
  /**
   * Distance from the prices seen to the lowest strike; `up` is the distance to the highest. For an index the unit is
   * one annual standard deviation; for other securities it grows less with volatility.
   */
  readonly down: number
  readonly up: number
  /** Index in the security's list of distances between strikes; 0 is the finest distance. */
  readonly step: number
}

/** Distances between strikes, USD, from the finest to the coarsest. */
const spxSteps = [5, 10, 25, 50, 100, 200]
const ndxSteps = [25, 50, 100, 200, 500, 1000]
const niceSteps = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 200, 500]

const ALWAYS = 9999
const zones = {
  indexMonthly: [
    { days: ALWAYS, down: 12, up: 3.2, step: 5 },
    { days: ALWAYS, down: 6, up: 1.6, step: 4 },
    { days: ALWAYS, down: 3.2, up: 1.1, step: 3 },
    { days: 400, down: 2.3, up: 0.9, step: 2 },
    { days: 150, down: 1.5, up: 0.6, step: 1 },
    { days: 45, down: 0.9, up: 0.5, step: 0 }
  ],
  indexWeekly: [
    { days: ALWAYS, down: 4.5, up: 1.7, step: 5 },
    { days: ALWAYS, down: 2, up: 0.9, step: 4 },
    { days: ALWAYS, down: 0.8, up: 0.45, step: 2 },
    { days: 21, down: 1.2, up: 0.55, step: 2 },
    { days: 21, down: 0.32, up: 0.24, step: 0 },
    { days: 7, down: 0.5, up: 0.36, step: 0 }
  ],
  etf: [
    { days: ALWAYS, down: 3, up: 2.2, step: 2 },
    { days: ALWAYS, down: 2, up: 1.3, step: 1 },
    { days: 130, down: 0.35, up: 0.25, step: 0 },
    { days: 45, down: 0.42, up: 0.32, step: 0 }
  ],
  stock: [
    { days: ALWAYS, down: 2.4, up: 2.2, step: 3 },
    { days: ALWAYS, down: 1.2, up: 1.1, step: 2 },
    { days: 200, down: 0.85, up: 0.85, step: 1 },
    { days: 60, down: 0.6, up: 0.55, step: 0 }
  ],
  vix: [
    { days: ALWAYS, down: 0.6, up: 2, step: 4 },
    { days: ALWAYS, down: 0.6, up: 1.2, step: 2 },
    { days: ALWAYS, down: 0.5, up: 0.6, step: 1 },
    { days: 45, down: 0.4, up: 0.35, step: 0 }
  ]
} as const satisfies Record<string, readonly Zone[]>

/**
 * Strikes of an expiration on a session, with the session on which each strike was listed.
 * Each zone is laid out around the price of the day on which it opens. It is extended when a close moves away from its
 * middle, so a listed strike stays listed. `openedBy` returns the first session that is at most that many days before
 * expiration. The strikes of a session depend only on closes before it.
 */
export function strikeLadder(
  security: Security,
  expiration: ListedExpiration,
  closes: Float64Array,
  session: number,
  openedBy: (days: number) => number
): ReadonlyMap<number, number> {
  const first = openedBy(expiration.window)
  const steps = stepsOf(security, closes[Math.max(0, first - 1)])
  const { kind, volatility } = security
  const unit = kind === 'index' ? volatility : 0.12 + 0.6 * volatility // the strikes of volatile names do not reach proportionally further
  const listed = new Map<number, number>()
  for (const { days, down, up, step } of zonesOf(security, expiration)) {
    const from = days >= expiration.window ? first : openedBy(days)
    if (from > session) continue
    const size = steps[Math.min(step, steps.length - 1)]
    const lowest = Math.exp(-down * unit)
    const highest = Math.exp(up * unit)
    let bottom = Number.NaN
    let top = Number.NaN
    for (let n = from; n <= session; n++) {
      const price = closes[Math.max(0, n - 1)]
      const low = Math.max(1, Math.ceil((price * lowest) / size))
      const high = Math.max(low, Math.floor((price * highest) / size))
      if (n === from) {
        for (let at = low; at <= high; at++) list(listed, at * size, n)
        bottom = low
        top = high
      }
      while (bottom > low) list(listed, --bottom * size, n)
      while (top < high) list(listed, ++top * size, n)
    }
  }
  return listed
}

function list(listed: Map<number, number>, strike: number, session: number): void {
  const known = listed.get(strike)
  if (known === undefined || known > session) listed.set(strike, session)
}

function zonesOf({ cycle, kind }: Security, { term }: ListedExpiration): readonly Zone[] {
  if (cycle === 'vix') return zones.vix
  if (kind === 'index') return term === 'monthly' || term === 'month-end' ? zones.indexMonthly : zones.indexWeekly
  return cycle === 'daily' || cycle === 'triweekly' ? zones.etf : zones.stock
}

function stepsOf({ cycle, kind, optionVolume }: Security, price: number): readonly number[] {
  if (cycle === 'spx') return spxSteps
  if (cycle === 'ndx') return ndxSteps
  if (cycle === 'vix') return [0.5, 1, 2.5, 5, 10]
  if (kind === 'index') return niceFrom(price / 600)
  if (cycle === 'daily') return niceFrom(Math.max(0.8, price / 900))
  return niceFrom(
    price / (cycle === 'triweekly' ? 300 : optionVolume > 150_000 ? 130 : optionVolume > 30_000 ? 75 : 45)
  )
}

/**
 * Lists round distances between strikes in ascending order. The first is the one whose ratio to `target` is nearest to 1.
 * If the first is 1, then 2.5 is left out, so that all strikes are whole dollars.
 */
function niceFrom(target: number): readonly number[] {
  let best = 0
  for (let at = 1; at < niceSteps.length - 4; at++) {
    if (Math.abs(Math.log(niceSteps[at] / target)) < Math.abs(Math.log(niceSteps[best] / target))) best = at
  }
  return niceSteps.slice(best).filter((step) => step !== 2.5 || niceSteps[best] !== 1)
}

/**
 * How round a strike is: the largest round number that divides it, as a share of the price. Only numbers up to a fifth
 * of the price are tried.
 */
export function roundness(strike: number, price: number): number {
  for (let at = niceSteps.length - 1; at > 0; at--) {
    const parts = strike / niceSteps[at]
    if (niceSteps[at] <= 0.2 * price && parts === Math.round(parts)) return niceSteps[at] / price
  }
  return niceSteps[0] / price
}
