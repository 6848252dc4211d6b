import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answer } from '../src/api/answer.ts'
import { defaultPlans, entitlements, type Plan } from '../src/api/plan.ts'
import { parsePlans } from '../src/api/plan-file.ts'
import { importCommands } from '../src/cli/history/import-commands.ts'
import { readAsOf } from '../src/config/setting-parsers.ts'
import { ENGINE_VARIABLE, KEY_VARIABLE, settings, variableOf } from '../src/config/settings.ts'
import { connectors } from '../src/connectors/registry.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { endpoints } from '../src/endpoints/index.ts'
import type { Ticker } from '../src/market/units.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { madeUpAssumptions } from './support/made-up.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const below = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))
    .sort()

const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  'dashboard/README.md',
  ...['docs', 'src', 'test', 'bench', 'trials', 'deploy', 'scripts'].flatMap((folder) => below(folder, '.md'))
]
const readme = read('README.md')
const operations = read('docs/operations.md')
const plansPage = read('docs/plans.md')
const { scripts, version } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; version: string }

/** The cells of every table row of a page. */
function rowsOf(page: string): readonly (readonly string[])[] {
  const lines = page.split('\n').filter((line) => line.startsWith('|'))
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

const withoutBlocks = (page: string) => page.replace(/^```[\s\S]*?^```/gm, '')
const blocksOf = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block]) => block)
const codeOf = (page: string) => [...withoutBlocks(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code)

/** The anchor a heading gets where the pages are shown. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string) => [...withoutBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => anchorOf(text))

describe.each(pages)('%s', (page) => {
  test('links to what is there', () => {
    const links = [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to)
    const broken = links.filter((to) => {
      if (/^[a-z]+:/.test(to)) return false
      const [path, anchor] = to.split('#')
      const file = path === '' ? page : relative(root, join(root, dirname(page), path))
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && !anchorsOf(read(file)).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  test('names files and folders that are there', () => {
    const named = codeOf(read(page)).filter(
      (code) =>
        /^[\w.-]+(\/[\w.-]+)*\.(tsx?|mjs|md|py)$/.test(code) ||
        /^(src|test|docs|bench|trials|deploy|scripts)(\/[\w.-]+)*\/?$/.test(code) ||
        /^(?!dist\/)[\w-]+(\/[\w-]+)*\/$/.test(code) // dist is there once something was built
    )
    const places = ['.', 'src', 'docs', dirname(page)]
    expect(named.filter((path) => !places.some((place) => existsSync(join(root, place, path))))).toEqual([])
  })

  test('names npm scripts that are there', () => {
    const named = [...read(page).matchAll(/npm run (?:--silent )?([\w-]+)/g)].map(([, name]) => name)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

test('the architecture has a row for every folder of src, and no other', () => {
  const [table] = /^\| folder \|.*\n(?:\|.*\n)+/m.exec(read('ARCHITECTURE.md')) ?? ['']
  const described = rowsOf(table).flatMap(([first]) => (/^`[\w/]+\/`$/.test(first) ? [first.slice(1, -2)] : []))
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  expect(described.toSorted()).toEqual(folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted())
})

test('the page of the live market tells every event of the market and who subscribes to it', () => {
  const page = read('src/live/README.md')
  const subscribed = below('src', '.ts').flatMap((file) =>
    [...read(file).matchAll(/\bevents\.on\('(\w+)'/g)].map(([, event]) => ({ event, file: file.slice('src/'.length) }))
  )
  expect(subscribed.length).toBeGreaterThan(5)
  const rows = rowsOf(page).map((cells) => cells.join())
  const isDocumented = ({ event, file }: { readonly event: string; readonly file: string }) =>
    rows.some((row) => row.startsWith('`') && row.includes(`\`${event}\``)) && page.includes(`\`${file}\``)
  expect(subscribed.filter((each) => !isDocumented(each))).toEqual([])
})

test('comments refer their reader to pages that are there', () => {
  const named = below('src', '.ts').flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([path]) => path)
  )
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

describe('the settings', () => {
  test.each([
    'README.md',
    'docs/sources.md'
  ])('of sources: what %s says that each provides is what it declares', (page) => {
    const rows = rowsOf(read(page)).map(([name, provides]) => [/`(\w+)`/.exec(name)?.[1], provides] as const)
    const words = { chains: /chains/, bars: /\bbars?\b/, prints: /prints/, macro: /macro/, earnings: /earnings/ }
    for (const { name, provides } of connectors) {
      const cell = rows.find(([of, what]) => of === name && /chains/.test(what))?.[1] ?? ''
      const named = Object.entries(words).flatMap(([capability, word]) => (word.test(cell) ? [capability] : []))
      expect([name, named.toSorted()]).toEqual([name, [...provides].toSorted()])
    }
  })

  test('that any page names are settings', () => {
    const flags = Object.keys(settings)
    const ofCommands = [
      'email',
      'plan',
      'name',
      'role',
      'json',
      'csv',
      'yes',
      'now',
      'back',
      'subscribed',
      'help',
      'version',
      'silent',
      'tapes',
      'sessions',
      'write',
      'out'
    ]
      .concat(['blocks', 'until', 'key', 'url', 'stream-url', 'cadence', 'by'])
      .concat(['sort', 'limit', 'select', 'formula'])
      .concat([
        'cluster',
        'from',
        'to',
        'format',
        'map',
        'conditions',
        'accept',
        'doubted',
        'dry-run',
        'min-size',
        'min-premium',
        'side',
        'type',
        'expiry',
        'stocks',
        'symbol',
        'symbols',
        ...importCommands.flatMap(({ flags }) => Object.keys(flags ?? {})),
        'replace',
        'what',
        'days',
        'every',
        // of the trials
        'requests',
        'rounds',
        // of other programs
        'path',
        'database',
        'host',
        'multiquery',
        'transport',
        'header',
        'file',
        'build',
        'project',
        'package-lock-only',
        'dry-run',
        // of Node and the test runner
        'watch',
        'run',
        'changed',
        'inspect',
        'inspect-brk',
        'no-file-parallelism',
        'import',
        'cpu-prof',
        'heap-prof',
        'heapsnapshot-signal',
        'max-semi-space-size'
      ])
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].map(([, flag]) => flag)
    )
    expect(named.filter((flag) => !flags.includes(flag) && !ofCommands.includes(flag))).toEqual([])
    const variables = pages.flatMap((page) =>
      [...read(page).matchAll(/GAMMAWALL_[A-Z_]+/g)].map(([variable]) => variable)
    )
    // The last three belong to compose.yaml, to the dashboard's own server and to the tests.
    const elsewhere = ['GAMMAWALL_DB_PASSWORD', 'GAMMAWALL_URL', 'GAMMAWALL_TEST_SEED']
    const known = [KEY_VARIABLE, ENGINE_VARIABLE, ...flags.map(variableOf), ...elsewhere]
    expect(variables.filter((variable) => !known.includes(variable))).toEqual([])
  })

  test('are explained to operators where they need more than a line', () => {
    for (const name of ['data', 'plans', 'trust-proxy', 'admin-host', 'workers', 'cache-mb', 'log-level']) {
      expect(operations).toContain(`--${name}`)
    }
  })
})

test('every metric is explained to operators', () => {
  const named = below('src', '.ts').flatMap((file) =>
    [...read(file).matchAll(/'(gammawall_[a-z_]+)'/g)].map(([, name]) => name)
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !operations.includes(`| \`${name}\` |`))).toEqual([])
})

test('every metric that is explained to operators is there', () => {
  const source = below('src/server', '.ts').map(read).join('\n')
  const isThere = (name: string) =>
    source.includes(`'${name}'`) || source.includes(`\`${name.slice(0, name.lastIndexOf('_'))}_\${`)
  const explained = rowsOf(operations).flatMap(([first]) => /^`(gammawall_\w+)`$/.exec(first)?.[1] ?? [])
  expect(explained.length).toBeGreaterThan(5)
  expect(explained.filter((name) => !isThere(name))).toEqual([])
})

test('every import has its place on the page of imports', () => {
  const page = read('docs/import.md')
  expect(importCommands.map(({ name }) => name).filter((name) => !page.includes(name))).toEqual([])
})

describe('the plans', () => {
  const table = new Map(rowsOf(readme).map(([name, ...cells]) => [name, cells]))
  const freshnessOf = ({ freshness }: Plan) =>
    freshness >= 60_000 ? `${freshness / 60_000} min` : `${freshness / 1000} s`

  test.each(defaultPlans.all)('$name stands in the README as it is sold', (plan) => {
    const limit = plan.dailyLimit === undefined ? 'unlimited' : plan.dailyLimit.toLocaleString('en-US')
    expect(table.get(plan.name)?.slice(0, 2)).toEqual([limit, freshnessOf(plan)])
  })

  test('file that is shown reads as the plans everybody starts with', () => {
    const [example] = blocksOf(plansPage, 'json')
    expect(parsePlans(JSON.parse(example)).all).toEqual(defaultPlans.all)
  })

  test('page explains every entitlement', () => {
    expect(entitlements.filter((word) => !plansPage.includes(`| \`${word}\` |`))).toEqual([])
  })
})

test('the README shows the answer that its command gets', async () => {
  const command = /npm start -- --as-of (\S+)/.exec(readme)
  const [, symbol] = /\/v1\/exposure\/summary\/([A-Z]+)/.exec(readme) ?? []
  const now = readAsOf(command?.[1] ?? '')!
  const chain = await createSynthetic({ seed: Number(settings.seed.fallback) }).chain(
    symbol as Ticker,
    now,
    AbortSignal.any([])
  )
  const summary = endpoints.find(({ id }) => id === 'exposure.summary')!
  const question = {
    params: {},
    inputs: { chain: priceChain(chain!, madeUpAssumptions, fittedSmile) },
    body: undefined,
    caller: []
  }
  expect(JSON.parse(blocksOf(readme, 'json')[0])).toEqual(JSON.parse(answer(summary, question)))
})

describe('the methods', () => {
  const methods = below('docs/methods', '.md').filter((file) => !file.endsWith('README.md'))
  const index = read('docs/methods/README.md')

  test.each(methods)('%s is in the index', (file) => {
    expect(index).toContain(`(${file.slice('docs/methods/'.length)})`)
  })

  test.each(methods)('%s says where it comes from and what proves it', (file) => {
    const page = read(file)
    expect(page).toContain('\n## Source\n')
    expect(page).toContain('\n## Proof\n')
    expect(page.split('\n## Proof\n')[1]).toMatch(/`test\/[\w./-]+`/)
  })
})

test('the changelog tells about this version', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`)
})
