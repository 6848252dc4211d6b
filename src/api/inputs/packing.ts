import type { Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type InputName, type Inputs, inputNamed } from './inputs.ts'

/** Prepares inputs for a worker: chains are replaced by references. */
export function packInputs(given: Partial<Inputs>, refOf: (chain: PricedChain) => unknown): Partial<Inputs> {
  return mapped(given, (name, value) => inputNamed(name).pack?.(value, refOf) ?? value)
}

/** Restores inputs from the main thread: references are replaced by chains. */
export function unpackInputs(packed: Partial<Inputs>, chainOf: (ref: unknown) => PricedChain): Partial<Inputs> {
  return mapped(packed, (name, value) => inputNamed(name).unpack?.(value, chainOf) ?? value)
}

/**
 * Symbol whose worker should compute the response: the symbol of the first input that has one. Undefined if any worker
 * may.
 */
export function symbolOfInputs(given: Partial<Inputs>): Ticker | undefined {
  for (const [name, value] of Object.entries(given)) {
    const symbol = value === undefined ? undefined : inputNamed(name as InputName).symbol?.(value)
    if (symbol !== undefined) return symbol
  }
  return undefined
}

function mapped(given: Partial<Inputs>, of: (name: InputName, value: unknown) => unknown): Partial<Inputs> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, of(name as InputName, value)]))
}
