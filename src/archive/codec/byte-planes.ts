import { ABSENT, ODD } from './prices.ts'

// Byte planes store columns of whole numbers as bytes that deflate well. Each number becomes 16 bits whose sign is the
// lowest bit (0, -1, 1, -2 …, the zigzag encoding of Protocol Buffers, "Signed Integers"). The low bytes of all columns
// come first, then the high bytes, most of which are 0. Measured on SPX: 3.6 bytes per contract and snapshot after
// deflate instead of 4.3 with 32-bit numbers; 29,000 contracts are unpacked in a millisecond.

/**
 * Stands for a number that does not fit in 16 bits. These numbers are stored in a separate list, in the order in which
 * they occur.
 */
const WIDE_CODE = 65_533
const ODD_CODE = 65_534
const ABSENT_CODE = 65_535
/**
 * Greatest magnitude of a number that is stored in 16 bits. Its code lies below the three codes with special meanings.
 */
const NARROW = 32_766

export interface BytePlanes {
  /** Low bytes of all columns, one column after the other, then the high bytes. */
  readonly planes: Uint8Array
  readonly wide: Int32Array
}

export function toBytePlanes(columns: readonly Int32Array[]): BytePlanes {
  const size = columns.length === 0 ? 0 : columns[0].length
  const high = columns.length * size
  const planes = new Uint8Array(2 * high)
  const wide: number[] = []
  let at = 0
  for (const column of columns) {
    for (let k = 0; k < size; k++, at++) {
      const value = column[k]
      let code = WIDE_CODE
      if (value <= NARROW && value >= -NARROW) code = (value << 1) ^ (value >> 31)
      else if (value === ABSENT) code = ABSENT_CODE
      else if (value === ODD) code = ODD_CODE
      else wide.push(value)
      planes[at] = code
      planes[high + at] = code >> 8
    }
  }
  return { planes, wide: Int32Array.from(wide) }
}

export function fromBytePlanes({ planes, wide }: BytePlanes, count: number, size: number): readonly Int32Array[] {
  const high = count * size
  if (planes.length !== 2 * high) throw new Error(`${planes.length} bytes are not ${count} columns of ${size} numbers`)
  let wideRead = 0
  return Array.from({ length: count }, (_, n) => {
    const column = new Int32Array(size)
    const [low, upper] = [n * size, high + n * size].map((from) => planes.subarray(from, from + size))
    wideRead = readColumn(low, upper, wide, wideRead, column)
    return column
  })
}

/**
 * Unpacks one column; returns how many wide numbers have been read so far. As a separate function this loop takes a
 * third less time.
 */
function readColumn(low: Uint8Array, high: Uint8Array, wide: Int32Array, from: number, into: Int32Array): number {
  let next = from
  for (let k = 0; k < into.length; k++) {
    const code = low[k] | (high[k] << 8)
    if (code < WIDE_CODE) into[k] = (code >>> 1) ^ -(code & 1)
    else if (code === ABSENT_CODE) into[k] = ABSENT
    else into[k] = code === ODD_CODE ? ODD : wide[next++]
  }
  return next
}
