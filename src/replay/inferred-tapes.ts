import type { LRUCache } from 'lru-cache'
import type { Deadline } from '../api/deadline.ts'
import type { HeldMoment, HistoryStore, StoredSnapshot, TapeId, WrittenAt } from '../archive/history-store.ts'
import { nextTradingDay, session as sessionOf } from '../market/calendar.ts'
import { copyPrints, emptyPrints, PRICE_UNIT, type PrintColumns, type Prints, printsOf } from '../market/print.ts'
import { SeriesList } from '../market/series.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { InferredPrints } from '../tape/inferred-prints.ts'
import type { Engine } from '../workers/engine.ts'
import type { HeldTape, InferredFrom } from './held-tape.ts'

type Session = Pick<TapeId, 'symbol' | 'session'>

/** An inferred tape as far as the snapshots were read. */
interface InferredTape extends HeldTape {
  readonly inferred: InferredFrom
  /** Columns with room for further prints. */
  readonly room: Prints
}

/** Snapshots that are read and compared at once: of an index with 30,000 contracts some 10 MB. */
const BLOCK = 8
/** Growth of full columns. */
const GROWTH = 1.5

let lastName = 0

/**
 * Option tapes of sessions without recorded prints, inferred from the archived snapshots as the live service infers them
 * from its polls. Only snapshots up to the requested moment are read. A later moment continues the tape of an earlier one;
 * if snapshots were added or deleted before the moment, the tape is made anew.
 */
export class InferredTapes {
  readonly #archive: Pick<HistoryStore, 'moments' | 'snapshot'>
  readonly #engine: Pick<Engine, 'run'>
  /** All tapes in memory, also those of recorded prints. */
  readonly #tapes: LRUCache<string, HeldTape>
  /** Last work on each tape, which the next one waits for. */
  readonly #underway = new Map<string, Promise<unknown>>()

  constructor(
    archive: Pick<HistoryStore, 'moments' | 'snapshot'>,
    engine: Pick<Engine, 'run'>,
    tapes: LRUCache<string, HeldTape>
  ) {
    this.#archive = archive
    this.#engine = engine
    this.#tapes = tapes
  }

  /**
   * Tape of a session from its snapshots up to `at`; it may have later rows too. Undefined if no two snapshots by then
   * can be compared. After `deadline` no further snapshot is compared, but those that were are kept.
   */
  async tape(id: Session, at: Instant, deadline?: Deadline): Promise<HeldTape | undefined> {
    const moments = await this.#moments(id, at)
    if (moments.length < 2) return undefined
    const key = `${id.symbol} inferred ${id.session}`
    const made = await this.#inTurn(key, () => this.#upTo(key, id, moments, deadline))
    const { since } = made.inferred
    return since !== undefined && since <= at ? made : undefined
  }

  /** Whether the session has two snapshots by `at`. */
  async isPossible(id: Session, at: Instant): Promise<boolean> {
    return (await this.#moments(id, at)).length > 1
  }

  /** Reason why nothing can be inferred by `at`. */
  async reasonWithout(id: Session, at: Instant): Promise<string> {
    const count = (await this.#moments(id, at)).length
    if (count === 0) return 'it has no snapshot of its chain by then'
    if (count === 1) {
      return (
        'it has one snapshot by then: no flow within the session; /v1/flow/options/{symbol}/summary has the volume of the ' +
        'day once it is over, and /v1/exposure/oi-diff compares its open interest with the session before'
      )
    }
    return 'its snapshots by then have no volumes'
  }

  /** Moments of a session's snapshots up to `at`, ascending. What comes before the next open belongs to the session. */
  async #moments({ symbol, session }: Session, at: Instant): Promise<readonly HeldMoment[]> {
    const { open } = sessionOf(session)!
    const end = Math.min(at + 1, sessionOf(nextTradingDay(session))!.open)
    const found = open < end ? await this.#archive.moments(symbol, open, end) : []
    return found.filter(({ asOf }, k) => asOf !== found[k - 1]?.asOf)
  }

  async #upTo(
    key: string,
    { symbol }: Session,
    moments: readonly HeldMoment[],
    deadline: Deadline | undefined
  ): Promise<InferredTape> {
    const held = this.#tapes.get(key) as InferredTape | undefined
    let made = held !== undefined && isSameBeginning(held.inferred.moments, moments) ? held : emptyTape(key)
    for (let done = made.inferred.moments.length; done < moments.length; done += BLOCK) {
      const snapshots = await this.#read(symbol, moments.slice(Math.max(0, done - 1), done + BLOCK))
      const { tape } = made
      const soFar = { length: tape.prints.length, series: tape.series }
      const part = await this.#engine.run('inferPrints', { snapshots, soFar }, deadline)
      made = continued(made, part, moments.slice(0, done + BLOCK))
      this.#tapes.set(key, made)
    }
    return made
  }

  /** Reads snapshots; those that were deleted meanwhile are left out. */
  async #read(symbol: Ticker, moments: readonly HeldMoment[]): Promise<readonly StoredSnapshot[]> {
    const found = await Promise.all(moments.map(({ asOf }) => this.#archive.snapshot(symbol, asOf)))
    return found.filter(
      (snapshot, k) => snapshot !== undefined && snapshot.asOf === moments[k].asOf
    ) as StoredSnapshot[]
  }

  /** Runs work on a tape after the work that was begun before, so that no snapshot is compared twice. */
  async #inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#underway.get(key)
    const mine = (async () => {
      await before?.catch(() => {})
      return work()
    })()
    this.#underway.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#underway.get(key) === mine) this.#underway.delete(key)
    }
  }
}

function isSameBeginning(one: readonly HeldMoment[], other: readonly HeldMoment[]): boolean {
  const length = Math.min(one.length, other.length)
  for (let k = 0; k < length; k++) {
    if (one[k].asOf !== other[k].asOf || one[k].fidelity !== other[k].fidelity) return false
  }
  return true
}

function emptyTape(key: string): InferredTape {
  const room = emptyPrints(0)
  return {
    name: `${key} ${++lastName}`,
    tape: { prints: room, series: new SeriesList().columns, end: 0 },
    source: 'inferred',
    unit: PRICE_UNIT,
    written: 0 as WrittenAt,
    isWhole: false,
    inferred: { moments: [], since: undefined },
    room
  }
}

/** The same tape with further prints. Earlier readers of its columns see nothing of them. */
function continued(made: InferredTape, part: InferredPrints, moments: readonly HeldMoment[]): InferredTape {
  const { length } = made.tape.prints
  const end = length + part.prints.length
  let { room } = made
  if (end > room.length) {
    room = emptyPrints(Math.ceil(GROWTH * end))
    copyPrints(made.room, 0, length, room, 0)
  }
  copyPrints(part.prints, 0, part.prints.length, room, length)
  const since = made.inferred.since ?? part.since
  return {
    ...made,
    tape: { prints: firstPrints(room, end), series: part.series, end },
    room,
    inferred: { moments, since }
  }
}

/** The first `length` rows, in the same memory. */
function firstPrints(room: Prints, length: number): Prints {
  const columns = Object.entries(room).flatMap(([name, column]) =>
    typeof column === 'number' ? [] : [[name, column.subarray(0, length)] as const]
  )
  return printsOf(Object.fromEntries(columns) as unknown as PrintColumns, length)
}
