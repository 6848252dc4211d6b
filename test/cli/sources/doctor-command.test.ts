import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { references } from '../../../src/connectors/reference-registry.ts'
import { connectors } from '../../../src/connectors/registry.ts'
import { latestSession } from '../../../src/market/calendar.ts'
import { TerminalSocket } from '../../connectors/thetadata/terminal.ts'
import { NO_DATA, named, quoteOf, table } from '../../connectors/thetadata/vendor.ts'
import {
  chainBody,
  datesBody,
  market,
  option,
  quoteBody,
  TOKEN,
  tradierLimit
} from '../../connectors/tradier/vendor.ts'
import { RestVendor, type VendorConduct } from '../../support/rest-vendor.ts'

async function type(line: string, env: Readonly<Record<string, string>> = {}) {
  const written = { out: [] as string[], err: [] as string[] }
  const terminal = {
    out: (text: string) => written.out.push(text),
    err: (text: string) => written.err.push(text),
    env
  }
  const code = await main(line.split(' '), terminal)
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

const env = { GAMMAWALL_TRADIER_TOKEN: TOKEN }
const symbols = ['SPY300118C00600000', 'SPY300118P00600000', 'SPY1300118C00600000', 'nonsense']

/** The vendor as it is now, whenever the test runs. */
function today(more: Readonly<Record<string, VendorConduct>> = {}): VendorConduct {
  const traded = latestSession(Date.now()).open + 1000
  const times = { trade_date: traded, bid_date: traded, ask_date: traded }
  return market({
    quotes: () => ({ body: quoteBody({ ...times, close: 600, prevclose: 600 }) }),
    expirations: () => ({ body: datesBody('2030-01-18') }),
    chains: () => ({
      body: chainBody(symbols.map((symbol) => option(symbol, { ...times, last: null, open_interest: null })))
    }),
    history: () => ({
      body: { history: { day: { date: '2026-07-28', open: 1, high: 2, low: 1, close: 1.5, volume: 9 } } }
    }),
    ...more
  })
}

test('connectors lists every source with what it provides and needs', async () => {
  const { code, out } = await type('connectors')
  expect(code).toBe(0)
  for (const { name, provides, terms } of [...connectors, ...references]) {
    expect(out).toContain(`${name}: ${provides.join(', ')}`)
    expect(out).toContain(terms)
  }
  expect(out).toContain('GAMMAWALL_TRADIER_TOKEN, or a file of it')
  const listed = JSON.parse((await type('connectors --json')).out)
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(
    [...connectors, ...references].map(({ name }) => name)
  )
})

test('doctor tells what a source answered, what of it is odd and what is missing', async () => {
  const vendor = await RestVendor.start(today(), tradierLimit(120, 60_000))
  const { code, out, err } = await type(`doctor --source tradier --tradier-url ${vendor.url}/v1`, env)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^chains of tradier\n {2}reached {6}3 answers in [\d.]+ s, 0\.0 MiB/)
  expect(out).toContain('clock        this machine and the source agree')
  expect(out).toMatch(/limit +119 requests a minute; this chain took 3: every 2 s when it is alone/)
  expect(out).toContain('understood   2 contracts on 1 expiration')
  expect(out).toContain('1 adjusted, expired or listed twice, 1 that cannot be read')
  expect(out).toContain('missing      a last price of all, open interest of all')
  expect(out).toContain('verdict      it would be served')
  expect(out).toContain('understood   1 day, 2026-07-28 to 2026-07-28, last close 1.5')
})

test('doctor names the field that was not understood, and ends with 1', async () => {
  const renamed = { options: { option: symbols.map((symbol) => option(symbol, { open_interest: '12' })) } }
  const vendor = await RestVendor.start(today({ chains: () => ({ body: renamed }) }))
  const { code, out, err } = await type(`doctor --source tradier --tradier-url ${vendor.url}/v1`, env)
  expect(code).toBe(1)
  expect(out).toMatch(
    /failed +it was reached and accepted the credentials, but its response is not understood: .*open_interest is no number/
  )
  expect(err).toMatch(/open_interest is no number/)
})

test('doctor tells a token that is refused from a server that is not there', async () => {
  const vendor = await RestVendor.start(() => ({ status: 401, body: 'Invalid Access Token' }))
  const refused = await type(`doctor --source tradier --tradier-url ${vendor.url}/v1`, env)
  expect(refused.out).toMatch(/failed +it refused the request because of the credentials .*GAMMAWALL_TRADIER_TOKEN/)
  const lost = await type('doctor --source tradier --tradier-url http://127.0.0.1:9', env)
  expect(lost.out).toMatch(/failed +it cannot be reached/)
  expect((await type('doctor --source tradier')).err).toMatch(/^tradier needs a token/)
  for (const { out, err } of [refused, lost]) expect(out + err).not.toContain(TOKEN)
})

test('doctor tells by how much a clock is off, where the source answers and where it refuses', async () => {
  const dated = (seconds: number) => ({ date: new Date(Date.now() + 1000 * seconds).toUTCString() })
  const answers = today()
  const behind = await RestVendor.start((request) => ({ ...answers(request), headers: dated(90) }))
  const { out } = await type(`doctor --source tradier --tradier-url ${behind.url}/v1`, env)
  expect(out).toMatch(/clock +this machine is (89|90|91) s behind the source: set its clock/)
  const before = await RestVendor.start(() => ({ status: 401, headers: dated(-3600) }))
  const refused = await type(`doctor --source tradier --tradier-url ${before.url}/v1`, env)
  expect(refused.out).toMatch(
    /failed +it refused[^\n]+\n +clock +this machine is (3599|3600|3601) s ahead of the source/
  )
})

test('doctor opens the stream of a terminal, and names what its plan lacks', async () => {
  const terminal = await new TerminalSocket().start()
  const reports: VendorConduct = ({ path, query }) => {
    const date = query['start_date'].replace(/(....)(..)(..)/, '$1-$2-$3')
    const made = {
      created: `${date}T17:16:00`,
      last_trade: `${date}T17:15:00`,
      open: 600,
      high: 601,
      low: 599,
      close: 600
    }
    if (path.startsWith('/v3/stock')) return table(path, [made])
    const contracts = ['SPY300118C00600000', 'SPY300118P00600000'].map(named)
    return table(
      path,
      contracts.map((contract) => ({ ...contract, ...made, close: 2, ...quoteOf(2, 2.1) }))
    )
  }
  const vendor = await RestVendor.start((request) => (request.path.endsWith('/eod') ? reports(request) : NO_DATA))
  const line = `doctor --source thetadata --thetadata-url ${vendor.url}/v3 --thetadata-plan pro --thetadata-stream ${terminal.address}`
  const { code, out } = await type(line)
  expect(code).toBe(0)
  expect(out).toContain('understood   2 contracts on 1 expiration')
  expect(out).toContain('missing      open interest of all')
  expect(out).toMatch(/prints of thetadata\n {2}stream {7}it is connected/)
  const lost = await type('doctor --source thetadata --thetadata-url http://127.0.0.1:9/v3')
  expect(lost.out).toMatch(/failed +it cannot be reached or is down: the Theta Terminal cannot be reached/)
  const without = await RestVendor.start(() => ({ status: 471 }))
  const refused = await type(`doctor --source thetadata --thetadata-url ${without.url}/v3`)
  expect(refused.out).toMatch(
    /failed +it refused the request because of the credentials or of what the account includes: .*no plan with it/
  )
})

test('doctor asks each of several sources, and each reference', async () => {
  const vendor = await RestVendor.start(today(), tradierLimit(120, 60_000))
  const rates = { refRates: [{ effectiveDate: '2026-11-19', type: 'SOFR', percentRate: 4.1 }] }
  const bank = await RestVendor.start(() => ({ body: rates }))
  const places = `--tradier-url ${vendor.url}/v1 --cboe-url http://127.0.0.1:9 --nyfed-url ${bank.url}`
  const { code, out } = await type(`doctor --source tradier,cboe --rates nyfed ${places}`, env)
  expect(out).toMatch(/^chains of tradier\n {2}reached/)
  expect(out).toMatch(/\nchains of cboe\n {2}failed +it cannot be reached/)
  expect(out).toMatch(/\ndaily bars of tradier or cboe\n {2}understood +1 day/)
  expect(out).toMatch(/\nnyfed, which states .*\n {2}\^SOFR +1 day, 4\.1 on 2026-11-19/)
  expect(code).toBe(1)
  expect((await type('doctor --source cboe --macro fred')).err).toMatch(/^fred needs a key/)
})

test('doctor of the made-up market finds nothing wrong with it', async () => {
  const { code, out } = await type('doctor --as-of 2026-07-29T11:00 --symbol QQQ')
  expect(code).toBe(0)
  expect(out).toMatch(/^chains of synthetic\n {2}understood {3}[\d,]+ contracts/)
  expect(out).toContain('verdict      it would be served')
})

test('raw answers are kept as they came, without the secret', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const body = JSON.stringify({ history: null, echoed: `Bearer ${TOKEN}` })
  const vendor = await RestVendor.start(today({ history: () => ({ body }) }), tradierLimit(120, 60_000))
  const capture = join(folder, 'case')
  await type(`doctor --source tradier --tradier-url ${vendor.url}/v1 --capture ${capture}`, env)
  const lines = readFileSync(join(capture, 'answers.ndjson'), 'utf8').trim().split('\n')
  const answers = lines.map((line) => JSON.parse(line))
  expect(answers).toHaveLength(4)
  expect(answers[0]).toMatchObject({ status: 200, headers: { 'x-ratelimit-available': '119' } })
  expect(answers[0].address).toContain('/markets/options/expirations?symbol=SPY')
  expect(readFileSync(join(capture, answers[0].file), 'utf8')).toBe(JSON.stringify(datesBody('2030-01-18')))
  expect(readFileSync(join(capture, answers.at(-1).file), 'utf8')).toBe(body.replace(TOKEN, '***'))
  for (const file of readdirSync(capture)) expect(readFileSync(join(capture, file), 'utf8')).not.toContain(TOKEN)
})
