import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { readsTapes } from '../src/api/inputs/inputs.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { demoClock } from '../src/market/clock.ts'
import { easternDateTime } from '../src/market/eastern.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../src/market/units.ts'
import {
  type Answer,
  eventually,
  gammawall,
  type Service,
  startService,
  temporaryFolder
} from '../test/support/started-service.ts'
import { Chance } from './chance.ts'

// kill -9 of a service that keeps and records tapes, at random prints, also while it reads what the session printed so
// far. In the end it answers every question about flow with the bytes of a service that was never killed, and its
// archive has the very prints of that one.

const SYMBOL = 'KO'
const settings = ['--universe', SYMBOL, '--record', SYMBOL, '--workers', '1', '--log-level', 'error']
/** Maximum duration of a round, milliseconds, from its first question about flow or from the answer about all of it. */
const LIFE = 2000
const MORE_ROUNDS = 6
/** Seconds that two services have to know the same. */
const CATCHING_UP = 30
/** Clock that `--clock demo` uses. */
const marketNow = demoClock(Date.now)

/**
 * Requests for everything made from prints. 0DTE samples are left out: they are taken by the clock and cannot be made
 * later.
 */
const questions = endpoints
  .filter(({ needs }) => readsTapes(needs))
  .filter(({ needs }) => !needs.some((need) => ['samples', 'strikeMinutes', 'newestSamples'].includes(need)))
  .map(({ path, params }) => `${path.replace(/\{\w+\}/, SYMBOL)}${'resolution' in params ? '?resolution=1m' : ''}`)

export interface KilledTapes {
  /** Sentences about everything that was lost, doubled or answered differently. */
  readonly faults: readonly string[]
  /** Answers that were compared. */
  readonly answers: number
  /** Option prints in the archive after the last kill, and in the end. */
  readonly recorded: number
  readonly prints: number
}

export interface KillTapesOptions {
  readonly rounds: number
  readonly seed: number
  readonly onRound?: (number: number, moment: Instant) => void
}

export async function killTapes({ rounds, seed, onRound = () => {} }: KillTapesOptions): Promise<KilledTapes> {
  const chance = new Chance(seed)
  const data = join(temporaryFolder(), 'killed')
  let newest = Number.NEGATIVE_INFINITY
  let recorded: readonly string[] = []
  // A quick machine may meet every kill before a print was recorded, so longer rounds follow until one was.
  for (let number = 1; number <= rounds || (recorded.length === 0 && number <= rounds + MORE_ROUNDS); number++) {
    const service = await startService(data, [...settings, '--clock', 'demo'])
    const path = `/v1/flow/options/${SYMBOL}/summary`
    const asked = service.ask(path, service.keys.alpha).catch(() => undefined)
    if (number % 2 === 0) await answerOf(service, path)
    await pause(chance.below(LIFE * Math.max(1, 1 + number - rounds)))
    await service.stop('SIGKILL')
    await asked
    const moment = marketNow()
    newest = Math.max(newest, moment)
    onRound(number, moment)
    if (number >= rounds) recorded = await printsIn(data)
  }
  // Both services stand at one moment, so that nothing changes between two requests.
  const standing = MILLISECONDS_PER_MINUTE * Math.ceil(newest / MILLISECONDS_PER_MINUTE)
  const at = ['--as-of', easternDateTime(standing).slice(0, 16)]
  const [killed, whole] = await Promise.all(
    [data, join(temporaryFolder(), 'whole')].map((folder) => startService(folder, [...settings, ...at]))
  )
  const faults: string[] = []
  for (const path of questions) {
    const ask = () => Promise.all([answerOf(killed, path), answerOf(whole, path)])
    let [one, other] = await ask()
    // What comes from elsewhere, such as the VIX, may be known to one of them a little later.
    for (let again = 0; one.text !== other.text && again < CATCHING_UP; again++) {
      await pause(1000)
      ;[one, other] = await ask()
    }
    if (other.status !== 200) faults.push(`${path}: ${other.status} ${other.text}`)
    if (one.text !== other.text) faults.push(`${path}: ${difference(one.text, other.text)}`)
  }
  await Promise.all([killed.stop(), whole.stop()])
  const [kept, expected] = await Promise.all([killed, whole].map((service) => printsIn(service.data)))
  const held = new Set(kept)
  const lost = expected.filter((print) => !held.has(print))
  if (held.size < kept.length) faults.push(`${kept.length - held.size} prints are there twice`)
  if (lost.length > 0) faults.push(`${lost.length} of ${expected.length} prints are lost, such as ${lost[0]}`)
  if (held.size > expected.length) faults.push(`${held.size} prints are there, ${expected.length} were printed`)
  const gone = recorded.filter((print) => !held.has(print))
  if (gone.length > 0) faults.push(`${gone.length} prints were recorded before the last kill and are gone`)
  return { faults, answers: questions.length, recorded: recorded.length, prints: kept.length }
}

/** The answer to a question, once the tapes have been read: a scan across symbols leaves out those that were not. */
function answerOf(service: Service, path: string): Promise<Answer> {
  return eventually(
    `an answer to ${path}`,
    async () => {
      const answer = await service.ask(path, service.keys.alpha)
      const isWhole = answer.status < 500 && answer.headers.get('x-flow-partial') === null
      return isWhole && `${path} ${answer.text}`.includes(SYMBOL) ? answer : undefined
    },
    120
  )
}

/** The first place at which two texts differ. */
function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 60)
  return `${one.slice(from, at + 60)} where ${other.slice(from, at + 60)} is right`
}

/** The option prints in an archive whose service has stopped, without when they became known. */
async function printsIn(data: string): Promise<readonly string[]> {
  const out = join(temporaryFolder(), 'prints.csv')
  const sessions = ['--from', '2020-01-01', '--to', '2100-01-01']
  const what = ['--what', 'prints', '--symbol', SYMBOL, ...sessions, '--out', out]
  const { code, stderr } = await gammawall('export', ...what, '--data', data)
  if (stderr.includes('were ever recorded')) return []
  if (code !== 0) throw new Error(`the prints cannot be exported: ${stderr.trim()}`)
  const rows: string[][] = []
  for await (const line of createInterface({ input: createReadStream(out) })) rows.push(line.split(','))
  const known = rows[0].indexOf('"known_at"')
  if (known === -1) throw new Error(`an export without the columns it had: ${rows[0].join()}`)
  return rows.slice(1).map((row) => row.toSpliced(known, 1).join())
}
