import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isoInstant } from '../src/market/units.ts'
import { gammawall, metric, type Service, startService, temporaryFolder } from '../test/support/started-service.ts'
import { Chance } from './chance.ts'
import { faultsOfAccounts, type Meter, storedUsers, usedOf } from './kill-accounts.ts'
import { faultsOfHistory } from './kill-history.ts'
import { type Acknowledged, CONNECTIONS, type Load, underLoad } from './kill-load.ts'
import { killTapes } from './kill-tapes.ts'

// kill -9 under load, again and again on one data folder. What the service had acknowledged must be there when it starts
// again, once: users, keys, bundles, the audit trail, recorded snapshots, and all but the last second of counts.
//
//   npm run kill -- --rounds 100          as many as wanted; 5 of them run in npm test

/** The symbol that is recorded: a chain of a few hundred contracts, so that a hundred rounds stay small. */
const RECORDED = 'KO'
const settings = ['--universe', `SPY,${RECORDED}`, '--workers', '1', '--clock', 'demo', '--log-level', 'error'].concat([
  '--record',
  RECORDED,
  '--record-every',
  '1'
])

/**
 * Milliseconds after which an answered request is certainly counted on disk: a second, plus the time an answer takes to
 * arrive.
 */
const UNSAFE = 1000 + 300
/** Milliseconds from the first answers of a round to its kill: at least, and how much longer at most. */
const MIN_LIFE = 1500
const LIFE_SPREAD = 1000
/** So many answers are given first, so that there is something to lose on a machine that is busy with other things too. */
const FIRST_ANSWERS = 40

export interface KillOptions {
  readonly rounds: number
  readonly seed: number
  readonly onRound?: (round: Round) => void
}

/** Result of one round. */
export interface Round {
  readonly number: number
  /**
   * Number of answers that were counted long enough before the last one to be on disk, that were given, and that are on
   * disk.
   */
  readonly safe: number
  readonly answered: number
  readonly known: number
  /** Users whose creation was acknowledged. */
  readonly users: number
  /** Snapshots that the service had counted as written. */
  readonly snapshots: number
}

export interface Killed {
  readonly rounds: readonly Round[]
  /** Sentences about everything that was lost, doubled or would not start again. */
  readonly faults: readonly string[]
  /** Recorded snapshots that exist in the end; undefined if the machine has no engine for the archive. */
  readonly snapshotsKept: number | undefined
}

export async function kill({ rounds: count, seed, onRound = () => {} }: KillOptions): Promise<Killed> {
  const data = join(temporaryFolder(), 'data')
  const chance = new Chance(seed)
  const faults: string[] = []
  const rounds: Round[] = []
  const users: Acknowledged[] = []
  const meters: Meter[] = []
  let service = await startService(data, settings)
  const { keys } = service

  for (let number = 1; number <= count; number++) {
    const fault = (text: string) => faults.push(`round ${number}: ${text}`)
    const meter = await meterOf(service, number)
    const load = underLoad(service, meter.key, `round-${number}`)
    while (load.arrivals.length < FIRST_ANSWERS) await pause(25)
    await pause(MIN_LIFE + chance.below(LIFE_SPREAD))
    const email = `command-line-${number}@example.com`
    const made = await gammawall('keys', 'create', '--plan', 'basic', '--email', email, '--json', '--data', data)
    if (made.code === 0) users.push({ email, id: '', keys: [JSON.parse(made.stdout).key], hasBundle: false })
    else fault(`keys create beside the service: ${made.stderr.trim()}`)
    const snapshots = (await metric(service, 'gammawall_recorded_snapshots_written')) ?? 0
    await killed(service, load)
    users.push(...load.users)
    load.faults.forEach(fault)

    service = await startService(data, settings).catch((error: Error) => {
      throw new Error(`round ${number}: the service does not start again: ${error.message}`)
    })
    if (JSON.stringify(service.keys) !== JSON.stringify(keys)) fault('the demo keys are other ones')
    const stored = await storedUsers(service)
    for (const text of await faultsOfAccounts(service, stored, users, load.users.length + 1)) fault(text)
    for (const { email, used } of meters) {
      const now = usedOf(stored, email)
      if (now !== used && isToday(meters)) fault(`the count of ${email} was ${used} and is ${now}`)
    }
    const known = usedOf(stored, meter.email)
    const lastArrival = Math.max(...load.arrivals)
    const safe = load.arrivals.filter((at) => at < lastArrival - UNSAFE).length
    const answered = load.arrivals.length
    if (known < safe && isToday([meter])) fault(`${safe} answers were counted long before the last, ${known} are known`)
    if (known > answered + CONNECTIONS) fault(`${answered} answers were given, ${known} are counted`)
    meters.push({ ...meter, used: known })
    const round = { number, safe, answered, known, users: load.users.length, snapshots }
    rounds.push(round)
    onRound(round)
  }

  const { code, stderr } = await service.stop()
  if (code !== 0) faults.push(`the last stop in order ended with ${code}: ${stderr.slice(-500)}`)
  const written = rounds.reduce((sum, { snapshots }) => sum + snapshots, 0)
  const history = await faultsOfHistory(data, RECORDED, written)
  faults.push(...history.faults)
  return { rounds, faults, snapshotsKept: history.snapshots }
}

/** Counts begin anew at midnight UTC. */
const isToday = (meters: readonly Pick<Meter, 'day'>[]) => meters.every(({ day }) => day === today())
const today = () => new Date().toISOString().slice(0, 10)

/** A user of the round's own whose requests are counted. */
async function meterOf(service: Service, number: number) {
  const email = `meter-${number}@example.com`
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const { status, text } = await service.ask(path, service.keys.enterprise, init)
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`)
    return JSON.parse(text) as Readonly<Record<string, string>>
  }
  const { id } = await post('/v1/admin/users', { email, plan: 'growth' })
  const { key } = await post(`/v1/admin/users/${id}/keys`, { name: 'meter' })
  while ((await service.ask('/v1/stream/catalog', key)).status === 401) await pause(25) // is seen within a second
  return { email, key, day: today() }
}

/** Kills the service under its load. */
async function killed(service: Service, load: Load): Promise<void> {
  const ended = service.stop('SIGKILL')
  await load.stop()
  await ended
}

/** The command: returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) }
    }
  })
  const [count, seed] = [values.rounds, values.seed].map(Number)
  if (![count, seed].every(Number.isSafeInteger) || count < 1) {
    console.error('--rounds and --seed must be whole numbers')
    return 2
  }
  console.log(`${count} rounds, seed ${seed}`)
  const onRound = ({ number, safe, known, answered, users, snapshots }: Round) =>
    console.log(
      `  ${number}: ${users} users, ${snapshots} snapshots, ${known} counted of ${answered} answers (${safe} or more)`
    )
  const { faults, snapshotsKept } = await kill({ rounds: count, seed, onRound })
  for (const fault of faults) console.log(`FAULT ${fault}`)
  if (snapshotsKept === undefined) console.log('no engine for history here: recorded snapshots were not looked at')
  console.log(`${faults.length} faults`)
  if (snapshotsKept === undefined) return faults.length === 0 ? 0 : 1
  const onTapes = (number: number, moment: number) => console.log(`  tapes ${number}: killed at ${isoInstant(moment)}`)
  const tapes = await killTapes({ rounds: count, seed, onRound: onTapes })
  for (const fault of tapes.faults) console.log(`FAULT ${fault}`)
  console.log(
    `${tapes.answers} answers, ${tapes.recorded} of ${tapes.prints} option prints recorded before the last kill: ${tapes.faults.length} faults`
  )
  return faults.length + tapes.faults.length === 0 ? 0 : 1
}
