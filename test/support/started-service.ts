import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { PlanId } from '../../src/api/plan.ts'
import { shortLived } from './short-lived.ts'

export { temporaryFolder } from './temporary-folder.ts'

// The built service as its operator meets it: a child process, its output and its exit code. For tests, and for the long
// runs of trials/, which plain node runs from dist/.

const sources = resolve(import.meta.dirname, '../..')
export const projectRoot = existsSync(join(sources, 'package.json')) ? sources : resolve(sources, '..')
export const program = join(projectRoot, 'scripts/gammawall.mjs')

const [startLine] = /"start": .*/.exec(readFileSync(join(projectRoot, 'package.json'), 'utf8'))!

/** Variables of the C library's allocator with which `npm start` starts a service. */
export const allocatorSettings: Readonly<Record<string, string>> = Object.fromEntries(
  [...startLine.matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value])
)

/** Flags of Node with which `npm start` starts a service. */
export const serviceFlags: readonly string[] = startLine.match(/(?<= )--[\w=-]+/g)!

/** How a program ended and everything it printed. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly json: Record<string, unknown> | undefined
}

export interface Service extends Program {
  /** Address of the REST interface, of the replay host, of the stream without /ws, and of metrics. */
  readonly base: string
  readonly replay: string
  readonly stream: string
  readonly operations: string
  readonly data: string
  /** The demo keys that it printed, or those of the file that it named, by plan; none once the demo users are gone. */
  readonly keys: Readonly<Partial<Record<PlanId, string>>>
  /** Asks with a key in the header, or without one. */
  ask(path: string, key?: string, init?: RequestInit): Promise<Answer>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

export interface Launch {
  readonly env?: Readonly<Record<string, string>>
  /** Whether the process gets its own process group, as a shell gives to each command. */
  readonly ownGroup?: boolean
  /** Working directory; the checkout by default. */
  readonly cwd?: string
}

/** A made-up past costs seconds of computing after each start, and few tests need one. */
const withoutSeed = { GAMMAWALL_SEED_HISTORY: 'off' }

/** Programs that run, and whether they lead a group. */
const running = new Map<ChildProcess, boolean>()

/** Kills processes that still run, after each test file. A process without the test runner does so when it exits. */
export function endPrograms(): void {
  for (const [child, ownGroup] of running) {
    try {
      process.kill(ownGroup ? -child.pid! : child.pid!, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
process.once('exit', endPrograms)

/**
 * Starts a program of which nothing outlives the test file. Settings of the surroundings do not reach it. Node gets the flags of
 * short lives.
 */
export function launch(
  command: string,
  args: readonly string[],
  { env = {}, ownGroup = false, cwd = projectRoot }: Launch = {}
): Program {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GAMMAWALL_|NODE_|VITEST)/.test(name))
  const flags = command === process.execPath ? shortLived : []
  const child = spawn(command, [...flags, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), no_proxy: '127.0.0.1', ...withoutSeed, ...env },
    detached: ownGroup,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  running.set(child, ownGroup)
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  const ended = new Promise<Ended>((settle, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => settle({ code, signal, ...texts }))
  }).finally(() => running.delete(child))
  ended.catch(() => {}) // told by whoever awaits it
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, ended }
}

/** Runs the command line of a checkout to its end. */
export function gammawall(...args: readonly string[]): Promise<Ended> {
  return launch(process.execPath, [program, ...args]).ended
}

let prepared: Promise<Ended> | undefined

/** Builds what is stale, so that a start is a start and nothing else. */
async function prepareProgram(): Promise<void> {
  prepared ??= gammawall('--version')
  const { code, stderr } = await prepared
  if (code !== 0) throw new Error(`the program cannot be run: ${stderr}`)
}

/**
 * URL of the built program of a thread, `workers/engine-thread` for example. It is loaded with a tenth of the processor time of
 * its sources, each of which Node 20 asks another thread for.
 */
export async function builtThread(name: string): Promise<URL> {
  await prepareProgram()
  return pathToFileURL(join(projectRoot, 'dist/program', `${name}.js`))
}

/** Starts the service on ports that are free, and waits until it has printed what to paste. */
export async function startService(
  data: string,
  args: readonly string[] = [],
  env: Launch['env'] = {}
): Promise<Service> {
  await prepareProgram()
  const drain = args.includes('--drain') ? [] : ['--drain', '0'] // nothing balances here
  const line = [program, 'serve', '--data', data, '--port', '0', ...drain, ...args]
  return greeted(launch(process.execPath, line, { env }), data)
}

/** Seconds that a start may take: a machine that runs much else at once is slow, and that is no fault of the service. */
const MAX_START = 120

/** The service behind a program that was launched, once it has printed what to paste. */
export async function greeted(started: Program, data: string): Promise<Service> {
  const startupBanner = await eventually(
    'the service to start',
    () => {
      if (started.child.exitCode !== null || started.child.signalCode !== null) {
        throw new Error(`the service ended at its start: ${started.stderr()}`)
      }
      return /\n {2}curl .*\n/.test(started.stdout()) ? started.stdout() : undefined
    },
    MAX_START
  )
  const shown = (label: string) => new RegExp(`^ {2}${label} +(\\S+)$`, 'm').exec(startupBanner)?.[1] ?? ''
  const base = shown('REST')
  return {
    ...started,
    base,
    replay: shown('replay'),
    stream: shown('stream').replace(/\/ws$/, ''),
    operations: shown('metrics').replace(/\/metrics$/, ''),
    data,
    keys: /^ {2}demo keys +in /m.test(startupBanner) ? demoKeysOf(data) : printedKeys(startupBanner),
    ask: (path, key, init) => ask(base + path, key, init),
    stop(signal = 'SIGTERM') {
      started.child.kill(signal)
      return started.ended
    }
  }
}

function printedKeys(banner: string): Service['keys'] {
  return Object.fromEntries([...banner.matchAll(/^ {4}(\w+) +(gw_live_\w+)$/gm)].map(([, plan, key]) => [plan, key]))
}

/** One request, its key in the header. */
export async function ask(address: string, key?: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { ...(key !== undefined && { 'x-api-key': key }), ...init.headers }
  const response = await fetch(address, { ...init, headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Milliseconds between two questions at first; later a twentieth of the time waited so far, so that asking slows nothing down. */
const SHORTEST_PAUSE = 25

/** Asks again and again until there is an answer other than undefined; fails when there is none in time. */
export async function eventually<Found>(
  what: string,
  probe: () => Found | undefined | Promise<Found | undefined>,
  seconds = 120
): Promise<Found> {
  const begun = performance.now()
  const waited = () => performance.now() - begun
  for (; waited() < seconds * 1000; await pause(Math.max(SHORTEST_PAUSE, waited() / 20))) {
    const found = await probe()
    if (found !== undefined) return found
  }
  throw new Error(`waited ${seconds} s in vain for ${what}`)
}

/** A metric of the service by name and labels, as they are printed. */
export async function metric({ operations }: Service, name: string): Promise<number | undefined> {
  const { text } = await ask(`${operations}/metrics`)
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

/** The demo keys as the data folder keeps them. */
export function demoKeysOf(data: string): Readonly<Partial<Record<PlanId, string>>> {
  return JSON.parse(readFileSync(join(data, 'demo-keys.json'), 'utf8'))
}
