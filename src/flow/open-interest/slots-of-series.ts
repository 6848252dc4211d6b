import type { Chain } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import type { Series } from '../../market/series.ts'

export const NOT_LISTED = -1

/** The contracts of a chain, or of a part of it. */
type Listing = Pick<Chain, 'expirations' | 'strike' | 'right'>

/**
 * For each series of a tape, the slot of the same contract in a chain: same root, expiration, strike and right. It is
 * NOT_LISTED if the chain has no such contract, and for adjusted series, which deliver something other than their name
 * says.
 */
export function slotsOfSeries(chain: Listing, series: Series): Int32Array {
  const found = slotsByTape(chain.strike)
  let slots = found.get(series)
  if (slots === undefined) found.set(series, (slots = findSlots(chain, series)))
  return slots
}

/** The slots are cached by the strike column of the chain, because chains with equal listings may share that column. */
const slotsByTape = memoize((_: Float64Array) => new WeakMap<Series, Int32Array>())

function findSlots({ expirations, strike, right }: Listing, series: Series): Int32Array {
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

/** The contracts of a chain as series, in the order of slots. */
export function chainSeries({ size, expirations, strike, right }: Chain): Series {
  const expiration = new Int32Array(size)
  for (const [at, { start, end }] of expirations.entries()) expiration.fill(at, start, end)
  return { length: size, expirations, expiration, strike, right, adjusted: new Uint8Array(size) }
}
