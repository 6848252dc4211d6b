import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Accounts } from '../../src/accounts/accounts.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { exampleUrl } from '../../test/support/example-url.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import { type RedisServer, startRedisServer } from '../../test/support/redis-server.ts'
import { type Answer, ask, eventually, launch, type Program, program } from '../../test/support/started-service.ts'
import type { Found } from './bars.ts'

/** A running service of the trial. */
export interface Service extends Program {
  readonly name: string
  /** Addresses of the REST interface and of the metrics; a collector has the latter alone. */
  readonly base: string
  readonly operations: string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** The stores that members share, and a key that all of them know. */
export interface Stores {
  readonly accounts: string
  readonly redis: RedisServer
  /** A folder that is gone afterwards. */
  readonly folder: string
  readonly key: string
  /** Keys of one user with a streaming bundle. */
  readonly streamKeys: readonly string[]
  readonly start: (name: string, roles: string, args: readonly string[]) => Promise<Service>
}

/** Each may be shown ten times in ten seconds. */
const STREAM_KEYS = 6

/** Runs a part of the trial over new stores, and ends its services, however it ends. */
export async function onStores(server: PostgresServer, work: (stores: Stores) => Promise<Found>): Promise<Found> {
  const accounts = await server.database()
  await migratePostgres(accounts)
  const database = await openPostgres(accounts)
  const known = new Accounts(database, defaultPlans)
  const user = await known.users.create({ email: 'a@example.com', plan: 'enterprise' }, 'trial')
  const { key } = await known.keys.create(user, '', 'trial')
  const subscriber = await known.users.create({ email: 'b@example.com', plan: 'alpha' }, 'trial')
  await known.bundles.grant(subscriber, { blocks: 1 }, 'trial')
  const streamKeys: string[] = []
  for (let k = 0; k < STREAM_KEYS; k++) streamKeys.push((await known.keys.create(subscriber, '', 'trial')).key)
  await database.close()
  const redis = await startRedisServer()
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-cluster-'))
  const running: Service[] = []
  const start: Stores['start'] = async (name, roles, args) => {
    const usual = { port: '0', accounts, history: 'off', workers: '1', drain: '0' }
    const missing = Object.entries(usual).filter(([flag]) => !args.includes(`--${flag}`))
    const service = await startService(name, join(folder, name), [
      ...missing.flatMap(([flag, value]) => [`--${flag}`, value]),
      ...(roles === 'all' ? [] : ['--roles', roles, '--shared', redis.address]),
      ...args
    ])
    running.push(service)
    return service
  }
  try {
    return await work({ accounts, redis, folder, key, streamKeys, start })
  } finally {
    await Promise.all(running.map((service) => service.stop('SIGKILL')))
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startService(name: string, data: string, args: readonly string[]): Promise<Service> {
  const started = launch(process.execPath, [program, 'serve', '--data', data, ...args])
  const banner = await eventually(`${name} to start`, () => {
    const { exitCode, signalCode } = started.child
    if (exitCode !== null || signalCode !== null) throw new Error(`${name} ended at its start: ${started.stderr()}`)
    return /\n {2}data folder .*\n/.test(started.stdout()) ? started.stdout() : undefined
  })
  const shown = (label: string) => new RegExp(`^ {2}${label} +(\\S+)$`, 'm').exec(banner)?.[1] ?? ''
  return {
    ...started,
    name,
    base: shown('REST'),
    operations: shown('metrics').replace(/\/metrics$/, ''),
    async stop(signal = 'SIGTERM') {
      started.child.kill(signal)
      await started.ended
    }
  }
}

/** A moment of a session at which the clock of the market stands, so that all services answer about one moment. */
const MOMENT = '2026-07-29T12:00'
/** Seconds after which an operation that still differs is a fault: what it is made of has arrived everywhere by then. */
const ALIKE_WITHIN = 90

/** Body, status and ETag, which must be alike on all services. */
interface Seen {
  readonly status: number
  readonly etag: string | null
  readonly text: string
}

/** Operations that state moments of the wall clock, of a load or of the request: all but those moments is alike. */
const ownMoments = ['/v1/symbols', '/v1/universe', '/v1/structures/greeks']
/** Such a moment, and an age in seconds. */
const ownMoment = /"\d{4}-\d\d-\d\dT[\d:.]+Z"|"age_seconds":[\d.]+/g

function seen(url: string, { status, headers, text }: Answer): Seen {
  if (ownMoments.includes(url)) return { status, etag: null, text: text.replace(ownMoment, '') }
  return { status, etag: headers.get('etag'), text }
}

/**
 * Every operation, or those of one tag, asked of two members and of a single service: the same body under the same ETag.
 */
export function equal(server: PostgresServer, tag?: string): Promise<Found> {
  return onStores(server, async ({ key, start }) => {
    const args = ['--source', 'synthetic', '--as-of', MOMENT, '--universe', 'SPY,SPX,QQQ,AAPL']
    const [, ...asked] = await Promise.all([
      start('collector', 'collect', args),
      start('a', 'serve', args),
      start('b', 'serve', args),
      start('single', 'all', args)
    ])
    const faults: string[] = []
    let again = 0
    let answered = 0
    const compared = endpoints.filter((endpoint) => tag === undefined || endpoint.tag === tag)
    for (const endpoint of compared) {
      const { url, method, payload } = exampleUrl(endpoint)
      const init: RequestInit = { method, headers: { 'content-type': 'application/json' } }
      if (payload !== undefined) init.body = JSON.stringify(payload)
      const until = Date.now() + ALIKE_WITHIN * 1000
      for (;;) {
        const found = (await Promise.all(asked.map(({ base }) => ask(base + url, key, init)))).map((answer) =>
          seen(url, answer)
        )
        const difference = differenceOf(found)
        if (difference === undefined) {
          answered++
          break
        }
        if (Date.now() > until) {
          faults.push(`${method} ${url}: ${difference}`)
          break
        }
        again++
        await pause(500)
      }
    }
    return { faults, figures: { operations: compared.length, alike: answered, askedAgain: again } }
  })
}

/** In which way answers differ, or that they are a failure; undefined if they are alike. */
function differenceOf(found: readonly Seen[]): string | undefined {
  const [first, ...others] = found
  const isAnnounced = first!.text.includes('"error":"coming_soon"')
  if (first!.status >= 500 && !isAnnounced)
    return `status ${found.map(({ status }) => status).join(', ')}: ${first!.text.slice(0, 200)}`
  for (const other of others) {
    if (other.status !== first!.status) return `status ${found.map(({ status }) => status).join(', ')}`
    if (other.text !== first!.text) return `bodies differ: ${firstDifference(first!.text, other.text)}`
    if (other.etag !== first!.etag) return 'ETags differ'
  }
  return undefined
}

function firstDifference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return [one, other].map((text) => text.slice(Math.max(0, at - 60), at + 60)).join(' | ')
}

/** Sum of a metric of a service over all its labels. */
async function metricOf({ operations }: Service, name: string): Promise<number> {
  const { text } = await ask(`${operations}/metrics`)
  const values = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

/** Milliseconds within which a share of the chains that came to a member were priced, by the bounds of the histogram. */
async function travelOf({ operations }: Service, share: number): Promise<number> {
  const { text } = await ask(`${operations}/metrics`)
  const found = [...text.matchAll(/^gammawall_shelf_travel_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)]
  const most = Number(found.at(-1)?.[2] ?? 0)
  const within = found.find(([, , count]) => Number(count) >= share * most)
  return 1000 * Number(within?.[1] ?? Number.NaN)
}

/** The symbol whose chains move in a part of the trial, unless a short form takes one with fewer contracts. */
export const LARGE = 'SPX'

export const levelsOf = (symbol: string) => `/v1/exposure/levels/${symbol}`

/** Asks services about a symbol once a second each, for so many seconds. Returns how many answers were not 200. */
export async function askSteadily(
  services: readonly Service[],
  symbol: string,
  key: string,
  seconds: number
): Promise<number> {
  let failed = 0
  const until = Date.now() + 1000 * seconds
  const asking = services.map(async ({ base }) => {
    while (Date.now() < until) {
      const { status } = await ask(base + levelsOf(symbol), key)
      if (status !== 200) failed++
      await pause(1000)
    }
  })
  await Promise.all(asking)
  return failed
}

/** A market of one symbol with a new chain each second. */
export const moving = (symbol: string) => {
  return ['--source', 'synthetic', '--clock', 'demo', '--universe', symbol, '--flow-symbols', '0']
}

/** Mean milliseconds from the publication of a chain to its prices on a member, while `work` goes on. */
async function meanTravel(service: Service, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const [seconds, chains] = ['sum', 'count'].map((part) =>
      metricOf(service, `gammawall_shelf_travel_seconds_${part}`)
    )
    return { seconds: await seconds!, chains: await chains! }
  }
  const before = await read()
  await work()
  const after = await read()
  return Math.round((1000 * (after.seconds - before.seconds)) / (after.chains - before.chains))
}

/**
 * Chains of SPX each second: how often the source is asked for two members, and how long a chain takes to be priced there, first
 * beside two services that price it too, then on a member with the machine to itself and the collector.
 */
export function travel(server: PostgresServer, seconds: number): Promise<Found> {
  return onStores(server, async ({ key, start }) => {
    const [collector, a, b, single] = await Promise.all([
      start('collector', 'collect', moving(LARGE)),
      start('a', 'serve', moving(LARGE)),
      start('b', 'serve', moving(LARGE)),
      start('single', 'all', moving(LARGE))
    ])
    await askSteadily([a, b, single], LARGE, key, 5)
    const loads = () => Promise.all([collector, single].map((each) => metricOf(each, 'gammawall_source_loads_total')))
    const before = await loads()
    let failed = 0
    const mean = await meanTravel(a, async () => {
      failed = await askSteadily([a, b, single], LARGE, key, seconds)
    })
    const [ofMembers, ofOne] = (await loads()).map((count, k) => count - before[k]!) as [number, number]
    const [median, most] = [await travelOf(a, 0.5), await travelOf(a, 0.95)]
    await Promise.all([b.stop(), single.stop()])
    const meanAlone = await meanTravel(a, () => askSteadily([a], LARGE, key, seconds))
    const faults: string[] = []
    if (failed > 0) faults.push(`${failed} answers were not 200`)
    if (ofMembers === 0) faults.push('no chain was loaded')
    if (ofMembers > 1.1 * ofOne + 2) faults.push(`${ofMembers} requests for three members, ${ofOne} for one service`)
    return { faults, figures: { seconds, ofMembers, ofOne, median, most, mean, meanAlone } }
  })
}

/** The server of the shared chains killed, for so many seconds, and back empty, under steady requests. */
export function lost(server: PostgresServer, seconds: number, symbol = LARGE): Promise<Found> {
  return onStores(server, async ({ key, redis, start }) => {
    const [, a, b] = await Promise.all([
      start('collector', 'collect', moving(symbol)),
      start('a', 'serve', moving(symbol)),
      start('b', 'serve', moving(symbol))
    ])
    await askSteadily([a, b], symbol, key, 3)
    const momentOf = async ({ base }: Service) => {
      const { json } = await ask(base + levelsOf(symbol), key)
      return Date.parse(String(json?.['as_of']))
    }
    const asking = askSteadily([a, b], symbol, key, seconds + 10)
    await redis.kill()
    await pause(1000 * seconds)
    const held = await momentOf(a)
    await redis.startAgain()
    const began = Date.now()
    await eventually('newer chains on both members', async () => {
      const moments = await Promise.all([momentOf(a), momentOf(b)])
      return moments.every((moment) => moment > held) || undefined
    })
    const backAfter = Date.now() - began
    const failed = await asking
    const faults = failed > 0 ? [`${failed} answers were not 200`] : []
    return { faults, figures: { seconds, failed, backAfter } }
  })
}
