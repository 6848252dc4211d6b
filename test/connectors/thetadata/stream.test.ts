import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readThetaDataFrame } from '../../../src/connectors/thetadata/prints/thetadata-frame.ts'
import { listening, quoteFrame, SPY, subscribed, tradeFrame } from './terminal.ts'
import { noon } from './vendor.ts'

const soon = { interval: 5 }
const sizesOf = (messages: readonly object[]) =>
  messages.flatMap((message) => ('print' in message ? [(message.print as { size: number }).size] : []))

test('subscribes once to all trades, and tells those of wanted symbols, each after the quote before it', async () => {
  const all = await subscribed()
  const { terminal, received, states } = all
  expect(terminal.received).toEqual([
    [{ msg_type: 'STREAM_BULK', sec_type: 'OPTION', req_type: 'TRADE', add: true, id: 0 }]
  ])
  expect(states[0]).toEqual({ until: noon, missed: [noon, noon] })
  terminal.tell(
    quoteFrame(noon - 20),
    { header: { type: 'OHLC' }, ohlc: {} },
    tradeFrame(noon),
    tradeFrame(noon, { size: 2 }, { root: 'QQQ' }),
    tradeFrame(noon, { size: 3, sequence: 7 })
  )
  await expect.poll(() => sizesOf(received), soon).toEqual([10, 3])
  const contract = 'SPY260731C00600000'
  expect(received.slice(0, 2)).toEqual([
    { quote: { symbol: SPY, contract, bid: 1.4, ask: 1.6, time: noon - 20 } },
    {
      print: {
        ...{ symbol: SPY, contract, time: noon, price: 1.5, size: 10, exchange: 6, sequence: undefined, flags: 0 },
        ...{ quote: undefined, spot: undefined }
      }
    }
  ])
  all.wanted.splice(0, 1, 'QQQ' as typeof SPY)
  await new Promise((resolve) => setTimeout(resolve, 350))
  terminal.tell(tradeFrame(noon, { size: 4, sequence: 8 }), tradeFrame(noon, { size: 5 }, { root: 'QQQ' }))
  await expect.poll(() => sizesOf(received), soon).toEqual([10, 3, 5])
  expect(all.refused).toEqual([])
  expect(await all.stop()).toBeUndefined()
  await expect.poll(() => terminal.received[0].at(-1), soon).toEqual({ msg_type: 'STOP', id: 1 })
})

test('frames are told as they came, for a case to send', async () => {
  const frames: (string | Uint8Array)[] = []
  const { terminal, received } = await subscribed({ onFrame: (frame) => void frames.push(frame) })
  const frame = tradeFrame(noon)
  terminal.tell(frame)
  await expect.poll(() => received.length, soon).toBe(1)
  expect(frames).toContain(JSON.stringify(frame))
})

test('a trade that comes twice is told once; two that are alike but for their number are two', async () => {
  const { terminal, received } = await subscribed()
  const frames = [tradeFrame(noon, { sequence: 7 }), tradeFrame(noon, { sequence: 8 })]
  terminal.tell(...frames, ...frames, tradeFrame(noon, { sequence: 9, size: 99 }))
  await expect.poll(() => sizesOf(received), soon).toEqual([10, 10, 99])
})

test('a line that breaks is connected again under another number, and what was missed is told', async () => {
  const { terminal, states, clock, received, interruptions } = await subscribed()
  clock.now = noon + 1000
  await expect.poll(() => states.at(-1)!.until, soon).toBe(noon + 1000)
  terminal.isMute = true
  await new Promise((resolve) => setTimeout(resolve, 60)) // what was said before has come
  clock.now = noon + 9000
  terminal.cut()
  await expect.poll(() => terminal.received.at(-1)![0]?.id, soon).toBe(2)
  expect(states.at(-1)!.until).toBe(noon + 1000) // it is not known yet whether the terminal hears anything
  terminal.isMute = false
  await expect
    .poll(() => states.find(({ until, missed }) => missed && until > noon), soon)
    .toEqual({
      until: noon + 9000,
      missed: [noon + 1000, noon + 9000]
    })
  expect(interruptions).toEqual(['the Theta Terminal closed the stream (1006): it has room for one program'])
  terminal.tell(tradeFrame(noon, { size: 2 }))
  await expect.poll(() => sizesOf(received), soon).toEqual([2])
})

test('a terminal that loses its own line is a line that breaks: what it missed is told once it is back', async () => {
  const { terminal, states, clock, interruptions } = await subscribed()
  terminal.isConnected = false
  await expect.poll(() => interruptions.length, soon).toBe(1)
  expect(interruptions[0]).toBe('the Theta Terminal has lost its connection to ThetaData')
  clock.now = noon + 5000
  const before = states.length
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(states).toHaveLength(before)
  terminal.isConnected = true
  await expect.poll(() => states[before], soon).toEqual({ until: noon + 5000, missed: [noon, noon + 5000] })
})

test('another program that takes over is told, and the feed comes back', async () => {
  const { terminal, interruptions, states } = await subscribed()
  for (const client of terminal.clients) client.close()
  await expect.poll(() => interruptions[0], soon).toMatch(/room for one program/)
  await expect.poll(() => states.filter(({ missed }) => missed).length, soon).toBe(2)
})

test('a plan without the stream ends the run with a sentence', async () => {
  const { ended } = await listening({}, (terminal) => {
    terminal.response = 'INVALID_PERMS'
  })
  expect(await ended).toMatchObject({ fault: 'refused', message: expect.stringMatching(/INVALID_PERMS.*pro has/) })
})

test.each([
  ['MAX_STREAMS_REACHED', /streams too much/],
  ['ERROR', /could not subscribe/]
])('%s interrupts and does not end', async (response, sentence) => {
  const { terminal, interruptions, states } = await listening({}, (prepared) => {
    prepared.response = response
  })
  await expect.poll(() => interruptions[0], soon).toMatch(sentence)
  terminal.response = 'SUBSCRIBED'
  await expect.poll(() => states.length, soon).toBeGreaterThan(0)
})

test('a terminal that says nothing is left, and one that is not there is waited for', async () => {
  const quiet = await subscribed({ limits: { silence: 150 } })
  quiet.terminal.isMute = true
  await expect.poll(() => quiet.interruptions[0], soon).toBe('the stream of the Theta Terminal said nothing for 0.15 s')
  const mute = await listening({ limits: { opening: 60 } }, (terminal) => {
    terminal.isMute = true
  })
  await expect.poll(() => mute.interruptions[0], soon).toMatch(/was not open within 0\.06 s/)
  const lost = await listening({ stream: 'ws://127.0.0.1:1' })
  await expect.poll(() => lost.interruptions.length, soon).toBeGreaterThan(1)
  expect(lost.interruptions[0]).toMatch(/^the stream of the Theta Terminal cannot be reached: /)
})

test('what the consumer throws ends the run as it is', async () => {
  const { terminal, received, ended } = await subscribed()
  received.push = () => {
    throw new RangeError('no room')
  }
  terminal.tell(tradeFrame(noon))
  expect(await ended).toEqual(new RangeError('no room'))
})

function seen(text: string) {
  const all = { trades: [] as object[], quotes: [] as object[], refused: [] as string[] }
  readThetaDataFrame(text, () => true, {
    status: () => {},
    response: () => {},
    trade: (trade) => all.trades.push(trade),
    quote: (quote) => all.quotes.push(quote),
    refused: (reason) => all.refused.push(reason)
  })
  return all
}

test('a frame of anything at all is read or refused for one of few reasons, and throws nothing', () => {
  const reasons = new Set([
    ...[
      'a frame without a header',
      'an unknown frame (type)',
      'a frame of no option (contract: symbol or root, expiration, strike, right)',
      'a response without its number (req_id, response)'
    ],
    ...[
      'a trade without its time (date, ms_of_day)',
      'a trade without a price (price)',
      'a trade without a size (size)',
      'a trade without its condition (condition)'
    ],
    ...[
      'a trade without its number (sequence)',
      'a quote without its time (date, ms_of_day)',
      'a quote without prices (bid, ask)'
    ]
  ])
  const type = fc.constantFrom('TRADE', 'QUOTE', 'STATUS', 'REQ_RESPONSE', 'OHLC', 'x')
  const frame = fc.record(
    { header: fc.record({ type }), contract: fc.jsonValue(), trade: fc.jsonValue(), quote: fc.jsonValue() },
    { requiredKeys: [] }
  )
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    frame.map((each) => JSON.stringify(each))
  )
  fc.assert(
    fc.property(text, (garbage) => {
      for (const reason of seen(garbage).refused) expect(reasons).toContain(reason)
    }),
    { numRuns: 1000 }
  )
})

test('a frame with one field dropped or of another type is the same trade, or none for a reason; cut off it is none', () => {
  const whole = tradeFrame(noon)
  const [expected] = seen(JSON.stringify(whole)).trades
  expect(expected).toMatchObject({ contract: 'SPY260731C00600000', time: noon, price: 1.5, size: 10, condition: 18 })
  for (const part of ['header', 'contract', 'trade'] as const) {
    for (const name of Object.keys(whole[part])) {
      for (const other of [undefined, 'text', true, {}, [], null]) {
        const { trades, refused } = seen(JSON.stringify({ ...whole, [part]: { ...whole[part], [name]: other } }))
        const isSame = trades.length === 1 && refused.length === 0
        // The root may be any text; the exchange is 0 if it is not stated.
        const loose = name === 'root' || name === 'exchange'
        if (isSame && !loose) expect(trades[0], name).toEqual(expected)
        else if (!isSame) expect([trades.length, refused.length], `${name} ${other}`).toEqual([0, 1])
      }
    }
  }
  const text = JSON.stringify(whole)
  for (let length = 0; length < text.length; length++) {
    expect(seen(text.slice(0, length))).toMatchObject({ trades: [], refused: ['a frame without a header'] })
  }
})
