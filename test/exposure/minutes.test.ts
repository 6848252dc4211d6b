import { beforeAll, describe, expect, test } from 'vitest'
import { netExposures } from '../../src/exposure/net.ts'
import { liveScope, type Scope } from '../../src/exposure/scope.ts'
import { gammaFlip, netGammaAt } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { importLean } from '../../src/imports/lean/import-lean.ts'
import type { Chain } from '../../src/market/chain.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { referenceVolatility } from '../../src/volatility/term/reference-slice.ts'
import { take } from '../imports/take.ts'
import { recordedMinutes } from '../support/lean-files.ts'

const folder = recordedMinutes()

/** The headlines of one minute. */
interface Minute {
  readonly chain: Chain
  readonly scope: Scope
  /** USD per 1 % move of spot. */
  readonly gex: number
  readonly flip: number
  /** Percent. */
  readonly atm: number
}

function minuteOf(chain: Chain): Minute {
  const priced = priceChain(chain, defaultAssumptions, fittedSmile)
  const scope = liveScope(priced)
  const [{ gex }, flip, atm] = [netExposures(scope), gammaFlip(scope)!, 100 * referenceVolatility(priced)!]
  return { chain, scope, gex, flip, atm }
}

/**
 * Changes from one minute to the next; that of net gamma excludes the effect of the move of spot, percent of its value
 * before.
 */
function changeBetween(before: Minute, now: Minute) {
  const expected = netGammaAt(before.scope, now.chain.spot)
  return {
    'net gamma': (100 * Math.abs(now.gex - expected)) / Math.abs(before.gex),
    flip: Math.abs(now.flip - before.flip),
    'volatility at the money': Math.abs(now.atm - before.atm)
  }
}
type Figure = keyof ReturnType<typeof changeBetween>

/** Whether spot stood, and no mid within 5 % of it moved by more than its spread. */
function isQuiet(before: Chain, now: Chain): boolean {
  if (Math.abs(now.spot / before.spot - 1) > 3e-4) return false
  for (let i = 0; i < now.size; i++) {
    if (Math.abs(now.strike[i] / now.spot - 1) > 0.05) continue
    const moved = Math.abs(now.bid[i] + now.ask[i] - before.bid[i] - before.ask[i]) / 2
    if (moved > before.ask[i] - before.bid[i] + 1e-9) return false
  }
  return true
}

function percentiles(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return [0.5, 0.9, 0.99].map((share) => sorted[Math.floor(share * (sorted.length - 1))])
}

/** A number from 0 to 1 for each contract of each minute, the same at each run. */
function chance(minute: number, slot: number): number {
  let h = Math.imul(slot * 7919 + minute * 104_729 + 17, 2_654_435_761)
  h = Math.imul(h ^ (h >>> 15), 2_246_822_519)
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32
}

/** A chain whose feed left out one side of a share of its quotes, of others at each minute. */
function thinned(chain: Chain, share: number): Chain {
  const without = (column: Float64Array, from: number, to: number) =>
    column.map((price, slot) => {
      const drawn = chance(chain.asOf / 60_000, slot)
      return drawn >= from && drawn < to ? Number.NaN : price
    })
  return { ...chain, bid: without(chain.bid, 0, share / 2), ask: without(chain.ask, share / 2, share) }
}

/** A runner's modules make early exercise ten times slower: three stretches of the 210 minutes are enough. */
const STRETCHES = [0, 100, 180]
const LENGTH = 20

/** Medians, 90th and 99th percentiles: percent of net gamma, USD, vol points. About one and a half times what was found. */
const bounds: readonly (readonly [quotes: string, figure: Figure, limits: readonly number[]])[] = [
  ['all', 'net gamma', [4, 15, 30]],
  ['all', 'flip', [0.05, 0.4, 0.75]],
  ['all', 'volatility at the money', [0.015, 0.07, 0.3]],
  ['all, quiet', 'net gamma', [3, 10, 16]],
  ['all, quiet', 'flip', [0.05, 0.3, 0.45]],
  ['all, quiet', 'volatility at the money', [0.01, 0.06, 0.25]],
  ['half of them', 'net gamma', [11, 30, 65]],
  ['half of them', 'flip', [0.7, 2.5, 4]],
  ['half of them', 'volatility at the money', [0.07, 0.16, 0.3]],
  ['a quarter of them', 'volatility at the money', [0.1, 0.35, Number.POSITIVE_INFINITY]]
]

const keptBy = { all: 1, 'half of them': 0.5, 'a quarter of them': 0.25 }

describe.skipIf(folder === undefined)('GOOG on 2015-12-24 from minute to minute', () => {
  const found = new Map<string, number[]>()
  const add = (quotes: string, before: Minute, now: Minute) => {
    for (const [figure, value] of Object.entries(changeBetween(before, now))) {
      const name = `${quotes}: ${figure}`
      if (!found.has(name)) found.set(name, [])
      found.get(name)!.push(value)
    }
  }
  beforeAll(async () => {
    const { snapshots } = await take((writer) => importLean([folder!], writer))
    const chains = snapshots.map(({ chain }) => chain)
    for (const [quotes, kept] of Object.entries(keptBy)) {
      for (const first of STRETCHES) {
        const minutes = chains.slice(first, first + LENGTH).map((chain) => minuteOf(thinned(chain, 1 - kept)))
        for (let m = 1; m < minutes.length; m++) {
          const [before, now] = [minutes[m - 1], minutes[m]]
          add(quotes, before, now)
          if (isQuiet(before.chain, now.chain)) add(`${quotes}, quiet`, before, now)
        }
      }
    }
  })

  test.each(bounds)('with %s: %s', (quotes, figure, limits) => {
    const changes = found.get(`${quotes}: ${figure}`)!
    const reached = percentiles(changes)
    const text = reached.map((value) => value.toFixed(3)).join(' / ')
    console.log(
      `GOOG, ${quotes}, ${figure}: ${text}, most ${Math.max(...changes).toFixed(2)}, ${changes.length} changes`
    )
    expect(changes.length).toBeGreaterThan(25)
    reached.forEach((value, k) => {
      expect(value).toBeLessThanOrEqual(limits[k])
    })
  })
})
