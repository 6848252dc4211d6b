import { bulkForms } from '../../../api/rows/forms.ts'
import { absentRow } from '../../../api/rows/table-part.ts'
import type { After } from '../../../facts/bounded-wait.ts'
import { asApiError } from '../../http/refusal.ts'
import { type BulkGroup, momentText } from '../bulk-groups.ts'
import { type BulkRequest, readBulk } from '../bulk-request.ts'
import type { BulkSlots } from '../bulk-slots.ts'
import type { BulkCaller, BulkHosts } from '../bulk-source.ts'
import { attempt, resultsInOrder, type Tried } from '../bulk-stream.ts'
import type { JobFolder } from './job-folder.ts'
import type { JobRecord, OpenPart } from './job-record.ts'
import { PartFile } from './part-file.ts'

export interface JobRunOptions extends BulkHosts {
  readonly folder: JobFolder
  readonly slots: BulkSlots
  /** Finds the user of a job as the plan is now. Throws if it does not allow the request any more. */
  readonly callerOf: (record: JobRecord, request: BulkRequest) => BulkCaller
  /** Throws no_room if so many bytes beside those of all records are too many. */
  readonly checkRoom: (bytes: number) => void
  readonly onFault: (error: unknown) => void
  /** Bytes and rows at which a part ends. */
  readonly partLimits: { readonly bytes: number; readonly rows: number }
}

export const usualPartLimits = { bytes: 64 * 2 ** 20, rows: 1_000_000 } as const

/** Milliseconds and bytes after which what was written is made safe, so that a sudden stop loses no more. */
const SAFE_EVERY = 2000
const SAFE_BYTES = 8 * 2 ** 20
/** A group that the service has no time for at the moment is tried again so often. */
const RETRIES = 5
const MAX_WAIT = 30_000

/**
 * Answers the groups of a job that are not written yet, into parts. Resolves at the end of the groups or once `signal`
 * is aborted, with everything so far on the disk. Rejects with the reason why it cannot go on.
 */
export async function runBulkJob(record: JobRecord, options: JobRunOptions, signal: AbortSignal): Promise<void> {
  const { folder, slots, callerOf } = options
  const request = readBulk(record.request, options)
  const groups = (await folder.groups(record)).slice(record.tried)
  const parts = await Parts.of(record, request, options)
  try {
    const tried = resultsInOrder(groups, slots.most, (group) => {
      const asked = { request, account: callerOf(record, request), format: record.format }
      return unlessAborted(patiently(asked, group, options, signal), signal)
    })
    for await (const { item: group, result } of tried) {
      if (result === undefined || signal.aborted) break
      await parts.add(group, result)
    }
    if (record.tried === record.total) await parts.end()
    else await parts.makeSafe()
  } finally {
    await parts.close()
  }
}

/** Tries a group again while the service is too busy for it. */
async function patiently(
  asked: Parameters<typeof attempt>[0],
  group: BulkGroup,
  options: JobRunOptions,
  signal: AbortSignal
): Promise<Tried | undefined> {
  for (let left = RETRIES; ; left--) {
    const tried = await options.slots.run(async () => (signal.aborted ? undefined : attempt(asked, group, options)))
    if (tried === undefined || 'bytes' in tried || left === 0) return tried
    const { status, retryAfter } = asApiError(tried.error)
    if (status !== 503 || retryAfter === undefined) return tried
    await unlessAborted(pause(Math.min(1000 * retryAfter, MAX_WAIT), options.after), signal)
  }
}

const pause = (milliseconds: number, after: After) => new Promise<void>((resolve) => void after(milliseconds, resolve))

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const give = () => resolve(undefined)
    if (signal.aborted) give()
    signal.addEventListener('abort', give, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}

/** The parts of a job, written one after the other; the record follows what is safely on the disk. */
class Parts {
  readonly #record: JobRecord
  readonly #request: BulkRequest
  readonly #options: JobRunOptions
  #file: PartFile | undefined
  #open: OpenPart | undefined
  #safeAt: number
  #safeBytes = 0

  private constructor(record: JobRecord, request: BulkRequest, options: JobRunOptions) {
    this.#record = record
    this.#request = request
    this.#options = options
    this.#safeAt = options.steadyNow()
  }

  static async of(record: JobRecord, request: BulkRequest, options: JobRunOptions): Promise<Parts> {
    const parts = new Parts(record, request, options)
    if (record.open === undefined) return parts
    parts.#open = { ...record.open }
    parts.#file = await PartFile.resume(parts.#path, record.open.bytes)
    return parts
  }

  async add(group: BulkGroup, tried: Tried): Promise<void> {
    const record = this.#record
    const { table, shape } = this.#request
    const key = { symbol: group.symbol, at: momentText(group) }
    let bytes: Uint8Array | undefined
    if ('bytes' in tried) bytes = tried.bytes
    else {
      if (asApiError(tried.error).status >= 500) this.#options.onFault(tried.error)
      if (shape.missing === 'row') bytes = this.#form.part(table.columns, [absentRow(table, key, tried.code)])
    }
    if (bytes !== undefined) await this.#write(bytes, key, 'bytes' in tried)
    record.tried++
    if ('bytes' in tried) record.answered++
    else record.absent[tried.code] = (record.absent[tried.code] ?? 0) + 1
    const { steadyNow } = this.#options
    const unsafe = (this.#file?.bytes ?? 0) - this.#safeBytes
    if (unsafe >= SAFE_BYTES || steadyNow() - this.#safeAt >= SAFE_EVERY) await this.makeSafe()
  }

  /** Makes what was written outlast a sudden stop, and then moves the record. */
  async makeSafe(): Promise<void> {
    await this.#file?.sync()
    this.#record.open = this.#open && { ...this.#open }
    await this.#options.folder.save(this.#record)
    this.#safeBytes = this.#file?.bytes ?? 0
    this.#safeAt = this.#options.steadyNow()
  }

  /** Ends the part that is being written, if there is one. The next one begins with the next group. */
  async end(): Promise<void> {
    if (this.#file === undefined || this.#open === undefined) return
    await this.#append(this.#form.end)
    const sha256 = await this.#file.finish()
    this.#record.parts.push({ ...this.#open, sha256 })
    this.#file = undefined
    this.#open = undefined
    await this.makeSafe()
  }

  async close(): Promise<void> {
    await this.#file?.close().catch(() => {})
  }

  get #form() {
    return bulkForms.find(({ name }) => name === this.#record.format)!
  }

  get #path(): string {
    return this.#options.folder.partPath(this.#record, this.#record.parts.length + 1)
  }

  async #write(bytes: Uint8Array, key: NonNullable<OpenPart['first']>, isAnswered: boolean): Promise<void> {
    const rows = this.#form.rowsIn(bytes)
    const most = this.#options.partLimits
    const open = this.#open
    if (open !== undefined && (open.bytes + bytes.length > most.bytes || open.rows + rows > most.rows)) await this.end()
    if (this.#file === undefined) {
      this.#file = await PartFile.begin(this.#path)
      this.#open = { groups: 0, rows: 0, bytes: 0 }
      await this.#append(this.#form.head(this.#request.table.columns))
    }
    await this.#append(bytes)
    const current = this.#open!
    current.rows += rows
    if (isAnswered) current.groups++
    current.first ??= key
    current.last = key
  }

  async #append(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    const unsafe = this.#open!.bytes - (this.#record.open?.bytes ?? 0)
    this.#options.checkRoom(unsafe + bytes.length)
    await this.#file!.append(bytes)
    this.#open!.bytes = this.#file!.bytes
  }
}
