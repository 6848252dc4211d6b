import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { charmExposure } from '../../src/exposure/contract-exposure.ts'
import { netExposures } from '../../src/exposure/net.ts'
import { carriesExposure, expiringScope, liveScope } from '../../src/exposure/scope.ts'
import { formatOcc } from '../../src/market/occ.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { fillGreeks } from '../../src/pricing/greeks.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { NO_SIGMA } from '../../src/pricing/sources.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { priced, recordedChain } from '../support/markets.ts'

// The traps that recorded chains are known to hold, each by the figure a user would see.

const folder = recordedPayloads()
const recorded = folder === undefined ? test.skip : test

const spy = async (date: string) => priced(await recordedChain(folder!, 'SPY', date), defaultAssumptions)
const spx = async (date: string) => priced(await recordedChain(folder!, 'SPX', date))

interface VendorRow {
  readonly option: string
  readonly iv: number
  readonly delta: number
  readonly gamma: number
  readonly open_interest: number
  readonly bid: number
}

/** The vendor's own rows by contract. */
function vendorRows(file: string): ReadonlyMap<string, VendorRow> {
  const text = gunzipSync(readFileSync(join(folder!, file))).toString('utf8')
  const rows = JSON.parse(text).data.options as VendorRow[]
  return new Map(rows.map((row) => [row.option, row]))
}

function contractsOf(chain: PricedChain): readonly string[] {
  return chain.expirations.flatMap(({ root, date, start, end }) =>
    Array.from({ length: end - start }, (_, k) => {
      const i = start + k
      return formatOcc({
        root,
        expiration: date,
        right: chain.right[i] === 0 ? 'call' : 'put',
        strike: chain.strike[i]
      })
    })
  )
}

recorded(
  'contracts that expired that day are listed after the close and count nowhere but under their own date',
  async () => {
    const chain = await spy('2026-07-29')
    const today = '2026-07-29' as IsoDate
    expect(chain.expirations[0].date).toBe(today)
    const named = expiringScope(chain, today)
    expect(named.slots.some((i) => chain.openInterest[i] > 0)).toBe(true)
    expect(liveScope(chain).expirations).not.toContain(0)
  }
)

recorded('gamma that the vendor rounds to nothing is computed: a third of SPX open interest has some', async () => {
  const chain = await spx('2026-07-31')
  const vendor = vendorRows('_SPX-2026-07-31.json.gz')
  let [all, rounded, computed, exposed] = [0, 0, 0, 0]
  contractsOf(chain).forEach((name, i) => {
    const row = vendor.get(name)!
    const oi = Math.max(0, chain.openInterest[i])
    expect(oi).toBe(row.open_interest)
    all += oi
    if (row.gamma !== 0 || oi === 0) return
    rounded += oi
    if (chain.sigmaSource[i] === NO_SIGMA) return
    computed += oi
    expect(chain.gamma[i]).toBeGreaterThanOrEqual(0)
    if (chain.gamma[i] > 0) exposed += oi
  })
  expect(rounded / all).toBeGreaterThan(0.3)
  expect(computed / rounded).toBeGreaterThan(0.5)
  expect(exposed).toBe(computed)
})

recorded('rows whose volatility the vendor gives as 0 are priced by their quotes or their siblings', async () => {
  const chain = await spy('2026-07-29')
  const vendor = vendorRows('SPY-2026-07-29.json.gz')
  let [zero, found] = [0, 0]
  contractsOf(chain).forEach((name, i) => {
    if (vendor.get(name)!.iv !== 0) return
    zero++
    if (chain.sigmaSource[i] !== NO_SIGMA) found++
    expect(chain.sigma[i] === 0).toBe(false)
  })
  expect(zero).toBeGreaterThan(300)
  expect(found / zero).toBeGreaterThan(0.1)
})

recorded('AM and PM contracts of a third Friday keep their own clock, quotes and greeks', async () => {
  const chain = await spx('2026-07-31')
  const shared = chain.expirations.filter(({ date }) => date === '2026-08-21')
  expect(shared.map(({ root, settlement }) => [root, settlement])).toEqual([
    ['SPX', 'am'],
    ['SPXW', 'pm']
  ])
  const [am, pm] = shared.map((listed) => chain.carries[chain.expirations.indexOf(listed)])
  expect(pm.t - am.t).toBeCloseTo(1 / 252 - 17.5 / 24 / 365, 12)
  expect(pm.forward / am.forward).toBeCloseTo(1, 3)
  const slot = ({ start, end }: (typeof shared)[number]) => {
    for (let i = start; i < end; i++) if (chain.strike[i] === 7000 && chain.right[i] === 0) return i
    return -1
  }
  const [first, second] = shared.map(slot)
  expect(chain.gamma[first]).not.toBe(chain.gamma[second])
})

recorded(
  'an after-hours price of the underlying moves CHEX by what spot moved, not by the yield it fakes',
  async () => {
    const raw = await recordedChain(folder!, 'SPY', '2026-07-29')
    expect(raw.spot).toBe(729.46)
    const [close, later] = [raw, { ...raw, spot: 731.88 }].map((chain) => priced(chain, defaultAssumptions))
    // Parity holds the forward where the options stopped trading: with either spot it says what that was then.
    const [before, after] = [close, later].map(({ carries }) => carries[1])
    expect(after.spot).toBeCloseTo(before.spot, 9)
    expect(Math.abs(after.spot - 728.4)).toBeLessThan(0.3)
    expect(after.clockYield).toBe(before.clockYield)
    const sound = netExposures(liveScope(close)).chex
    const moved = netExposures(liveScope(later)).chex
    const misled = chexWithImpliedYields(later)
    expect(moved / sound).toBeCloseTo(731.88 / 729.46, 9)
    expect(Math.abs(misled / sound - 1)).toBeGreaterThan(0.6)
  }
)

/** CHEX as it would be if spot, and every yield that it implies, were believed. */
function chexWithImpliedYields(chain: PricedChain): number {
  const scratch = () => new Float64Array(chain.size)
  const greeks = {
    delta: scratch(),
    gamma: scratch(),
    theta: scratch(),
    vega: scratch(),
    rho: scratch(),
    vanna: scratch(),
    charm: scratch()
  }
  const { spot } = chain
  chain.expirations.forEach(({ start, end }, at) => {
    const { t, rate, forward } = chain.carries[at]
    const terms = { spot, t, rate, dividendYield: rate - Math.log(forward / spot) / t }
    fillGreeks(terms, chain.strike, chain.right, chain.sigma, start, end, greeks)
  })
  const scope = liveScope(chain)
  const plain = { ...scope, chain: { ...chain, charm: greeks.charm } }
  return scope.slots.reduce((sum, i) => sum + (carriesExposure(scope, i) ? charmExposure(plain, i) : 0), 0)
}

/** Least shares of liquid contracts out of the money whose delta and volatility are the vendor's, by days to expiry. */
const besideTheVendor = [
  { from: 30, to: 90, deltas: 0.95, volatilities: 0.95 },
  { from: 90, to: 200, deltas: 0.98, volatilities: 0.97 },
  { from: 200, to: 400, deltas: 0.92, volatilities: 0.97 },
  { from: 400, to: 2000, deltas: 0.8, volatilities: 0.97 }
]

recorded('deltas of SPY are the vendor’s within 0.005 and volatilities within half a point', async () => {
  const chain = await spy('2026-07-29')
  const vendor = vendorRows('SPY-2026-07-29.json.gz')
  const names = contractsOf(chain)
  for (const { from, to, deltas, volatilities } of besideTheVendor) {
    let [count, ofDelta, ofVolatility] = [0, 0, 0]
    chain.expirations.forEach(({ start, end }, at) => {
      const { days, forward } = chain.carries[at]
      if (days < from || days >= to) return
      for (let i = start; i < end; i++) {
        const { iv, delta } = vendor.get(names[i])!
        const spread = chain.ask[i] - chain.bid[i]
        const isLiquid = chain.bid[i] > 0 && spread <= Math.max(0.05, 0.05 * (chain.bid[i] + chain.ask[i]))
        const isOutOfTheMoney = (chain.right[i] === 0) === chain.strike[i] >= forward
        if (!isLiquid || !isOutOfTheMoney || !(iv > 0)) continue
        count++
        if (Math.abs(chain.delta[i] - delta) <= 0.005) ofDelta++
        if (Math.abs(chain.sigma[i] - iv) <= 0.005) ofVolatility++
      }
    })
    expect(count).toBeGreaterThan(500)
    expect(ofDelta / count, `deltas from ${from} days`).toBeGreaterThan(deltas)
    expect(ofVolatility / count, `volatilities from ${from} days`).toBeGreaterThan(volatilities)
  }
})
