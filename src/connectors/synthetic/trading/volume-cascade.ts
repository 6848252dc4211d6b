import { bitsOf } from '../../../math/random.ts'
import { varianceShare } from '../prices/bridge.ts'

/** A part of a session in whole minutes. Its trading is divided by halving the part repeatedly. */
export interface SessionPart {
  /** Minutes since the open. */
  readonly start: number
  readonly end: number
  /**
   * For each node of the tree of halves (1 is the root): average volume in the earlier half divided by the volume in
   * the later half.
   */
  readonly odds: Float64Array
}

export function sessionPart(start: number, end: number, minutes: number): SessionPart {
  const depth = Math.ceil(Math.log2(end - start))
  const odds = new Float64Array(2 ** depth)
  const share = (from: number, to: number) => varianceShare(to / minutes) - varianceShare(from / minutes)
  const divide = (node: number, from: number, to: number) => {
    if (to - from < 2) return
    const middle = (from + to) >> 1
    odds[node] = share(from, middle) / share(middle, to)
    divide(2 * node, from, middle)
    divide(2 * node + 1, middle, to)
  }
  divide(1, start, end)
  return { start, end, odds }
}

/**
 * How unevenly trading is divided between two halves: standard deviation of the logarithm of the ratio of their
 * volumes.
 */
const UNEVEN = 1.1
/** Largest number of contracts that is not divided, because small orders trade within one minute. */
const LUMP = 24
/**
 * Number of precomputed random factors by which `odds` are multiplied, one for each of 2^12 draws. The factors are
 * close to lognormal; their logarithms have a logistic distribution.
 */
const BENDS = 4096
const bends = Float64Array.from({ length: BENDS }, (_, draw) => {
  const u = (draw + 0.5) / BENDS
  return (u / (1 - u)) ** (UNEVEN * (Math.sqrt(3) / Math.PI))
})

/**
 * Distributes each contract's traded volume over the minutes of a part. The result for a minute does not depend on
 * which minutes are requested. A range of minutes is halved repeatedly; each half gets its share in whole numbers,
 * changed by a random factor. No volume is lost, trading comes in bursts, and the open and the close trade more than
 * noon.
 * For the contract at index i, `into[(minute - from) * size + i]` gets the volume of each minute from `from` up to but
 * excluding `to`, and `before[i]` grows by the volume of earlier minutes.
 */
export function spread(
  part: SessionPart,
  keys: Int32Array,
  session: number,
  contracts: Int32Array,
  from: number,
  to: number,
  before: Int32Array,
  into: Int32Array
): void {
  const { start, end, odds } = part
  const size = contracts.length
  const range: MinuteRange = { odds, size, from, to, before, into }
  for (let slot = 0; slot < size; slot++) {
    if (contracts[slot] > 0) divide(range, slot, bitsOf(keys[slot], session, SPREAD), 1, start, end, contracts[slot])
  }
}

interface MinuteRange {
  readonly odds: Float64Array
  readonly size: number
  readonly from: number
  readonly to: number
  readonly before: Int32Array
  readonly into: Int32Array
}

/**
 * Divides the volume of a contract in the minutes from `first` up to but excluding `last`. It is no closure of `spread`:
 * V8 drops the optimized code of closures that are gone at a garbage collection, and compiled this one 32 times a session.
 */
function divide(
  range: MinuteRange,
  slot: number,
  key: number,
  node: number,
  first: number,
  last: number,
  quantity: number
): void {
  if (first >= range.to) return
  if (last <= range.from) {
    range.before[slot] += quantity
    return
  }
  if (last - first === 1) {
    range.into[(first - range.from) * range.size + slot] = quantity
    return
  }
  const bits = bitsOf(key, node)
  const ratio = range.odds[node] * bends[bits & (BENDS - 1)]
  const u = (bits >>> 12) / 2 ** 20
  const share = ratio / (1 + ratio)
  const left = quantity > LUMP ? Math.floor(quantity * share + u) : u < share ? quantity : 0
  const middle = (first + last) >> 1
  if (left > 0) divide(range, slot, key, 2 * node, first, middle, left)
  if (left < quantity) divide(range, slot, key, 2 * node + 1, middle, last, quantity - left)
}

const SPREAD = 0x7001
