import { isDeepStrictEqual } from 'node:util'
import type { Account, Subscriber } from '../../../accounts/accounts.ts'
import { storageReason } from '../../../accounts/storage-error.ts'
import { ApiError, apiError } from '../../../api/error.ts'
import { takenRefusal } from '../../http/authorize.ts'
import type { BulkGroup } from '../bulk-groups.ts'
import type { BulkRequest } from '../bulk-request.ts'
import type { BulkCaller } from '../bulk-source.ts'
import { diskBytesOf, isUnfinished, type JobRecord, type JobState, newJobId } from './job-record.ts'
import { type JobRunOptions, runBulkJob, usualPartLimits } from './job-run.ts'

export interface BulkJobsOptions extends Omit<JobRunOptions, 'callerOf' | 'checkRoom' | 'partLimits'> {
  readonly partLimits?: JobRunOptions['partLimits']
  /** Version of the program. A job that was begun by another one fails rather than mixing the figures of two. */
  readonly program: string
  readonly subscriber: (userId: string) => Subscriber | undefined
  /** Milliseconds that a job and its files are kept after its end. */
  readonly keepFor: number
  /** Disk space for the files of all jobs. */
  readonly maxBytes: number
}

/** Jobs of one user, and of the whole service, that may be unfinished at once. */
const OF_USER = 1
const OF_SERVICE = 4
const RETRY_AFTER = 30
/** Jobs of a user that are kept; the oldest ones go first. */
const KEPT_OF_USER = 100
const SWEEP_EVERY = 60_000
/** Why work is ended, if not because the service stops. */
const CANCEL = 'cancel'

/** The plan that jobs need. */
export const jobPlan = 'alpha'

/** A request for a job, as it was sent and read. */
export interface AskedJob {
  /** Text with which the same request may be sent again without beginning another job. */
  readonly key: string | undefined
  readonly sent: unknown
  readonly read: BulkRequest
  readonly groups: readonly BulkGroup[]
}

interface Running {
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** Bulk requests that are answered in the background, into files that their user fetches later. */
export class BulkJobs {
  readonly #options: BulkJobsOptions
  readonly #jobs = new Map<string, JobRecord>()
  readonly #running = new Map<string, Running>()
  #cancelSweep = () => {}

  constructor(options: BulkJobsOptions) {
    this.#options = options
    for (const record of options.folder.records()) this.#jobs.set(record.id, record)
  }

  /** Goes on with the jobs that an earlier process left unfinished, each behind what it had made safe. */
  start(): void {
    for (const record of this.#jobs.values()) if (isUnfinished(record)) this.#run(record)
    this.#sweepAndAgain()
  }

  /** Stops all work with what was done so far on the disk, so that the next process goes on behind it. */
  async stop(): Promise<void> {
    this.#cancelSweep()
    for (const { abort } of this.#running.values()) abort.abort()
    await this.settled()
  }

  /** Resolves once no job is under way. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /**
   * Begins a job and takes its groups from the quota; the same request with the same key gets the job that it began
   * before. Throws if it cannot begin.
   */
  async create(account: Account, asked: AskedJob): Promise<JobRecord> {
    const { folder, quota, wallNow, program } = this.#options
    await this.#sweep()
    const begun = this.#begunOrPlace(account.userId, asked)
    if (begun !== undefined) return begun
    const isCounted = account.uncounted !== 'all'
    const total = asked.groups.length
    const taken = isCounted ? await quota.take(account, total) : { allowed: true, used: 0 }
    if (!taken.allowed) {
      throw takenRefusal(taken, account, this.#options, `${total} requests are needed, and fewer are left today`)
    }
    const giveBack = () => isCounted && quota.refund(account, total)
    try {
      // Another request may have begun the job, or taken its place, while this one was counted.
      const meanwhile = this.#begunOrPlace(account.userId, asked)
      if (meanwhile !== undefined) {
        giveBack()
        return meanwhile
      }
    } catch (error) {
      giveBack()
      throw error
    }
    const record: JobRecord = {
      id: newJobId(),
      userId: account.userId,
      isCounted,
      program,
      key: asked.key,
      request: asked.sent,
      format: asked.read.format ?? 'ndjson',
      state: 'waiting',
      createdAt: wallNow(),
      resetsAt: quota.resetsAt(),
      total,
      tried: 0,
      answered: 0,
      absent: {},
      parts: []
    }
    this.#jobs.set(record.id, record)
    try {
      await folder.create(record, asked.groups)
    } catch (error) {
      this.#jobs.delete(record.id)
      giveBack()
      const reason = storageReason(error)
      if (reason === undefined) throw error
      throw apiError('storage_unavailable', `the job cannot be written: ${reason}; nothing was done`)
    }
    this.#run(record)
    return record
  }

  /** Jobs of a user, the newest first. */
  list(userId: string): readonly JobRecord[] {
    const own = [...this.#jobs.values()].filter((record) => record.userId === userId && !this.#isOver(record))
    return own.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  }

  /** Throws job_not_found for an id of nobody or of another user. */
  get(userId: string, id: string): JobRecord {
    const record = this.#jobs.get(id)
    if (record === undefined || record.userId !== userId || this.#isOver(record)) throw apiError('job_not_found')
    return record
  }

  /** Ends a job, or what is kept of it, and removes its files. */
  async cancel(userId: string, id: string): Promise<JobRecord> {
    const record = this.get(userId, id)
    const running = this.#running.get(id)
    running?.abort.abort(CANCEL)
    await running?.ended
    record.parts = []
    await this.#options.folder.removeParts(record)
    if (record.state !== 'cancelled') record.state = 'expired'
    await this.#save(record)
    return record
  }

  partPath(record: JobRecord, part: number): string {
    return this.#options.folder.partPath(record, part)
  }

  expiresAt({ endedAt }: JobRecord): number | undefined {
    return endedAt === undefined ? undefined : endedAt + this.#options.keepFor
  }

  /** Throws no_room if so many bytes more are more than all jobs may have. */
  checkRoom(more: number): void {
    const { maxBytes } = this.#options
    let bytes = more
    for (const record of this.#jobs.values()) bytes += diskBytesOf(record)
    if (bytes < maxBytes) return
    throw apiError('no_room', `the files of all jobs fill the ${megabytes(maxBytes)} MB that they may have`)
  }

  /** The job that a request began before; undefined if it may begin one. Throws if it may not. */
  #begunOrPlace(userId: string, asked: AskedJob): JobRecord | undefined {
    const begun = this.#begunBy(userId, asked)
    if (begun !== undefined) return begun
    this.#checkPlace(userId)
    this.checkRoom(0)
    return undefined
  }

  #begunBy(userId: string, { key, sent }: AskedJob): JobRecord | undefined {
    const begun = key === undefined ? undefined : this.list(userId).find((record) => record.key === key)
    if (begun === undefined || isDeepStrictEqual(begun.request, sent)) return begun
    throw apiError('idempotency_conflict', `this Idempotency-Key belongs to the job ${begun.id}, of another request`)
  }

  /** Whether the time is over for which a job is kept after its end. */
  #isOver(record: JobRecord): boolean {
    return (this.expiresAt(record) ?? Number.POSITIVE_INFINITY) <= this.#options.wallNow()
  }

  #checkPlace(userId: string): void {
    const unfinished = [...this.#jobs.values()].filter(isUnfinished)
    const isOwn = unfinished.filter((record) => record.userId === userId).length >= OF_USER
    if (!isOwn && unfinished.length < OF_SERVICE) return
    const whose = isOwn ? 'another job of this user is' : `${OF_SERVICE} other jobs are`
    throw apiError('bulk_busy', `${whose} under way; try again in ${RETRY_AFTER} s`, {}, RETRY_AFTER)
  }

  #run(record: JobRecord): void {
    const abort = new AbortController()
    const ended = this.#runToEnd(record, abort.signal).finally(() => this.#running.delete(record.id))
    this.#running.set(record.id, { abort, ended })
  }

  /** Never rejects: a job that cannot go on says why. */
  async #runToEnd(record: JobRecord, signal: AbortSignal): Promise<void> {
    const { program, wallNow, onFault, partLimits = usualPartLimits } = this.#options
    let failure: string | undefined
    try {
      if (record.program !== program) throw new ChangedFormulas(record.program, program)
      record.state = 'running'
      record.startedAt ??= wallNow()
      const callerOf: JobRunOptions['callerOf'] = (...of) => this.#callerOf(...of)
      const checkRoom = (bytes: number) => this.checkRoom(bytes)
      await runBulkJob(record, { ...this.#options, callerOf, checkRoom, partLimits }, signal)
    } catch (error) {
      failure = failureOf(error, onFault)
    }
    if (signal.reason === CANCEL) await this.#end(record, 'cancelled')
    else if (failure !== undefined) await this.#end(record, 'failed', failure)
    else if (record.tried === record.total) {
      await this.#end(record, 'done', record.answered === 0 ? 'no_data: no group has an answer' : undefined)
    }
  }

  /** Ends a job. Its state is seen once it is written and the quota has what is given back. */
  async #end(record: JobRecord, state: JobState, message?: string): Promise<void> {
    const { quota, wallNow, folder, onFault, subscriber } = this.#options
    const { userId, total, parts } = record
    if (state !== 'done') await folder.removePart(record, parts.length + 1).catch(onFault)
    record.open = undefined
    // Groups of a part that is gone count as not answered, unless their user wanted it gone.
    if (state === 'failed') record.answered = parts.reduce((sum, { groups }) => sum + groups, 0)
    const ended = { state, message, endedAt: wallNow() }
    await this.#save({ ...record, ...ended })
    const caller = subscriber(userId)
    // Counts of a day that is over cannot be given back.
    if (record.isCounted && caller !== undefined && record.resetsAt === quota.resetsAt()) {
      quota.refund({ userId, ...caller }, total - record.answered)
    }
    Object.assign(record, ended)
  }

  #callerOf({ userId }: JobRecord, { source, moments }: BulkRequest): BulkCaller {
    const { access, subscriber } = this.#options
    const caller = subscriber(userId)
    if (caller === undefined) throw apiError('user_not_found', 'the user of the job is gone')
    const refusal =
      access.planRefusal(caller, jobPlan) ??
      access.planRefusal(caller, source.plan) ??
      (moments === 'now' ? undefined : access.entitlementRefusal(caller, 'replay'))
    if (refusal !== undefined) throw refusal
    return { userId, ...caller }
  }

  /** A record that cannot be written stays right in memory; after a stop its job would be done again. */
  async #save(record: JobRecord): Promise<void> {
    await this.#options.folder.save(record).catch(this.#options.onFault)
  }

  #sweepAndAgain(): void {
    void this.#sweep()
    this.#cancelSweep = this.#options.after(SWEEP_EVERY, () => this.#sweepAndAgain())
  }

  /** Removes what is kept too long, and the oldest jobs of users that have too many. */
  async #sweep(): Promise<void> {
    const { folder, onFault } = this.#options
    const kept = new Map<string, number>()
    const newestFirst = [...this.#jobs.values()].sort((a, b) => b.createdAt - a.createdAt)
    for (const record of newestFirst) {
      const { id, userId } = record
      const count = (kept.get(userId) ?? 0) + 1
      kept.set(userId, count)
      const isOneTooMany = count >= KEPT_OF_USER && !isUnfinished(record)
      if (this.#running.has(id) || !(isOneTooMany || this.#isOver(record))) continue
      this.#jobs.delete(id)
      await folder.remove(record).catch(onFault)
    }
  }
}

class ChangedFormulas extends Error {
  constructor(began: string, now: string) {
    super(`formulas_changed: version ${began} began this job and ${now} runs now; ask for it again`)
  }
}

/** Says why a job cannot go on, in words that show no path of this machine. */
function failureOf(error: unknown, onFault: (error: unknown) => void): string {
  if (error instanceof ChangedFormulas) return error.message
  if (error instanceof ApiError) return `${error.code}: ${error.message}`
  onFault(error)
  const reason = storageReason(error)
  return reason === undefined ? 'internal_error' : `no_room: the parts cannot be written, because ${reason}`
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)
