import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type CboeChain, readByJson } from '../../../../src/connectors/cboe/json-chain.ts'
import { readBySimd } from '../../../../src/connectors/cboe/simd/simd-chain.ts'

/** Everything except the contracts in the head, which the WebAssembly reader cuts out. */
const comparable = ({ head, ...mapped }: CboeChain) => {
  const { symbol, fetched, newestTrade, underlying } = head
  return { ...mapped, head: { symbol, fetched, newestTrade, underlying: { ...underlying, options: undefined } } }
}

const outcome = (read: () => CboeChain | undefined) => {
  try {
    const mapped = read()
    return mapped && comparable(mapped)
  } catch (error) {
    return String(error)
  }
}

/**
 * Whether the WebAssembly reader takes the bytes. If it does, it must return or throw what the JSON reader does, to the last
 * bit, including the sign of a zero and the absence of a figure.
 */
export function isTakenAlike(bytes: Buffer): boolean {
  const quick = outcome(() => readBySimd(bytes))
  if (quick === undefined) return false
  const plain = outcome(() => readByJson(bytes))
  if (!isDeepStrictEqual(quick, plain)) expect(quick).toEqual(plain)
  expect(isDeepStrictEqual(quick, plain)).toBe(true)
  return true
}
