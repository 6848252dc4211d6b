import { encode } from '@msgpack/msgpack'
import { expect, test } from 'vitest'
import { readAlpacaFrame as readAlpaca } from '../../src/connectors/alpaca/prints/alpaca-frame.ts'
import { readAlpacaTrade } from '../../src/connectors/alpaca/prints/alpaca-trade.ts'
import { readMassiveFrame as readMassive } from '../../src/connectors/massive/prints/massive-frame.ts'
import { massiveTradeInAnswer } from '../../src/connectors/massive/prints/massive-past-trades.ts'
import { readMassiveTrade } from '../../src/connectors/massive/prints/massive-trade.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import { chainEventFields, NewestEvents } from '../../src/connectors/tastytrade/chains/tastytrade-events.ts'
import { readFeedConfig, readFeedData } from '../../src/connectors/tastytrade/dxlink/dxlink-events.ts'
import { TastytradeSales } from '../../src/connectors/tastytrade/prints/tastytrade-sales.ts'
import { readThetaDataFrame as readTheta } from '../../src/connectors/thetadata/prints/thetadata-frame.ts'
import { readThetaDataTrade as readThetaTrade } from '../../src/connectors/thetadata/prints/thetadata-trade.ts'
import { readTradierFrame as readTradier } from '../../src/connectors/tradier/prints/tradier-timesale.ts'
import type { TradeRead } from '../../src/connectors/whole-market/wanted-trades.ts'
import type { Ticker } from '../../src/market/units.ts'
import { jsonMutations } from '../support/mutations.ts'
import { expectSameOrNamed } from '../support/same-or-named.ts'
import { written } from './alpaca/vendor.ts'
import { tradeEvent } from './massive/vendor.ts'
import { market, sale } from './tastytrade/vendor.ts'
import { quoteFrame, tradeFrame } from './thetadata/terminal.ts'
import { timesale } from './tradier/stream.ts'

// Frames of streams and past trades: every mutation of a message gives the same print or quote, or is refused with a
// reason that names the field.

const SPY = 'SPY' as Ticker
const noon = Date.parse('2026-07-29T16:00:00Z')
const all = () => true

/** Collects the figures read from a frame. Throws if something is refused, as mappers of payloads do. */
function figuresOf(
  read: (out: { tell(figures: unknown): void; refused(reason: string): void }) => void
): readonly unknown[] {
  const figures: unknown[] = []
  read({
    tell: (each) => figures.push(each),
    refused(reason) {
      throw new SourceError('malformed', reason)
    }
  })
  return figures
}

/** The message of a trade, or what refuses it. */
function messageOf(found: TradeRead) {
  if ('refused' in found) throw new SourceError('malformed', found.refused)
  return found.message
}

const nothing = () => {}

const massive = (text: string) =>
  figuresOf(({ tell, refused }) => {
    const trade = (each: Parameters<typeof readMassiveTrade>[0]) => tell([messageOf(readMassiveTrade(each, SPY)), each])
    readMassive(text, all, { status: nothing, trade, quote: tell, refused })
  })

test.each([
  // No conditions are those of a regular trade, so the figures are the same without them.
  ['trade', [tradeEvent({ c: [] })]],
  ['quote', [{ ev: 'Q', sym: 'O:SPY260731C00600000', bp: 1.4, ap: 1.6, bs: 5, as: 6, t: noon, q: 1 }]]
])('a mutated %s in a frame of Massive', (kind, frame) => {
  const text = JSON.stringify(frame)
  const whole = massive(text)
  expect(whole).toHaveLength(1)
  expectSameOrNamed(jsonMutations(text), whole, massive, (figures, label) => {
    const isSide = kind === 'quote' && /\.(bp|ap) (dropped|renamed)/.test(label) // a side without an order is left out
    if (isSide) expect(figures, label).toMatchObject([{ [label.includes('bp') ? 'bid' : 'ask']: 0 }])
    else expect(figures, label).toEqual(whole)
  })
})

test('a mutated past trade of Massive', () => {
  const row = { sip_timestamp: 1e6 * noon, price: 1.5, size: 10, exchange: 302, conditions: [], correction: 0 }
  const text = JSON.stringify(row)
  const figures = (changed: string) => {
    const trade = massiveTradeInAnswer(parsed(changed), 'SPY260731C00600000')
    if (typeof trade === 'string') throw new SourceError('malformed', trade)
    return messageOf(readMassiveTrade(trade, SPY))
  }
  expectSameOrNamed(jsonMutations(text), figures(text), figures)
})

const theta = (text: string) =>
  figuresOf(({ tell, refused }) => {
    const trade = (each: Parameters<typeof readThetaTrade>[0]) => tell([messageOf(readThetaTrade(each, SPY)), each])
    readTheta(text, all, { status: tell, response: nothing, trade, quote: tell, refused })
  })

test.each([
  ['trade', tradeFrame(noon)],
  ['quote', quoteFrame(noon)]
])('a mutated %s in a frame of ThetaData', (_, frame) => {
  const text = JSON.stringify(frame)
  const whole = theta(text)
  expect(whole).toHaveLength(1)
  expectSameOrNamed(jsonMutations(text), whole, theta)
})

const alpaca = (text: string) =>
  figuresOf(({ tell, refused }) => {
    const trade = (each: Parameters<typeof readAlpacaTrade>[0]) => tell(messageOf(readAlpacaTrade(each, SPY)))
    readAlpaca(encode(JSON.parse(text)), all, {
      ...{ success: nothing, error: nothing, subscribed: nothing },
      ...{ trade, quote: tell, refused }
    })
  })

test.each([
  ['trade', [{ T: 't', S: 'SPY260731C00600000', p: 1.5, s: 10, x: 'C', c: 'I', t: written(noon) }]],
  ['quote', [{ T: 'q', S: 'SPY260731C00600000', bp: 1.4, bs: 5, ap: 1.6, as: 6, c: 'R', t: written(noon) }]]
])('a mutated %s in a frame of Alpaca', (_, frame) => {
  const text = JSON.stringify(frame)
  const whole = alpaca(text)
  expect(whole).toHaveLength(1)
  // A truncated frame is not valid MessagePack; the tests of Alpaca's stream cover it.
  const mutations = [...jsonMutations(text)].filter(({ field }) => field !== undefined)
  expectSameOrNamed(mutations, whole, alpaca)
})

const tradier = (text: string) =>
  figuresOf(({ tell, refused }) => {
    readTradier(text === '' ? '{' : text, { timesale: tell, error: nothing, refused })
  })

test('a mutated timesale in a frame of Tradier', () => {
  const text = JSON.stringify(timesale(noon, { seq: 1, symbol: 'SPY260731C00600000' }))
  const whole = tradier(text) as readonly { readonly exchange: number; readonly change: unknown }[]
  expectSameOrNamed(jsonMutations(text), whole, tradier, (figures, label) => {
    // The exchange may be left out, and a message marked as a cancel is one.
    const found = { ...(figures[0] as object) } as { exchange: number; change: unknown }
    if (/^exch (dropped|renamed)/.test(label)) found.exchange = whole[0].exchange
    if (label.endsWith('as true')) found.change = whole[0].change
    expect([found], label).toEqual(whole)
  })
})

const prints = (text: string) => {
  const found = new TastytradeSales().read(parsed(text) as Record<string, unknown>, SPY, 'SPY260731C00600000')
  if (typeof found === 'string') throw new SourceError('malformed', found)
  return found
}

test('a mutated sale of tastytrade', () => {
  const text = JSON.stringify(sale())
  // The event's symbol selects the contract, so it is not mutated.
  const mutations = [...jsonMutations(text)].filter(({ field, label }) => {
    return field !== 'eventSymbol' && !/^(spreadLeg|extendedTradingHours) as true/.test(label)
  })
  expectSameOrNamed(mutations, prints(text), prints)
})

test.each([...chainEventFields.keys()])('a mutated %s of tastytrade', (type) => {
  // The stream writes missing figures as "NaN".
  const text = JSON.stringify(market(type, '.SPY260731C600')).replaceAll('"NaN"', '3')
  const figures = (changed: string) => {
    const collected = new NewestEvents()
    collected.take(type, [parsed(changed) as Record<string, unknown>])
    return collected.of('.SPY260731C600')
  }
  const mutations = [...jsonMutations(text)].filter(({ label }) => label !== 'eventSymbol as "text"')
  expectSameOrNamed(mutations, figures(text), figures)
})

test('a mutated configuration or data of dxLink', () => {
  const wanted = new Map([['Quote', ['eventSymbol', 'bidPrice']]])
  const config = { type: 'FEED_CONFIG', dataFormat: 'COMPACT', eventFields: { Quote: ['eventSymbol', 'bidPrice'] } }
  const data = { type: 'FEED_DATA', channel: 1, data: ['Quote', ['A', 1, 'B', 2]] }
  const text = JSON.stringify({ config, data })
  const figures = (changed: string) => {
    const frames = parsed(changed) as Record<string, Record<string, unknown>>
    const [known, events] = [new Map<string, readonly string[]>(), [] as unknown[]]
    readFeedConfig(frames['config'] ?? {}, wanted, known)
    readFeedData(frames['data'] ?? {}, known, (type, each) => events.push([type, each]))
    return events
  }
  const inside = [...jsonMutations(text)].filter(({ label }) => label.includes('.') || label.startsWith('cut'))
  expectSameOrNamed(inside, figures(text), figures)
})

/** Parses JSON; text that is no JSON is refused before a message is read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SourceError('malformed', 'it is not JSON, or not all of it')
  }
}
