import { MILLISECONDS_PER_MINUTE } from '../src/market/units.ts'
import { openStage, type Stage } from './manner-stage.ts'
import type { MannerOfExchange } from './manner-table.ts'
import { sends, truePayload } from './stand-in-exchange.ts'

const GOOD_POLLS = 3
/** Age of the newest chain of an honest exchange: its delay, and the time since the poll. */
const NORMAL_AGE = 16 * MILLISECONDS_PER_MINUTE

export interface MannerOptions {
  /** Number of polls at which the exchange misbehaves. */
  readonly badPolls: number
  /** Whether the first payload of all is bad. */
  readonly isFirst: boolean
}

/** What each surface said while the exchange misbehaved, and what of it was wrong. */
export interface MannerOutcome {
  readonly name: string
  /** Statuses of REST, then age and mark of the last answer. */
  readonly rest: string
  readonly stream: string
  readonly alerts: number
  readonly recorded: number
  /** What the gate said, by kind or reason. */
  readonly verdicts: string
  readonly faults: readonly string[]
}

/** Plays one manner on a stage of its own. */
export async function play(manner: MannerOfExchange, { badPolls, isFirst }: MannerOptions): Promise<MannerOutcome> {
  const stage = await openStage()
  if (!isFirst) await begin(stage)
  const outcome = await misbehave(stage, manner, badPolls)
  await stage.close()
  return outcome
}

/** Lets the exchange be honest for some polls, and adds alerts. */
export async function begin(stage: Stage): Promise<void> {
  beHonest(stage)
  for (let k = 0; k < GOOD_POLLS; k++) await stage.poll()
  await stage.addAlerts()
}

function beHonest({ exchange, trueNow }: Stage): void {
  exchange.reply = (...asked) => sends(truePayload(trueNow()))(...asked)
}

/** Lets the exchange misbehave for some polls, and be honest for two more. */
export async function misbehave(
  stage: Stage,
  { name, manner, clockOff = 0 }: MannerOfExchange,
  badPolls: number
): Promise<MannerOutcome> {
  const { exchange, faults, verdicts, said, trueNow } = stage
  faults.clear()
  verdicts.clear()
  const [recordedBefore, firedBefore] = [said.recorded, await stage.fired()]
  stage.setClock(clockOff)
  let bad = 0
  if (clockOff === 0) exchange.reply = (...asked) => manner(trueNow(), bad)(...asked)
  const statuses = new Set<number>()
  let last = ''
  for (; bad < badPolls; bad++) {
    const { status, age, isStale } = await stage.poll()
    statuses.add(status)
    last = age === undefined ? '' : ` ${Math.round(age / 1000)} s${isStale ? ' stale' : ''}`
  }
  const fired = (await stage.fired()) - firedBefore
  const outcome = {
    name,
    rest: [...statuses].join('/') + last,
    stream: `${said.stream || 'nothing'}${said.isStreamStale ? ' stale' : ''}`,
    alerts: fired,
    recorded: said.recorded - recordedBefore,
    verdicts: [...verdicts].map(([verdict, times]) => `${verdict} ${times}`).join(', ') || 'taken'
  }
  stage.setClock(0)
  beHonest(stage)
  await stage.poll()
  const { status, age, isStale } = await stage.poll()
  if (status !== 200 || isStale || !(age! < NORMAL_AGE)) faults.add(`not back two polls later: ${status}, ${age} ms`)
  const firedInAll = (await stage.fired()) - firedBefore
  if (firedInAll > 0) faults.add(`${firedInAll} alerts fired`)
  return { ...outcome, faults: [...faults] }
}
