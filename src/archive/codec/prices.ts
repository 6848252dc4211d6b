import type { Expiration } from '../../market/chain.ts'

// Prices of a chain are stored as whole numbers, which compress to a fraction of the size of floats. A price that is
// not a whole number of units is called "odd" and stored separately as a float, so that nothing is rounded.

/** Code of an absent price. */
export const ABSENT = -(2 ** 31)
/** Code of an odd price, which is not a whole number of units. */
export const ODD = ABSENT + 1
/**
 * Prices of this many units or more are stored as odd prices, so that the differences of differences of bids fit in 32
 * bits.
 */
const TOO_LARGE = 2 ** 28

/** Units per USD, if prices are stored in cents or in hundredths of a cent. */
export const CENTS = 100
export const FINE = 10_000
/** If more than one price in this many is not a whole number of cents, hundredths of a cent take less space. */
const ODD_AT_MOST = 64

/**
 * Prices that are not a whole number of units, stored as floats. `slot` tells where each belongs: column * size +
 * place. The column is the index in `oddPriceColumns`, the place is the position in archive order.
 */
export interface OddPrices {
  readonly slot: number[]
  readonly price: number[]
}

/**
 * Slots of a chain in archive order: for each expiration the calls, then the puts. Neighboring prices are similar, so
 * their differences are small.
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

/** Number of units per USD with which these prices take the least space. */
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
 * Encodes bids in archive order. Each code is the difference between two successive differences of bids. Bids that are
 * absent or odd (not a whole number of units) are skipped: the next difference starts from the bid before them.
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

/**
 * Restores the bids in whole units, in archive order. Where a bid is absent or odd, the bid before it is repeated. Asks
 * are stored relative to these levels.
 */
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

/**
 * Encodes prices, as differences from `levels` if given. `column` is the index of the price column in
 * `oddPriceColumns`.
 */
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

/**
 * Writes decoded bids into a chain's column. Odd bids, which are not a whole number of units, stay NaN until the caller
 * sets them.
 */
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

/**
 * Writes decoded prices into a chain's column. Odd prices, which are not a whole number of units, stay NaN until the
 * caller sets them.
 */
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

/** Price in whole units; ABSENT for NaN, ODD if dividing by the unit would not restore exactly the same float. */
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
