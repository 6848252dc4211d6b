import { expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { unitBook } from '../../src/exposure/book.ts'
import { gammaExposure } from '../../src/exposure/contract-exposure.ts'
import { parseEasternDateTime } from '../../src/market/eastern.ts'
import type { Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { atSpot, gammasAtSpots, movedGreeks } from '../../src/pricing/moved-chain.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'
import { NO_SIGMA } from '../../src/pricing/sources.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'

/** An American chain and one on forwards, priced as the service prices them. */
test.each([
  'SPY',
  'SPX'
])('gammas of some contracts of %s at many spots are bit by bit those of the whole chain', async (name) => {
  const noon = parseEasternDateTime('2026-07-29T12:00:00')!
  const symbol = name as Ticker
  const found = await createSynthetic({ seed: 1 }).chain(symbol, noon, AbortSignal.timeout(60_000))
  const chain = priceChain(found!, defaultAssumptions, fittedSmile)
  const slots = Int32Array.from(chain.strike.keys()).filter((i) => i % 3 !== 0 && chain.sigmaSource[i] !== NO_SIGMA)
  const spots = [0.9, 0.9975, 1, 1.01, 1.3].map((share) => share * chain.spot)
  const book = unitBook(chain)
  const rows = gammasAtSpots(
    chain,
    slots,
    spots,
    (gamma, k, underlying) => gamma * book.position[slots[k]] * 100 * underlying * underlying * 0.01
  )
  const all = chain.expirations.map((_, at) => at)
  spots.forEach((spot, x) => {
    const held = { chain: atSpot(chain, spot, all, movedGreeks(chain.size)), book }
    const differing = Array.from(slots).filter((i, k) => !Object.is(rows[k * spots.length + x], gammaExposure(held, i)))
    expect(differing).toEqual([])
  })
})
