import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../src/config/settings.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Runs a checker where it is installed; undefined, with a printed reason, where it is not. */
function checked(tool: string, ...args: readonly string[]): string | undefined {
  const { error, stdout, stderr, status } = spawnSync(tool, args, { cwd: root, encoding: 'utf8' })
  if (error === undefined) return status === 0 ? '' : stdout + stderr
  console.log(`skipped: ${tool} is not installed here`)
  return undefined
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

describe('the unit for systemd', () => {
  const unit = read('deploy/gammawall.service')

  test('has a directive on each line, in its sections, and starts with settings that there are', () => {
    const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.filter((line) => !/^(\[(Unit|Service|Install)\]|[A-Z]\w+=.*)$/.test(line))).toEqual([])
    expect(
      flagsIn(/^ExecStart=.*gammawall\.mjs(.*)$/m.exec(unit)![1]).filter((flag) => !Object.hasOwn(settings, flag))
    ).toEqual([])
  })

  test('passes systemd-analyze where it is installed', () => {
    const output = checked('systemd-analyze', 'verify', 'deploy/gammawall.service') ?? ''
    // Other units and the program's path may be wrong on a test machine, so only lines about this file count.
    const own = output.split('\n').filter((line) => /gammawall\.service:\d+|Unknown (key|section|lvalue)/.test(line))
    expect(own).toEqual([])
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
