import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { decodeSnapshot } from '../../src/archive/codec/decode-snapshot.ts'
import { contractNumbers } from '../../src/archive/codec/snapshot-columns.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { session } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'

// Measures read chains in their innermost loops, and V8 reads a field in one step only where it meets few shapes of object.
setFlagsFromString('--allow-natives-syntax')
const haveSameShape: (one: object, other: object) => boolean = runInNewContext(
  '(one, other) => %HaveSameMap(one, other)'
)
afterAll(() => setFlagsFromString('--no-allow-natives-syntax'))

const { open } = session('2026-07-29' as IsoDate)!
const synthetic = createSynthetic({ seed: 1 })
const { signal } = new AbortController()
const symbols = ['KO', 'VIX'] as unknown as readonly Ticker[]

/** A chain without quotes, as an archive returns it. */
const decoded = ({ symbol, asOf, expirations, strike, right, openInterest, size }: Chain): Chain => {
  const blank = () => new Int32Array(size)
  const header = Float64Array.of(0, 1.5, Number.NaN, Number.NaN, 1.5, asOf, 100, 100)
  const columns = {
    header,
    numbers: contractNumbers.map(blank),
    oddSlot: new Uint32Array(),
    oddPrice: new Float64Array()
  }
  const slots = Uint32Array.from({ length: size }, (_, slot) => slot)
  const contracts = { expirations, strike, right, openInterest, slots }
  return decodeSnapshot({ symbol, asOf, fidelity: 'recorded', packed: { contracts, columns } })
}

test('all chains have one shape in memory, and so have all priced ones', async () => {
  const made: Chain[] = []
  for (let minute = 1; minute <= 6; minute++) {
    for (const symbol of symbols) made.push((await synthetic.chain(symbol, open + minute * 60_000, signal))!)
  }
  const chains = made.flatMap((chain) => [chain, decoded(chain)])
  // The first chains taught V8 what the fields hold: fractions, and quotes that lack a side.
  const [known, later] = [chains.at(-1)!, chains.slice(chains.length / 2)]
  expect(later.filter((chain) => !haveSameShape(chain, known))).toHaveLength(0)
  const priced = later.map((chain) => priceChain(chain, defaultAssumptions))
  expect(priced.slice(priced.length / 2).filter((chain) => !haveSameShape(chain, priced.at(-1)!))).toHaveLength(0)
})
