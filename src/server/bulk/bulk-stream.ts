import { ApiError, apiError, type ErrorCode } from '../../api/error.ts'
import { bulkForms } from '../../api/rows/forms.ts'
import { absentRow } from '../../api/rows/table-part.ts'
import { asApiError } from '../http/refusal.ts'
import { type BulkGroup, momentText } from './bulk-groups.ts'
import type { BulkSlots } from './bulk-slots.ts'
import type { BulkHosts, BulkQuestion } from './bulk-source.ts'

/** A group that was tried: its rows as bytes, or the code of the error instead. */
export type Tried = { readonly bytes: Uint8Array } | { readonly code: ErrorCode; readonly error: unknown }

/** What becomes of a response while it is sent. */
export interface BulkProgress {
  /** Groups that were answered so far; all others are given back to the quota. */
  answered: number
}

/**
 * The bytes of a response, in the order of its groups. Answers are computed ahead of the reader by at most as many as
 * `slots` allows. Throws no_data before the first byte if no group has an answer. `onFault` gets faults of the service.
 */
export async function* bulkBytes(
  asked: BulkQuestion,
  groups: readonly BulkGroup[],
  hosts: BulkHosts,
  {
    slots,
    progress,
    onFault
  }: {
    readonly slots: BulkSlots
    readonly progress: BulkProgress
    readonly onFault: (error: unknown) => void
  }
): AsyncGenerator<Uint8Array, void> {
  const form = bulkForms.find(({ name }) => name === asked.format)!
  const { table, shape } = asked.request
  const held: Uint8Array[] = []
  let begun = false
  const tried = resultsInOrder(groups, slots.most, (group) => slots.run(() => attempt(asked, group, hosts)))
  for await (const { item: group, result } of tried) {
    let bytes: Uint8Array | undefined
    if ('bytes' in result) {
      progress.answered++
      bytes = result.bytes
    } else {
      if (asApiError(result.error).status >= 500) onFault(result.error)
      const key = { symbol: group.symbol, at: momentText(group) }
      if (shape.missing === 'row') bytes = form.part(table.columns, [absentRow(table, key, result.code)])
    }
    if (progress.answered === 0) {
      if (bytes !== undefined) held.push(bytes)
      continue
    }
    if (!begun) yield* nonEmpty([form.head(table.columns), ...held])
    begun = true
    if (bytes !== undefined) yield* nonEmpty([bytes])
  }
  if (!begun) throw apiError('no_data', 'no group of the request has an answer')
  yield* nonEmpty([form.end])
}

const nonEmpty = (parts: readonly Uint8Array[]) => parts.filter(({ length }) => length > 0)

export async function attempt(asked: BulkQuestion, group: BulkGroup, hosts: BulkHosts): Promise<Tried> {
  try {
    return { bytes: await asked.request.source.part(asked, group, hosts) }
  } catch (error) {
    return { code: error instanceof ApiError ? error.code : 'internal_error', error }
  }
}

/** Works on items, at most `ahead` at once, and yields the results in the order of the items. */
export async function* resultsInOrder<Item, Result>(
  items: readonly Item[],
  ahead: number,
  work: (item: Item) => Promise<Result>
): AsyncGenerator<{ readonly item: Item; readonly result: Result }, void> {
  const running: Promise<Result>[] = []
  for (const [k, item] of items.entries()) {
    while (running.length < ahead && k + running.length < items.length) running.push(work(items[k + running.length]))
    yield { item, result: await running.shift()! }
  }
}
