import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { captureInto } from '../../src/connectors/port/capture/capture.ts'
import { capturePlace } from '../../src/connectors/port/capture/capture-place.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { capturedVendor } from '../support/captured-vendor.ts'
import { alpacaOver, KEYS, market, noon } from './alpaca/vendor.ts'
import { market as thetaMarket, thetaOver } from './thetadata/vendor.ts'

// A folder of `--capture` is the case that a user sends: over a vendor that answers from it a connector says the same again.

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()

function capturing(source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { folder, onAnswer: captureInto(capturePlace(folder, Object.values(KEYS)), source).onAnswer }
}

/** Everything of a chain but how long it was under way. */
const figures = ({ symbol, asOf, spot, quote, expirations, ...columns }: Chain) => [
  ...[symbol, asOf, spot, quote, expirations],
  ...[columns.strike, columns.bid, columns.ask, columns.last, columns.volume, columns.openInterest].map((column) => [
    ...column
  ])
]

test('of Alpaca, pages of JSON of two interfaces', async () => {
  const { folder, onAnswer } = capturing('alpaca')
  const { alpaca } = await alpacaOver(market(), { onAnswer })
  const chain = (await alpaca.chain(SPY, noon, signal))!
  const { alpaca: again } = await alpacaOver(capturedVendor(folder))
  expect(figures((await again.chain(SPY, noon, signal))!)).toEqual(figures(chain))
  expect(chain.size).toBe(3)
})

test('of ThetaData, tables', async () => {
  const { folder, onAnswer } = capturing('thetadata')
  const { theta } = await thetaOver(thetaMarket(), { onAnswer })
  const chain = (await theta.chain(SPY, noon, signal))!
  const { theta: again } = await thetaOver(capturedVendor(folder))
  expect(figures((await again.chain(SPY, noon, signal))!)).toEqual(figures(chain))
  expect(chain.size).toBeGreaterThan(0)
})

test('of a fault, with what the vendor said beside it', async () => {
  const { folder, onAnswer } = capturing('alpaca')
  const refusal = { status: 403, body: { message: 'subscription does not permit this' } }
  const { alpaca } = await alpacaOver(() => refusal, { onAnswer })
  const fault = await alpaca.chain(SPY, noon, signal).catch((reason) => reason)
  const conduct = capturedVendor(folder)
  const { alpaca: again, vendor } = await alpacaOver(conduct)
  expect(await again.chain(SPY, noon, signal).catch((reason) => reason)).toEqual(fault)
  const answer = await conduct(vendor.asked[0])
  expect(answer).toMatchObject({ status: 403, body: JSON.stringify(refusal.body) })
})
