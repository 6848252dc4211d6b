import { expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { previousTradingDay } from '../../../src/market/calendar.ts'
import { momentOf } from '../../../src/market/payload-moment.ts'
import { contract, KEYS, market, noon, StreamVendor } from '../../connectors/alpaca/vendor.ts'
import {
  candle,
  LinkVendor,
  listing,
  restOf,
  SECRETS,
  market as tastytradeMarket
} from '../../connectors/tastytrade/vendor.ts'
import { RestVendor } from '../../support/rest-vendor.ts'

async function type(line: string, env: Readonly<Record<string, string>>) {
  const written = { out: [] as string[], err: [] as string[] }
  const terminal = {
    out: (text: string) => written.out.push(text),
    err: (text: string) => written.err.push(text),
    env
  }
  const code = await main(line.split(' '), terminal)
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

test('doctor tells what Alpaca answered and streams', async () => {
  // The newest trade is long ago: what is shown, and whose open interest counts, depends on the time of day.
  const shown = momentOf({ fetched: Date.now(), newestTrade: noon }).session.date
  const dated = { open_interest_date: previousTradingDay(shown) }
  const listed = ['SPY300118C00600000', 'SPY300118P00600000', 'SPY300315C00600000']
  const contracts = { option_contracts: listed.map((name) => contract(name, dated)), next_page_token: null }
  const rest = await RestVendor.start(market({ 'options/contracts': () => ({ body: contracts }) }, listed))
  const stream = await new StreamVendor().start()
  const addresses = `--alpaca-url ${rest.url} --alpaca-trading-url ${rest.url} --alpaca-stream ${stream.url}`
  const env = { GAMMAWALL_ALPACA_KEY: KEYS.key, GAMMAWALL_ALPACA_SECRET: KEYS.secret }
  const { code, out, err } = await type(`doctor --source alpaca ${addresses}`, env)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^chains of alpaca\n {2}reached {6}5 answers in/)
  expect(out).toContain('limit        200 requests a minute; this chain took 5: every 2 s when it is alone')
  expect(out).toContain('understood   3 contracts on 2 expirations')
  expect(out).toContain('missing      nothing')
  expect(out).toContain('stream       it is connected')
  expect(out).toContain('delay        900 s behind the market')
  const wrong = await type(`doctor --source alpaca ${addresses}`, { ...env, GAMMAWALL_ALPACA_SECRET: 'sk-wrong-8080' })
  expect(wrong.code).toBe(1)
  expect(wrong.out).toMatch(/failed +it refused the request because of the credentials .*GAMMAWALL_ALPACA_SECRET/)
  expect(wrong.out + wrong.err).not.toMatch(/sk-wrong-8080/)
})

test('doctor tells what tastytrade listed and streams', async () => {
  const link = await new LinkVendor().start()
  const later = JSON.stringify(listing()).replaceAll('260731', '300118').replaceAll('2026-07-31', '2030-01-18')
  const days = [
    candle(Date.parse('2026-07-28'), { eventFlags: 4 }),
    candle(Date.parse('2026-07-27'), { eventFlags: 8 })
  ]
  link.market = (type, symbol) => (type === 'Candle' ? days : tastytradeMarket(type, symbol))
  const rest = await RestVendor.start(restOf(link, { '/option-chains': () => ({ body: JSON.parse(later) }) }))
  const env = { GAMMAWALL_TASTYTRADE_SECRET: SECRETS.secret, GAMMAWALL_TASTYTRADE_TOKEN: SECRETS.token }
  const { code, out, err } = await type(`doctor --source tastytrade --tastytrade-url ${rest.url}`, env)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('understood   5 contracts on 1 expiration')
  expect(out).toContain('missing      an ask size of all')
  expect(out).toContain('understood   2 days, 2026-07-27 to 2026-07-28, last close 602')
  expect(out).toContain('stream       it is connected')
  expect(out).not.toContain('hidden')
})
