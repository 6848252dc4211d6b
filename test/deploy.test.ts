import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { SchemaNode } from '../src/api/schema-node.ts'
import { settings } from '../src/config/settings.ts'
import { endpoints } from '../src/endpoints/index.ts'
import type { IsoDate } from '../src/market/units.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Runs a checker where it is installed; undefined, with a printed reason, where it is not. */
function checked(tool: string, ...args: readonly string[]): string | undefined {
  const { error, stdout, stderr, status } = spawnSync(tool, args, { cwd: root, encoding: 'utf8' })
  if (error === undefined) return status === 0 ? '' : stdout + stderr
  console.log(`skipped: ${tool} is not installed here`)
  return undefined
}

/** A service of a compose file. */
interface ComposedService {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: object
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

const flagsIn = (text: string) => [...text.matchAll(/(?<=["\s])--([a-z-]+)(?=["\s]|$)/gm)].map(([, flag]) => flag)

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))

  test('builds in one stage and runs in another, as a user without rights, with a health check', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toHaveLength(2)
    expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
    expect(last.some((line) => /^COPY (?!--from=build)/.test(line))).toBe(false)
  })

  test('is made from one image of Node 24, named by its digest', () => {
    const images = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1])
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/)
  })

  test('starts with settings that there are', () => {
    const command = last.find((line) => line.startsWith('CMD '))!
    expect(flagsIn(command).filter((flag) => !Object.hasOwn(settings, flag))).toEqual([])
  })

  test('copies what is there', () => {
    const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1))
    expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('passes hadolint where it is installed', () => {
    expect(checked('hadolint', 'Dockerfile') ?? '').toBe('')
  })
})

test('compose.yaml puts a ClickHouse beside a service that cannot write to its root', () => {
  const { services, volumes } = parse(read('compose.yaml'))
  const { gammawall, clickhouse } = services
  expect(gammawall).toMatchObject({ read_only: true, cap_drop: ['ALL'], depends_on: { clickhouse: expect.anything() } })
  expect(gammawall.environment.GAMMAWALL_HISTORY).toContain('@clickhouse:8123/history')
  expect(clickhouse.environment.CLICKHOUSE_DB).toBe('history')
  expect(flagsIn(` ${gammawall.command.join(' ')} `).filter((flag) => !Object.hasOwn(settings, flag))).toEqual([])
  for (const port of gammawall.ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  const mounted = [gammawall, clickhouse].flatMap((service) => service.volumes.map((v: string) => v.split(':')[0]))
  expect(Object.keys(volumes).toSorted()).toEqual(mounted.toSorted())
})

describe('the files of a cluster', () => {
  const { services } = parse(read('deploy/cluster/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposedService>>
  }
  const kinds = parseAllDocuments(read('deploy/cluster/kubernetes.yaml')).map((document) => document.toJS())
  const proxy = read('deploy/cluster/haproxy.cfg')
  const unknown = (args: readonly string[]) =>
    flagsIn(` ${args.join(' ')} `).filter((flag) => !Object.hasOwn(settings, flag))
  const rolesIn = (args: readonly string[]) => args[args.indexOf('--roles') + 1]
  const stores = ['GAMMAWALL_ACCOUNTS', 'GAMMAWALL_SHARED', 'GAMMAWALL_HISTORY']

  test('compose two collectors and two members over three stores, with settings that there are', () => {
    const ours = Object.entries(services).filter(([, { command }]) => command?.[0] === 'serve')
    expect(ours.map(([name, { command }]) => [name, rolesIn(command!)])).toEqual([
      ['collector-1', 'collect'],
      ['collector-2', 'collect'],
      ['member-1', 'serve'],
      ['member-2', 'serve']
    ])
    for (const [, { command, environment, depends_on, read_only, cap_drop }] of ours) {
      expect(unknown(command!)).toEqual([])
      expect(Object.keys(environment!)).toEqual(stores)
      expect(Object.keys(depends_on!)).toEqual(['migrate', 'redis', 'clickhouse'])
      expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    }
    expect(services['migrate']!.command).toEqual(['accounts', 'migrate'])
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    expect(services['redis']!.command!.join(' ')).toContain('--maxmemory-policy noeviction')
  })

  test('compose the members that the proxy knows', () => {
    const named = [...proxy.matchAll(/^ {2}server (\S+) (\S+):8080$/gm)].map(([, name, host]) => [name, host])
    expect(named).toEqual(['member-1', 'member-2'].map((name) => [name, name]))
    for (const [name] of named) expect(Object.keys(services)).toContain(name)
  })

  test('tell users apart as the service does', () => {
    expect(proxy).toContain('req.hdr(x-api-key)')
    expect(proxy).toContain(`req.cook(${/NAME = '(\w+)'/.exec(read('src/server/sessions/cookie.ts'))![1]})`)
    expect(proxy).toContain('httpchk GET /readyz')
  })

  test('are read by HAProxy', () => {
    const isRequired = inject('required').split(',').includes('haproxy')
    const said = checked('haproxy', '-c', '-q', '-f', 'deploy/cluster/haproxy.cfg')
    expect(said ?? (isRequired ? 'haproxy is not installed' : '')).toBe('')
  })

  test('run the same in Kubernetes, members without keys of vendors', () => {
    const deployed = kinds.filter(({ kind }) => kind === 'Deployment')
    const containers = deployed.map(({ spec }) => spec.template.spec.containers[0])
    expect(containers.map(({ args }) => rolesIn(args))).toEqual(['collect', 'serve'])
    for (const { args, readinessProbe, livenessProbe } of containers) {
      expect(unknown(args)).toEqual([])
      expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/livez'])
    }
    const secrets = containers.map(({ envFrom }) =>
      envFrom.map(({ secretRef }: { secretRef: { name: string } }) => secretRef.name)
    )
    expect(secrets).toEqual([['gammawall-stores', 'gammawall-vendors'], ['gammawall-stores']])
    for (const { spec } of deployed) {
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels)
      expect(spec.template.spec.containers[0].securityContext).toMatchObject({ readOnlyRootFilesystem: true })
    }
    const [, member] = deployed
    const service = kinds.find(({ kind }) => kind === 'Service')
    expect(service.spec.selector).toEqual(member!.spec.selector.matchLabels)
    const open = containers[1].ports.map(({ name }: { name: string }) => name)
    for (const { targetPort } of service.spec.ports) expect(open).toContain(targetPort)
    expect(member!.spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
    for (const name of stores) expect(read('deploy/cluster/kubernetes.yaml')).toContain(name)
  })
})

describe('the unit for systemd', () => {
  const unit = read('deploy/gammawall.service')

  test('has a directive on each line, in its sections, and starts with settings that there are', () => {
    const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.filter((line) => !/^(\[(Unit|Service|Install)\]|[A-Z]\w+=.*)$/.test(line))).toEqual([])
    expect(
      flagsIn(/^ExecStart=.*gammawall\.mjs(.*)$/m.exec(unit)![1]).filter((flag) => !Object.hasOwn(settings, flag))
    ).toEqual([])
  })

  test('keeps its sandbox, and has room for the memory it is started with', () => {
    const settingsOf = new Map(
      [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value] as const).toReversed()
    )
    for (const name of ['Tunables', 'Modules', 'Logs']) expect(settingsOf.get(`ProtectKernel${name}`)).toBe('true')
    expect(Object.fromEntries(settingsOf)).toMatchObject({
      UMask: '0077',
      RestrictNamespaces: 'true',
      NoNewPrivileges: 'true',
      ProtectSystem: 'strict',
      CapabilityBoundingSet: '',
      SystemCallFilter: '@system-service @pkey',
      SystemCallArchitectures: 'native',
      MemoryDenyWriteExecute: 'false'
    })
    const memory = /--memory (\w+)/.exec(unit)?.[1]
    expect([memory, settingsOf.get('MemoryMax')]).toEqual(['default', '3500M'])
  })

  test('passes systemd-analyze where it is installed', () => {
    const output = checked('systemd-analyze', 'verify', 'deploy/gammawall.service') ?? ''
    // Other units and the program's path may be wrong on a test machine, so only lines about this file count.
    const own = output.split('\n').filter((line) => /gammawall\.service:\d+|Unknown (key|section|lvalue)/.test(line))
    expect(own).toEqual([])
  })
})

describe('the Grafana dashboard of the market', () => {
  interface Target {
    readonly type: 'json' | 'csv'
    readonly url: string
    readonly root_selector: string
    readonly url_options: { readonly headers?: readonly { readonly key: string; readonly value: string }[] }
    readonly columns: readonly { readonly selector: string }[]
  }
  const { panels } = JSON.parse(read('deploy/grafana-market.json')) as {
    readonly panels: readonly {
      readonly title: string
      readonly gridPos: object
      readonly targets: readonly Target[]
    }[]
  }
  const declared = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))
  const asked = panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, target })))

  test.each(asked)('asks for fields that the answer has: $title', ({ target }) => {
    const { pathname, searchParams } = new URL(
      target.url.replace(/\$\{url\}/, 'http://x').replace(/\$\{symbol\}/, 'SYMBOL')
    )
    const endpoint = declared.get(pathname.replace('SYMBOL', '{symbol}'))!
    expect(endpoint, pathname).toBeDefined()
    for (const [name, text] of searchParams) {
      expect(endpoint.params[name]?.read(text, { today: '2026-07-29' as IsoDate }), `${name}=${text}`).toBeDefined()
    }
    const selected = target.columns.map(({ selector }) => selector)
    if (target.type === 'csv') {
      const accept = target.url_options.headers?.find(({ key }) => key === 'Accept')?.value
      expect(endpoint.forms.map(({ type }) => type)).toContain(accept)
      expect(selected).toEqual(['t', ...searchParams.get('fields')!.split(',')])
    } else {
      const { properties = {} } = endpoint.response as SchemaNode
      const rows = properties[target.root_selector].items?.properties ?? {}
      expect(selected.filter((name) => rows[name] === undefined)).toEqual([])
    }
  })

  test('has panels with titles that do not lie upon one another', () => {
    expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
    expect(panels.length).toBeGreaterThan(5)
  })
})

describe('the Grafana dashboard', () => {
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
  }
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

  test('shows metrics that the service exports, by labels that they have', () => {
    const files = ['operations/metrics', 'operations/observed', 'stream/stream-metrics']
    const sources = files.map((file) => read(`src/server/${file}.ts`)).join('\n')
    const exported = (name: string) =>
      sources.includes(`'${name}'`) || sources.includes(`\`${name.slice(0, name.lastIndexOf('_'))}_\${`)
    const names = expressions.flatMap((expr) => expr.match(/gammawall_\w+?(?=_bucket|\W|$)/g) ?? [])
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !exported(name))).toEqual([])
    const labels = expressions.flatMap((expr) =>
      [...expr.matchAll(/by \((\w+)\)|\{(\w+)=/g)].map(([, by, filter]) => by ?? filter)
    )
    expect(labels.filter((label) => label !== 'le' && !sources.includes(`'${label}'`))).toEqual([])
  })

  test('has panels with titles that do not lie upon one another', () => {
    const places = panels.map((panel) => JSON.stringify((panel as { readonly gridPos?: object }).gridPos))
    expect(new Set(places).size).toBe(panels.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  })
})

test('npm start, the image, the unit and the program itself start a service with the same flags of Node', () => {
  const flags = (text: string) => text.match(/--(max-semi-space-size=\d+|enable-source-maps)/g)
  const { scripts } = JSON.parse(read('package.json'))
  expect(flags(scripts.start)).toHaveLength(2)
  const image = read('Dockerfile').match(/^ENTRYPOINT .*/m)![0]
  const unit = read('deploy/gammawall.service').match(/^ExecStart=.*/m)![0]
  const program = read('scripts/allocator.mjs').match(/serviceFlags = .*/)![0]
  for (const text of [image, unit, program]) expect(flags(text)).toEqual(flags(scripts.start))
})

test('npm start, the image, the unit and the program itself start a service with the same allocator', () => {
  const variables = (text: string) => text.match(/MALLOC_\w+=\d+/g)
  const { scripts } = JSON.parse(read('package.json'))
  expect(variables(scripts.start)).toHaveLength(3)
  for (const text of [scripts.gammawall, read('Dockerfile'), read('deploy/gammawall.service')]) {
    expect(variables(text)).toEqual(variables(scripts.start))
  }
  expect(variables(read('scripts/allocator.mjs').replace(/: '(\d+)'/g, '=$1'))).toEqual(variables(scripts.start))
})
