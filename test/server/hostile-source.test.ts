import { expect, test, vi } from 'vitest'
import { MarketEventBus } from '../../src/live/market-events.ts'
import type { Ticker } from '../../src/market/units.ts'
import { settled } from '../live/standing-market.ts'
import { hostileSource, modes } from '../support/hostile-source.ts'
import { service } from '../support/service.ts'

const STEPS = 10_000
const symbols = ['SPY', 'AAPL', 'KO', 'MSFT']
const paths = ['exposure/levels', 'exposure/gex', 'exposure/summary']

/** Numbers from 0 to below 1 that are the same in every run (a linear congruence; Numerical Recipes, 2nd ed., 7.1). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('10,000 random steps of a source that misbehaves: never 5xx while a good chain is held, never a refused figure, every age true', async () => {
  const random = numbersFrom(11)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]
  const source = hostileSource()
  const events = new MarketEventBus()
  // A caller that would wait in vain is let go at the next turn: no time passes on the clock of this test by itself.
  const after = (_: number, run: () => void) => {
    const timer = setTimeout(run, 0)
    return () => clearTimeout(timer)
  }
  const at = service({ market: { source, events, after } })
  const key = at.keyOn('alpha')
  const wrong: string[] = []
  const note = (what: string) => wrong.length < 10 && wrong.push(what)
  const counted = { served: 0, stale: 0, unavailable: 0, refused: 0, swapped: 0 }
  // Daily bars and past closes are refused by the same event, but they are no request for a chain.
  const isOfChain = ({ message }: { readonly message: string }) => !/^the (daily bars|close) of /.test(message)
  events.on('payloadRefused', (refused) => {
    if (isOfChain(refused)) counted.refused++
  })
  events.on('chainSwapped', ({ symbol, asOf }) => {
    counted.swapped++
    if (!source.good.has(`${symbol} ${asOf}`))
      note(`${symbol}: the recorder and the stream were told of a refused payload`)
  })
  // Refused payloads are packed beside the thread, which takes as long as the machine lets it.
  let ended = 0
  for (const name of ['sourceAnswered', 'sourceFailed', 'olderDropped'] as const) events.on(name, () => ended++)
  events.on('payloadRefused', (refused) => {
    if (isOfChain(refused)) ended++
  })
  const allEnded = async () => {
    await vi.waitFor(() => expect(ended).toBe(source.asked.length), { timeout: 120_000 })
    await settled()
  }
  const isHeld = (symbol: string) => [...at.live.loaded()].some(({ chain }) => chain.symbol === symbol)
  source.isHeld = isHeld

  const ask = async (symbol: string) => {
    const wasHeld = isHeld(symbol)
    const { statusCode: status, headers, body } = await at.ask(`/v1/${pick(paths)}/${symbol}`, key)
    if (status === 502 || status === 503) counted.unavailable++
    if (status !== 200) {
      if (wasHeld || ![502, 503, 404].includes(status)) note(`${symbol}: ${status} ${body}`)
      return
    }
    const moment = Date.parse(JSON.parse(body).as_of)
    counted.served++
    if (headers['x-data-stale'] === 'true') counted.stale++
    if (!source.good.has(`${symbol} ${moment}`)) note(`${symbol}: figures of a payload that was refused`)
    const age = (at.clock.at - moment) / 1000
    if (!(Math.abs(Number(headers['x-data-age']) - age) <= 1))
      note(`${symbol}: ${headers['x-data-age']} s for ${age} s`)
  }

  // If only the other symbols were known so far, payloads from the future for all of them would be blamed on the clock.
  await at.live.chain('SPY' as Ticker, 1000)
  source.modes.set('KO', 'is down')
  await ask('KO')
  expect(counted.unavailable).toBe(1)
  for (let step = 0; step < STEPS; step++) {
    const symbol = pick(symbols)
    // SPY never comes from the future, so that the clock is not to blame for the others; and mostly a source is well.
    const mode = random() < 0.4 ? 'good' : pick(modes)
    source.modes.set(symbol, symbol === 'SPY' && mode === 'a moment from the future' ? 'good' : mode)
    at.clock.pass(Math.ceil(20 + random() * 1200))
    if (random() < 0.3) at.live.poll()
    if (random() < 0.6) await ask(pick(symbols))
    if (random() < 0.1) source.release()
    if (step % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }

  expect(wrong).toEqual([])
  console.log(`a hostile source, ${STEPS} steps:`, counted)
  const { unavailable: _, ...often } = counted
  expect(Math.min(...Object.values(often))).toBeGreaterThan(200)
  source.release()
  await allEnded()
  for (const symbol of symbols) source.modes.set(symbol, 'good')
  // The pauses after the last failures are over by then; the second reading is the one good poll.
  for (const passed of [6 * 60_000, 1000]) {
    at.clock.pass(passed)
    for (const symbol of symbols) await at.live.chain(symbol as Ticker, 1000)
    await allEnded()
  }
  for (const symbol of symbols) {
    const { statusCode, headers } = await at.ask(`/v1/exposure/levels/${symbol}`, key)
    expect([symbol, statusCode, headers['x-data-age'], headers['x-data-stale']]).toEqual([
      symbol,
      200,
      '0.0',
      undefined
    ])
  }
  await at.close()
})
