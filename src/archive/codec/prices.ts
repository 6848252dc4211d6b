import type { Expiration } from '../../market/chain.ts'

// Prices of a chain as whole numbers, which compress to a fraction of what floats need. A price that is not a whole
// number of units is "odd" and stored as a float beside the columns, so nothing is lost.

/** Code of an absent price. */
export const ABSENT = -(2 ** 31)
/** Code of an odd price. */
export const ODD = ABSENT + 1
/** Prices from here on are stored as odd, so that second differences fit in 32 bits. */
const TOO_LARGE = 2 ** 28

/** Units to one USD: cents, or hundredths of a cent. */
export const CENTS = 100
export const FINE = 10_000
/** The finer unit takes less room once one price in so many is odd. */
const ODD_AT_MOST = 64

/** Odd prices. `slot` is column * size + place, with the column's number in `oddPriceColumns`. */
export interface OddPrices {
  readonly slot: number[]
  readonly price: number[]
}

/**
 * Slots of a chain in archive order: the calls of an expiration, then its puts. Neighbouring prices are close, so
 * differences are small.
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

/** The unit in which these columns take the least room. */
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
 * Encodes bids as second differences along the archive order. Absent and odd bids are skipped: the next difference
 * starts from the bid before them.
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
 * The bid of each place in whole units; an absent or odd one repeats the bid before it. Asks are measured from these
 * levels.
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

/** Encodes prices, minus `levels` where given. `column` is their number in `oddPriceColumns`. */
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

/** Writes bids into the slots of a chain. Odd ones stay NaN until the caller fills them in. */
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

/** Writes prices into the slots of a chain. Odd ones stay NaN until the caller fills them in. */
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

/** A price in whole units. ABSENT for NaN; ODD when dividing by the unit would not give the very same float. */
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
