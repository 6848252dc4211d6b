import type { Expiration } from '../../market/chain.ts'

// How the columns of a chain lie in the archive. Prices become whole numbers, since those compress to a fraction of what
// floats need and lose nothing: a price that is no whole number of units keeps its eight bytes apart.

/** Stands in a column of whole prices where there is none. */
export const ABSENT = -(2 ** 31)
/** Stands where the price is kept apart, as the float it is. */
export const ODD = ABSENT + 1
/** Prices from here on are kept apart, so that no difference of differences leaves 32 bits. */
const TOO_LARGE = 2 ** 28

/** Whole numbers to one USD: cents, or hundredths of a cent. */
export const CENTS = 100
export const FINE = 10_000
/** One price in so many may be kept apart before the finer unit is the smaller one. */
const ODD_AT_MOST = 64

/** Prices that are no whole number of units. `slot` says which column and which place: column * size + place. */
export interface OddPrices {
  readonly slot: number[]
  readonly price: number[]
}

/**
 * Slots of a chain in the order of the archive: the calls of an expiration, then its puts. Neighbours in it differ by
 * little, which is what makes differences small.
 */
export function archiveOrder(expirations: readonly Expiration[], right: Uint8Array): Uint32Array {
  const order = new Uint32Array(right.length)
  let place = 0
  for (const { start, end } of expirations) {
    for (let slot = start; slot < end; slot++) if (right[slot] === 0) order[place++] = slot
    for (let slot = start; slot < end; slot++) if (right[slot] !== 0) order[place++] = slot
  }
  return order
}

/** The unit in which these columns of prices take the least room. */
export function unitOf(...columns: readonly Float64Array[]): number {
  let odd = 0
  let size = 0
  for (const column of columns) {
    size += column.length
    for (const price of column) if (!Number.isNaN(price) && wholeOf(price, CENTS) === ODD) odd++
  }
  return odd * ODD_AT_MOST <= size ? CENTS : FINE
}

/**
 * Bids as differences of differences from place to place. A place without a whole price changes neither the level nor
 * the slope that the next one starts from.
 */
export function encodeBids(bid: Float64Array, order: Uint32Array, unit: number, odd: OddPrices): Int32Array {
  const codes = new Int32Array(order.length)
  let level = 0
  let slope = 0
  for (let place = 0; place < order.length; place++) {
    const whole = wholeOf(bid[order[place]], unit)
    if (whole > ODD) {
      codes[place] = whole - level - slope
      slope = whole - level
      level = whole
    } else {
      codes[place] = whole
      if (whole === ODD) keepApart(odd, 0, order.length, place, bid[order[place]])
    }
  }
  return codes
}

/** The whole bid of each place, and where there is none the last one before it: what asks are measured from. */
export function bidLevels(codes: Int32Array): Int32Array {
  const levels = new Int32Array(codes.length)
  let level = 0
  let slope = 0
  for (let place = 0; place < codes.length; place++) {
    if (codes[place] > ODD) {
      slope += codes[place]
      level += slope
    }
    levels[place] = level
  }
  return levels
}

/** Asks above the level of the bids, or, without levels, prices as they are; `column` numbers them among the odd ones. */
export function encodePrices(
  prices: Float64Array,
  order: Uint32Array,
  unit: number,
  odd: OddPrices,
  column: number,
  levels?: Int32Array
): Int32Array {
  const codes = new Int32Array(order.length)
  for (let place = 0; place < order.length; place++) {
    const price = prices[order[place]]
    const whole = wholeOf(price, unit)
    codes[place] = whole > ODD && levels !== undefined ? whole - levels[place] : whole
    if (whole === ODD) keepApart(odd, column, order.length, place, price)
  }
  return codes
}

/** Writes bids back into the slots of a chain; odd ones stay NaN until they are put in. */
export function decodeBids(
  codes: Int32Array,
  levels: Int32Array,
  order: Uint32Array,
  unit: number,
  into: Float64Array
): void {
  for (let place = 0; place < codes.length; place++) {
    into[order[place]] = codes[place] <= ODD ? Number.NaN : levels[place] / unit
  }
}

/** Writes whole prices back into the slots of a chain; odd ones stay NaN until they are put in. */
export function decodePrices(
  codes: Int32Array,
  order: Uint32Array,
  unit: number,
  into: Float64Array,
  levels?: Int32Array
): void {
  for (let place = 0; place < codes.length; place++) {
    const code = codes[place]
    into[order[place]] = code <= ODD ? Number.NaN : (levels === undefined ? code : code + levels[place]) / unit
  }
}

/** A price in whole units, ABSENT for NaN, ODD where dividing by the unit would not give the very same float again. */
function wholeOf(price: number, unit: number): number {
  if (Number.isNaN(price)) return ABSENT
  const whole = Math.round(price * unit)
  const exact = whole / unit === price && !Object.is(price, -0)
  return exact && Math.abs(whole) < TOO_LARGE ? whole : ODD
}

function keepApart(odd: OddPrices, column: number, size: number, place: number, price: number): void {
  odd.slot.push(column * size + place)
  odd.price.push(price)
}
