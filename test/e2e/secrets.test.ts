import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LinkVendor, QUOTE_TOKEN, restOf } from '../connectors/tastytrade/vendor.ts'
import { RestVendor, type VendorAnswer } from '../support/rest-vendor.ts'
import { ask, eventually, launch, program, startService, temporaryFolder } from '../support/started-service.ts'

// Vendors that hand every secret back: in bodies, headers, addresses and errors, as it is and as an address writes it. Whatever
// the service prints, answers, counts or keeps holds none of them.

const secrets = {
  GAMMAWALL_TRADIER_TOKEN: 'planted-tradier+4711/x',
  GAMMAWALL_MASSIVE_KEY: 'planted-massive+4711/x',
  GAMMAWALL_ALPACA_KEY: 'planted-alpaca+4711/k',
  GAMMAWALL_ALPACA_SECRET: 'planted-alpaca+4711/s',
  GAMMAWALL_TASTYTRADE_SECRET: 'planted-tasty+4711/s',
  GAMMAWALL_TASTYTRADE_TOKEN: 'planted-tasty+4711/t',
  GAMMAWALL_FRED_KEY: 'planted4711fred4711planted4711fr'
}
const all = Object.values(secrets).join(' ')
/** Secrets that a stream was given, or that the client opening it could know. */
const ofStream = [secrets.GAMMAWALL_TASTYTRADE_SECRET, secrets.GAMMAWALL_TASTYTRADE_TOKEN, QUOTE_TOKEN].join(' ')

/** Everything that is planted, and what is told of it in an address. */
function leaksIn(text: string): readonly string[] {
  return [...Object.values(secrets), QUOTE_TOKEN].filter(
    (secret) => text.includes(secret) || text.includes(encodeURIComponent(secret))
  )
}

const run = (...args: readonly string[]) => launch(process.execPath, [program, ...args], { env: secrets }).ended

const echoes: readonly VendorAnswer[] = [
  { status: 200, body: { message: all } },
  { status: 200, body: all },
  { status: 401, headers: { 'x-echo': all }, body: all },
  { status: 429, headers: { 'retry-after': '1', 'x-ratelimit-echo': all }, body: all },
  { status: 500, body: all },
  { status: 302, headers: { location: `https://elsewhere.example/${encodeURIComponent(all)}` } },
  { status: 200, body: { message: all }, cut: 20 }
]

test('no secret of a source is in any output, whatever its vendor says', { timeout: 240_000 }, async () => {
  let turn = 0
  const rest = await RestVendor.start(() => echoes[turn++ % echoes.length])
  const link = await new LinkVendor().start()
  link.instead = () => ({ channel: 0, type: 'ERROR', error: 'UNAUTHORIZED', message: ofStream })
  const tasty = await RestVendor.start(restOf(link, { '/option-chains': () => echoes[turn++ % echoes.length] }))
  const folder = temporaryFolder()
  const capture = join(folder, 'case')
  const places = {
    ...{
      'tradier-url': `${rest.url}/v1`,
      'massive-url': rest.url,
      'alpaca-url': rest.url,
      'alpaca-trading-url': rest.url
    },
    ...{ 'massive-stream': link.url, 'alpaca-stream': link.url, 'tastytrade-url': tasty.url, 'fred-url': rest.url }
  }
  const chosen = { source: 'tradier,massive,alpaca,tastytrade', prints: 'tastytrade', macro: 'fred', capture }
  const flags = Object.entries({ ...chosen, ...places }).flatMap(([name, value]) => [`--${name}`, value])

  const outputs: (readonly [string, string])[] = []
  const doctor = await run('doctor', ...flags)
  expect(doctor.code).toBe(1)
  expect(doctor.stdout.match(/ failed /g)?.length).toBeGreaterThanOrEqual(5)
  outputs.push(['doctor', doctor.stdout], ['errors of doctor', doctor.stderr])
  outputs.push(['connectors', (await run('connectors', '--json')).stdout])

  const args = ['--workers', '1', '--universe', 'SPY,QQQ', '--log-level', 'trace', ...flags]
  const service = await startService(join(folder, 'data'), args, secrets)
  await eventually(
    'the log to tell of sources and references',
    async () => {
      const log = service.stderr()
      return /the source did not answer/.test(log) && /a reference could not be read/.test(log) ? true : undefined
    },
    90
  )
  for (const path of ['/health', '/v1/universe', '/v1/exposure/summary/SPY', '/v1/exposure/summary/NVDA']) {
    const { text, headers } = await service.ask(path, service.keys.enterprise)
    outputs.push([path, text], [`headers of ${path}`, JSON.stringify([...headers])])
  }
  for (const path of ['/metrics', '/readyz']) outputs.push([path, (await ask(`${service.operations}${path}`)).text])
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  outputs.push(['output', stdout], ['log', stderr])
  const files = readdirSync(capture)
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) outputs.push([file, file + readFileSync(join(capture, file), 'latin1')])
  const leaks = outputs.flatMap(([where, text]) => leaksIn(text).map((secret) => [where, secret]))
  expect(leaks).toEqual([])
  // The searched secrets were really in use, so they could have leaked.
  expect(rest.asked.some(({ headers }) => leaksIn(JSON.stringify(headers)).length > 0)).toBe(true)
})
