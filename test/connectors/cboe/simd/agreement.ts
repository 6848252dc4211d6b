import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { MappedBytes } from '../../../../src/connectors/cboe/map.ts'
import { mapPlainly } from '../../../../src/connectors/cboe/map-bytes.ts'
import { mapBySimd } from '../../../../src/connectors/cboe/simd/map-by-simd.ts'

/** All but the contracts in the head, which JSON alone makes objects of and either scan cuts out. */
const comparable = ({ head, ...mapped }: MappedBytes) => {
  const { symbol, fetched, newestTrade, underlying } = head
  return { ...mapped, head: { symbol, fetched, newestTrade, underlying: { ...underlying, options: undefined } } }
}

const outcome = (read: () => MappedBytes | undefined) => {
  try {
    const mapped = read()
    return mapped && comparable(mapped)
  } catch (error) {
    return String(error)
  }
}

/**
 * Whether the scan takes the bytes. What it then says, or throws, has to be what is read without it, to the last bit,
 * the sign of a zero and the absence of a figure included.
 */
export function isTakenAlike(bytes: Buffer): boolean {
  const quick = outcome(() => mapBySimd(bytes))
  if (quick === undefined) return false
  const plain = outcome(() => mapPlainly(bytes))
  if (!isDeepStrictEqual(quick, plain)) expect(quick).toEqual(plain)
  expect(isDeepStrictEqual(quick, plain)).toBe(true)
  return true
}
