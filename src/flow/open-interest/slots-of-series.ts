import type { Chain } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import type { Series } from '../../market/series.ts'

/** Stands for a series that a chain does not list. */
export const NOT_LISTED = -1

/**
 * The slot of a chain that each series of a tape is, NOT_LISTED where it has none: a contract is its root, expiration,
 * strike and right. An adjusted series delivers something else than the contract of its name, so it has none.
 */
export function slotsOfSeries(chain: Chain, series: Series): Int32Array {
  const found = slotsByTape(chain.strike)
  let slots = found.get(series)
  if (slots === undefined) found.set(series, (slots = findSlots(chain, series)))
  return slots
}

/** Remembered for the column of strikes, which chains of one listing may share. */
const slotsByTape = memoize((_: Float64Array) => new WeakMap<Series, Int32Array>())

function findSlots({ expirations, strike, right }: Chain, series: Series): Int32Array {
  const listed = new Map(expirations.map((expiration) => [`${expiration.root} ${expiration.date}`, expiration]))
  const places = series.expirations.map(({ root, date }) => listed.get(`${root} ${date}`))
  const slots = new Int32Array(series.length).fill(NOT_LISTED)
  for (let k = 0; k < series.length; k++) {
    const place = places[series.expiration[k]]
    if (place === undefined || series.adjusted[k] === 1) continue
    let low = place.start
    for (let high = place.end; low < high; ) {
      const middle = (low + high) >> 1
      const isBefore =
        strike[middle] < series.strike[k] || (strike[middle] === series.strike[k] && right[middle] < series.right[k])
      if (isBefore) low = middle + 1
      else high = middle
    }
    if (low < place.end && strike[low] === series.strike[k] && right[low] === series.right[k]) slots[k] = low
  }
  return slots
}
