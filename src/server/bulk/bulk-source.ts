import type { Account, Subscriber } from '../../accounts/accounts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError, type ErrorCode } from '../../api/error.ts'
import { editsBetween } from '../../api/nearest.ts'
import { printable } from '../../api/params.ts'
import type { Table } from '../../api/rows/table.ts'
import type { AnswerColumn } from '../../api/rows/table-columns.ts'
import type { PartShape } from '../../api/rows/table-part.ts'
import { easternDate } from '../../market/eastern.ts'
import { readSymbol } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import type { Host } from '../http/host.ts'
import type { MountOptions } from '../http/mount-endpoints.ts'
import type { BulkArchive } from './bulk-archive.ts'
import type { BulkGroup } from './bulk-groups.ts'
import type { BulkRequest } from './bulk-request.ts'

/** Answers about now and about past moments, under the plans and gates of each, and what was recorded. */
export interface BulkHosts extends MountOptions {
  readonly past: Host
  readonly archive: BulkArchive
  /** Lists of symbols that the operator has named. */
  readonly presets: () => Readonly<Record<string, readonly string[]>>
  /** Columns of the figures that are recorded over time. */
  readonly seriesColumns: readonly AnswerColumn[]
}

/** The user for whom answers are made, with what the plan allows. */
export type BulkCaller = Pick<Account, 'userId'> & Subscriber

export interface BulkQuestion {
  readonly request: BulkRequest
  readonly account: BulkCaller
  /** Name of the form that rows are written in. */
  readonly format: string
}

/** Kind of rows that bulk gives: their table, and how the rows of a group are made. */
export interface BulkSource {
  /** The least plan that may ask for it. */
  readonly plan: Endpoint['plan']
  /** Whether the moments of a range are read many at once, so that a group is a stretch of them. */
  readonly inStretches: boolean
  /** Names that `rows` may have, besides none. */
  readonly rowNames: readonly string[]
  /** The table of a shape. Throws for rows or fields that there are not. */
  readonly table: (shape: PartShape) => Table
  /** Throws for parameters that cannot be read. */
  readonly check: (group: BulkGroup, hosts: BulkHosts) => void
  /** The rows of a group, written in the form of the response. Throws the error that a plain request would get. */
  readonly part: (asked: BulkQuestion, group: BulkGroup, hosts: BulkHosts) => Promise<Uint8Array>
}

/** Error for a name that there is not, with the one that is nearest to it. */
export function unknownName(code: ErrorCode, parameter: string, named: string, names: readonly string[]): ApiError {
  const asked = named.slice(0, 60)
  const nearest = names.toSorted((a, b) => editsBetween(a, asked) - editsBetween(b, asked))[0]
  const message = `${parameter} names '${printable(named)}', which there is not; nearest is ${nearest}`
  return apiError(code, message, { parameter })
}

const ofSymbol = { symbols: ({ symbol }: { readonly symbol: Ticker }) => [symbol], gates: [] }

/** Reads the symbol of a group of recorded rows. Throws if there is none of this name, or the plan does not open it. */
export function openedSymbol(text: string, account: BulkCaller, { access, archive }: BulkHosts): Ticker {
  const symbol = readSymbol(text)
  if (symbol === undefined) throw apiError('symbol_not_found')
  const refusal = access.gateRefusal(account, ofSymbol, { symbol }, { today: easternDate(archive.period().now) })
  if (refusal !== undefined) throw refusal
  return symbol
}
