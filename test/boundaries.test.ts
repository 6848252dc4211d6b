import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Imports allowed to a part of src: other parts, parts of which it may take types only, and packages. */
interface Row {
  readonly parts?: readonly string[]
  readonly types?: readonly string[]
  readonly packages?: readonly string[]
  /** Node's own modules; a part without this runs anywhere. */
  readonly node?: true
}

const base = ['math', 'market', 'pricing']
const measures = ['exposure', 'volatility', 'macro']

/** Parts are folders of src, or folders in them; the longest name that fits a file decides. */
const rows: Readonly<Record<string, Row>> = {
  math: {},
  memory: {},
  pacing: { parts: ['memory'], packages: ['lru-cache'] },
  formats: { packages: ['flatbuffers'] },
  facts: { parts: ['market'] },
  market: { parts: ['math', 'memory'] },
  gate: { parts: ['math', 'market'] },
  pricing: { parts: ['math', 'market', 'memory'], packages: ['lru-cache'] },
  exposure: { parts: [...base, 'memory'] },
  volatility: { parts: base },
  macro: { parts: base },
  flow: { parts: [...base, 'memory'] },
  tape: { parts: [...base, 'memory', 'pacing', 'facts', 'flow', 'archive', 'connectors/port'], types: ['api'] },
  'tape/shared': { parts: [...base, 'facts', 'flow', 'shelf', 'tape'], types: ['api'], node: true },
  'tape/thread': {
    parts: [...base, 'memory', 'facts', 'flow', 'archive', 'connectors/port', 'connectors', 'workers', 'tape'].concat([
      'shelf',
      'tape/shared'
    ]),
    types: ['api'],
    node: true
  },
  quality: { parts: [...base, 'exposure', 'volatility'] },
  signals: { parts: [...base, ...measures], types: ['quality'] },
  earnings: { parts: [...base, 'exposure', 'volatility'] },
  // Queries over the rows of the screener, for any measures.
  screener: { parts: ['market'], types: ['pricing'] },
  wording: { types: [...measures, 'flow', 'quality', 'signals'] },
  plots: { parts: [...base, 'exposure', 'volatility', 'wording'], packages: ['echarts'] },
  // Of quality the scores of chains that were assessed elsewhere.
  api: {
    parts: ['market', 'facts', 'quality', 'formats'],
    types: ['pricing', 'flow', 'screener'],
    packages: ['typebox']
  },
  endpoints: {
    parts: [...base, 'memory', 'formats', ...measures].concat([
      'flow',
      'quality',
      'signals',
      'earnings',
      'screener',
      'wording',
      'api'
    ]),
    packages: ['typebox']
  },
  shelf: { parts: ['market', 'archive'], packages: ['@redis/client'], node: true },
  'connectors/shared': {
    parts: ['market', 'archive', 'shelf', 'connectors/port'],
    packages: ['lru-cache'],
    node: true
  },
  'connectors/port': { parts: ['math', 'market', 'pacing'], types: ['gate'], packages: ['ws'], node: true },
  'connectors/whole-market': { parts: ['market', 'connectors/port'] },
  'connectors/alpaca': {
    parts: ['market', 'connectors/port', 'connectors/whole-market'],
    packages: ['@msgpack/msgpack'],
    node: true
  },
  'connectors/cboe': { parts: ['market', 'memory', 'connectors/port'], node: true },
  'connectors/massive': { parts: ['market', 'pacing', 'connectors/port', 'connectors/whole-market'], node: true },
  'connectors/tastytrade': { parts: ['market', 'connectors/port'], node: true },
  'connectors/thetadata': { parts: ['market', 'connectors/port', 'connectors/whole-market'], node: true },
  'connectors/tradier': { parts: ['market', 'connectors/port'], node: true },
  'connectors/treasury': { parts: ['market', 'connectors/port'] },
  'connectors/nyfed': { parts: ['market', 'connectors/port'] },
  'connectors/fred': { parts: ['market', 'connectors/port'] },
  'connectors/nasdaq': { parts: ['market', 'connectors/port'] },
  'connectors/sec': { parts: ['market', 'connectors/port'] },
  'connectors/synthetic': { parts: ['math', 'market', 'volatility', 'connectors/port'], packages: ['lru-cache'] },
  connectors: {
    parts: [
      'market',
      'pacing',
      'connectors/port',
      'connectors/cboe',
      'connectors/massive',
      'connectors/synthetic'
    ].concat([
      'connectors/thetadata',
      'connectors/tradier',
      'connectors/alpaca',
      'connectors/tastytrade',
      'connectors/treasury',
      'connectors/nyfed',
      'connectors/fred',
      'connectors/nasdaq',
      'connectors/sec',
      'connectors/shared'
    ])
  },
  archive: { parts: ['market', 'memory', 'pacing'], packages: ['@clickhouse/client', 'lru-cache'], node: true },
  // Recorded prints are made into tapes as live ones are, so there is no second intake to differ from the first.
  imports: {
    parts: ['math', 'market', 'gate', 'archive', 'connectors/port', 'connectors/cboe', 'tape'],
    packages: ['yauzl'],
    node: true
  },
  jobs: {
    parts: [
      ...base,
      'formats',
      'flow',
      'volatility',
      'signals',
      'earnings',
      'endpoints',
      'archive',
      'imports',
      'tape',
      'connectors/port',
      'connectors/synthetic'
    ],
    node: true
  },
  workers: {
    parts: [
      ...base,
      'memory',
      'facts',
      'gate',
      'exposure',
      'flow',
      'volatility',
      'quality',
      'signals',
      'earnings',
      'screener',
      'api',
      'endpoints',
      'archive',
      'shelf',
      'connectors/port',
      'connectors',
      'imports',
      'jobs',
      'tape'
    ],
    packages: ['lru-cache'],
    node: true
  },
  live: {
    parts: ['market', 'memory', 'facts', 'gate', 'pacing', 'pricing', 'flow', 'api', 'archive', 'shelf'].concat([
      'connectors/port'
    ]),
    types: ['workers', 'tape', 'screener', 'quality'],
    packages: ['lru-cache']
  },
  replay: {
    parts: ['market', 'facts', 'pricing', 'flow', 'api', 'archive'],
    types: ['workers', 'screener', 'quality', 'tape'],
    packages: ['lru-cache']
  },
  accounts: { parts: ['market', 'memory', 'api'], packages: ['kysely', 'libsql', 'lru-cache', 'pg'], node: true },
  'stream/protocol': { types: ['api'] },
  'stream/catalog': { parts: ['market', 'api', 'stream/protocol'], packages: ['typebox'], node: true },
  'stream/delivery': { parts: ['market', 'facts', 'api', 'stream/protocol', 'stream/catalog'], types: ['pricing'] },
  'stream/session': {
    parts: ['market', 'pacing', 'api', 'stream/protocol', 'stream/catalog', 'stream/delivery'],
    types: ['accounts']
  },
  alerts: {
    parts: ['market', 'memory', 'quality', 'api', 'accounts', 'stream/protocol', 'stream/catalog', 'stream/delivery'],
    packages: ['ipaddr.js', 'lru-cache'],
    node: true
  },
  client: { parts: ['pacing', 'formats'], types: ['api'] },
  // The tools of assistants know the service by the HTTP API alone.
  'server/mcp': { parts: ['market', 'api'], packages: ['@modelcontextprotocol/server', 'typebox'] },
  'server/oidc': { parts: ['api', 'accounts', 'server'], packages: ['fastify', 'openid-client'], node: true },
  server: {
    parts: [
      'market',
      'memory',
      'facts',
      'gate',
      'pacing',
      'pricing',
      'quality',
      'api',
      'accounts',
      'stream/protocol',
      'stream/catalog',
      'stream/session'
    ].concat(['alerts', 'archive', 'replay', 'server/mcp']),
    types: ['workers', 'flow', 'connectors/port', 'stream/delivery'],
    packages: [
      'fastify',
      '@fastify/send',
      '@fastify/swagger',
      '@fastify/swagger-ui',
      'lru-cache',
      'pino',
      'prom-client',
      'typebox',
      'ws'
    ],
    node: true
  },
  config: { parts: ['market', 'facts', 'pricing', 'api', 'connectors/port', 'connectors'], node: true },
  app: {
    parts: [
      ...base,
      'facts',
      'flow',
      'signals',
      'api',
      'endpoints',
      'shelf',
      'connectors/port',
      'connectors',
      'connectors/shared',
      'workers',
      'tape',
      'tape/thread',
      'live',
      'accounts'
    ].concat([
      'archive',
      'replay',
      'jobs',
      'server',
      'config',
      'alerts',
      'stream/session',
      'stream/delivery',
      'server/mcp',
      'server/oidc'
    ]),
    packages: ['fastify']
  },
  cli: {
    parts: [
      'market',
      'memory',
      'formats',
      'gate',
      'pacing',
      'pricing',
      'flow',
      'volatility',
      'signals',
      'screener',
      'wording',
      'plots',
      'api',
      'accounts',
      'client'
    ].concat([
      'connectors/port',
      'connectors',
      'archive',
      'imports',
      'jobs',
      'workers',
      'config',
      'app',
      'server/mcp',
      'endpoints'
    ]),
    packages: ['ws'],
    node: true
  }
}

/** Parts whose answers may depend on nothing but what they are given: no clock, no environment, no chance. */
const pure = [
  ...base,
  'gate',
  'memory',
  'pacing',
  'formats',
  ...measures,
  'flow',
  'signals',
  'earnings',
  'screener',
  'wording',
  'api',
  'endpoints',
  'plots',
  'connectors/synthetic'
]

interface Import {
  readonly from: string
  readonly typeOnly: boolean
}

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .sort()

function partOf(path: string): string | undefined {
  const fitting = Object.keys(rows).filter((name) => path === name || path.startsWith(`${name}/`))
  return fitting.sort((a, b) => b.length - a.length)[0]
}

function sourceOf(file: string): string {
  return readFileSync(join(root, 'src', file), 'utf8')
}

const statement = /^\s*(import|export)\s+(type\s)?([^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const call = /\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(file: string): readonly Import[] {
  const source = sourceOf(file)
  const declared = [...source.matchAll(statement)].map(([, , type, names = '', from]): Import => {
    const listed = /^\{([^}]*)\}/
      .exec(names.trim())?.[1]
      .split(',')
      .map((name) => name.trim())
    const inside = listed?.filter((name) => name !== '').every((name) => name.startsWith('type ')) ?? false
    return { from, typeOnly: type !== undefined || inside }
  })
  return [...declared, ...[...source.matchAll(call)].map(([, from]) => ({ from, typeOnly: false }))]
}

/** Everything a file imports against its row, in words. */
function faultsOf(file: string): readonly string[] {
  const here = partOf(file)
  if (here === undefined) return [`src/${file} belongs to no part: give it a row`]
  const { parts = [], types = [], packages = [], node = false } = rows[here]
  return importsOf(file).flatMap(({ from, typeOnly }) => {
    if (from.startsWith('node:')) return node ? [] : [`${from}: ${here} does without Node's own modules`]
    if (!from.startsWith('.')) {
      const name = from.split('/', from.startsWith('@') ? 2 : 1).join('/')
      return packages.includes(name) ? [] : [`${name}: not a package of ${here}`]
    }
    const there = partOf(normalize(join(dirname(file), from)).replaceAll('\\', '/'))
    if (there === here || (there !== undefined && parts.includes(there))) return []
    if (there !== undefined && types.includes(there))
      return typeOnly ? [] : [`${from}: ${here} takes types of ${there} only`]
    return [`${from}: ${here} may not import ${there ?? 'what has no row'}`]
  })
}

describe('imports', () => {
  test('are found in every form a file may write them', () => {
    expect(importsOf('cli/serve-command.ts').map(({ from }) => from)).toContain('../app/serve.ts')
    expect(importsOf('live/live-market.ts')).toContainEqual({ from: '../workers/engine.ts', typeOnly: true })
    expect(importsOf('pricing/bsm.ts')).toContainEqual({ from: './time-value.ts', typeOnly: false })
  })

  test.each(files)('of %s stay within its row', (file) => {
    expect(faultsOf(file)).toEqual([])
  })

  test('never lead back to where they came from', () => {
    const below = (part: string, path: readonly string[]): readonly string[] => {
      if (path.includes(part)) return [[...path, part].join(' > ')]
      const { parts = [], types = [] } = rows[part]
      return [...parts, ...types].flatMap((next) => below(next, [...path, part]))
    }
    expect(Object.keys(rows).flatMap((part) => below(part, []))).toEqual([])
  })
})

test('every part is a folder', () => {
  expect(Object.keys(rows).filter((part) => part.endsWith('.ts'))).toEqual([])
})

test('every part with a row exists', () => {
  expect(Object.keys(rows).filter((part) => !files.some((file) => partOf(file) === part))).toEqual([])
})

test('every package that is imported is a dependency, not a development one', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const allowed = new Set(Object.values(rows).flatMap(({ packages = [] }) => packages))
  expect([...allowed].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
})

const impure =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bprocess\.|\bconsole\.|\bMath\.random\(|\bset(?:Timeout|Interval)\(/

test.each(files.filter((file) => pure.includes(partOf(file) ?? '')))('%s sees no clock and no environment', (file) => {
  expect(
    sourceOf(file)
      .split('\n')
      .filter((line) => impure.test(line))
  ).toEqual([])
})

describe('the dashboard', () => {
  const folder = join(root, 'dashboard/src')
  const packages = ['gammawall/client', 'preact', '@preact/signals']
  /** Folders that each folder may import besides itself. */
  const folders: Readonly<Record<string, readonly string[]>> = {
    state: [],
    charts: ['state', 'parts'],
    parts: ['state'],
    screens: ['state', 'charts', 'parts', 'style'],
    embed: ['state', 'parts', 'screens', 'style'],
    worker: ['state']
  }
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))

  test.each(pages)('%s knows the service by its client alone', (file) => {
    const source = readFileSync(join(folder, file), 'utf8')
    const found = [...source.matchAll(statement), ...source.matchAll(call)].map((match) => match.at(-1)!)
    const [here] = file.split('/')
    const faults = found.filter((from) => {
      if (!from.startsWith('.')) return !packages.some((name) => from === name || from.startsWith(`${name}/`))
      const there = normalize(join(dirname(file), from))
        .replaceAll('\\', '/')
        .split('/')[0]
      return there === '..' || (file.includes('/') && there !== here && !folders[here]?.includes(there))
    })
    expect(faults).toEqual([])
  })
})
