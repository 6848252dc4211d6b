import { join } from 'node:path'
import {
  allocatorSettings,
  ask,
  eventually,
  gammawall,
  projectRoot,
  type Service,
  startService,
  temporaryFolder
} from '../test/support/started-service.ts'
import type { Known } from './hostile-values.ts'
import { InterfaceDocument, type Operation } from './interface-document.ts'

/** A host that is fuzzed: where it listens, what it declares. */
export interface Host {
  readonly name: 'live' | 'replay' | 'stream'
  readonly base: string
  readonly document: InterfaceDocument
  readonly operations: readonly Operation[]
  readonly known: Known
}

/** A running service with recorded history, users to work with, and what a request needs to know to be sound. */
export interface FuzzedService {
  readonly service: Service
  readonly hosts: readonly Host[]
  /** Keys of users who may listen to the stream. */
  readonly listeners: readonly string[]
  /** Metrics of the stream. */
  readonly metrics: readonly string[]
}

/**
 * Symbols of the requests. Small chains come more often, because a run should send many requests rather than price
 * index chains.
 */
const symbols = ['KO', 'KO', 'AAPL']
const universe = [...new Set(symbols)]
const LISTENERS = 4

/** Small caches, so that what is kept on purpose is full early and what grows after that is a leak. */
const settings = [
  '--clock',
  'demo',
  '--universe',
  universe.join(),
  '--workers',
  '1',
  '--cache-mb',
  '8',
  '--log-level',
  'error'
]

/**
 * Starts a separate service on a fresh folder; if the archive's engine is installed, the archive has two recorded
 * sessions.
 */
export async function startFuzzed(): Promise<FuzzedService> {
  const data = join(temporaryFolder(), 'data')
  const past = await gammawall(
    'backfill',
    'synthetic',
    '--days',
    '2',
    '--every',
    '1h',
    '--symbols',
    'KO,AAPL',
    '--tapes',
    'KO',
    '--data',
    data
  )
  if (past.code !== 0) console.log(`nothing recorded to replay: ${past.stderr.trim()}`)
  const collector = join(projectRoot, 'trials/collect-garbage.cjs')
  const service = await startService(data, settings, {
    ...allocatorSettings,
    NODE_OPTIONS: `--require "${collector}"`
  })
  await eventually('the service to be ready', async () => (await service.ask('/readyz')).status === 200 || undefined)
  const key = service.keys.enterprise
  // The daily records of a symbol are made when they are first asked for, which takes a slow machine long.
  for (const symbol of universe) await service.ask(`/v1/vrp/${symbol}/history`, key)
  const post = async (path: string, method: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const { status, text } = await service.ask(path, key, { method, headers, body: JSON.stringify(body) })
    if (status > 201) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Readonly<Record<string, string>>
  }
  const listeners: string[] = []
  const ids: string[] = []
  for (let k = 0; k < LISTENERS + 3; k++) {
    const { id } = await post('/v1/admin/users', 'POST', { email: `trial-${k}@example.com`, plan: 'alpha' })
    const made = await post(`/v1/admin/users/${id}/keys`, 'POST', { name: 'trial' })
    if (k < LISTENERS) {
      await post(`/v1/admin/users/${id}/bundle`, 'PUT', { blocks: 1 })
      listeners.push(made['key'])
    } else ids.push(id, made['id'])
  }
  const live = JSON.parse((await service.ask('/openapi.json')).text)
  const replay = JSON.parse((await ask(`${service.replay}/openapi.json`)).text)
  const catalog = (await service.ask('/v1/stream/catalog', key)).json
  const metrics = (catalog?.['metrics'] as readonly { readonly id: string }[]).map(({ id }) => id)
  const known = await knownTo(service, ids)
  const host = (name: Host['name'], base: string, document: InterfaceDocument, more: Known = new Map()): Host => {
    return { name, base, document, operations: document.operations, known: new Map([...known, ...more]) }
  }
  const stream = service.stream.replace('ws', 'http')
  return {
    service,
    listeners,
    metrics,
    hosts: [
      host('live', service.base, new InterfaceDocument(live)),
      host('replay', service.replay, new InterfaceDocument(replay), await momentsOf(service)),
      // The stream's host has no separate document: it serves the stream paths of the live document, and frames.
      host('stream', stream, new InterfaceDocument(live, '/v1/stream'))
    ]
  }
}

/** Values that exist, by the name of the parameter that takes them. */
async function knownTo(service: Service, ids: readonly string[]): Promise<Known> {
  const { json } = await service.ask('/v1/options/KO', service.keys.enterprise)
  const dates = [...new Set(JSON.stringify(json).match(/\d{4}-\d\d-\d\d(?=")/g))].slice(0, 12)
  return new Map([
    ['symbol', symbols],
    ['ticker', symbols],
    ['symbols', ['KO', 'KO,AAPL', 'AAPL,KO,KO', 'ko,aapl']],
    ['index', ['KO', 'AAPL']],
    ['expiration', [...dates, '0dte']],
    ['expiry', dates],
    ['type', ['call', 'put', 'C', 'p']],
    ['plan', ['free', 'basic', 'growth', 'alpha']],
    ['email', Array.from({ length: 60 }, (_, k) => `fuzz-${k}@example.com`)],
    ['weights', ['1', '1,2', '0.5,0.5', '1,1,1']],
    ['days', ['1', '30', '365']],
    ['id', ids]
  ])
}

/** Recorded moments, and some others. */
async function momentsOf(service: Service): Promise<Known> {
  const { json } = await ask(`${service.replay}/v1/tickers?symbol=KO`, service.keys.alpha).catch(() => ({ json: {} }))
  const days = [...new Set(JSON.stringify(json).match(/\d{4}-\d\d-\d\d(?=")/g))]
  const times = ['', 'T16:00:00', 'T15:30:00', 'T10:30:00', 'T12:30:01', 'T09:30:00', 'T09:29:59', 'T23:59:59']
  return new Map([['at', days.flatMap((day) => times.map((time) => day + time))]])
}
