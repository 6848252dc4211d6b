import type { DailyBar } from '../../market/bar.ts'
import type { Dividend } from '../../market/dividend.ts'
import type { EarningsStatement, ReportFiled } from '../../market/earnings.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { AnswerListener } from './capture/capture.ts'
import type { RequestBudget } from './http/request-budget.ts'
import type { ConnectorSettings, SettingValuesOf } from './setting.ts'

/**
 * Data beside the market that changes about once a day: interest rates, the wider market, company reports and
 * dividends.
 */
export const referenceCapabilities = ['rates', 'macro', 'earnings', 'dividends'] as const

export type ReferenceCapability = (typeof referenceCapabilities)[number]

/** A statement about a report. It counts from the moment it was read, which the source does not know. */
export type ReportStated = Omit<EarningsStatement, 'knownFrom'>

/**
 * A statement of a reference: values of a series or index by day, statements about reports, filed reports, or dividends of
 * a share.
 */
export type Stated =
  | { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }
  | { readonly earnings: readonly ReportStated[] }
  | { readonly filings: readonly ReportFiled[] }
  | { readonly symbol: Ticker; readonly dividends: readonly Dividend[] }

export interface ReferenceAsked {
  /** Wall clock when the reading begins. */
  readonly now: Instant
  /** First day whose values are wanted. */
  readonly from: IsoDate
  /** Symbols whose dividends and filings are wanted. */
  readonly symbols: readonly Ticker[]
}

/**
 * A reference source. What it states goes into the archive like an import and is read from there, under the same rules
 * of when it was known. It answers no request itself, so nobody waits for it.
 */
export interface ReferenceSource {
  readonly name: string
  /** Minimum time between two readings, milliseconds. */
  readonly every: number
  readonly budget?: Pick<RequestBudget, 'perMinute' | 'given' | 'maxParallel'>
  /** Everything the source states now, part by part. Ends with a `SourceError` if a part cannot be read. */
  read(asked: ReferenceAsked, signal: AbortSignal): AsyncIterable<Stated>
}

export interface ReferenceUse {
  readonly capabilities: readonly ReferenceCapability[]
  /** Receives every HTTP answer as it came, see `HttpSource`. */
  readonly onAnswer: AnswerListener | undefined
}

/** A reference as `reference-registry.ts` lists it. Everything but `create`, which loads the code, is plain data. */
export interface ReferenceDeclaration<
  Settings extends ConnectorSettings = ConnectorSettings,
  AccountSettings extends ConnectorSettings = ConnectorSettings
> {
  /** Name for operators, shared with the connector of the same vendor. */
  readonly name: string
  readonly provides: readonly ReferenceCapability[]
  /** Terms that an operator must know before serving this data to others. */
  readonly terms: string
  /** Its settings by flag, each beginning with its name. */
  readonly settings: Settings
  /** Settings of the connector of the same name that it reads too, for an account that both use. */
  readonly account?: AccountSettings
  /** Reason why it cannot be created, as a sentence for the operator; undefined if it can. */
  refusal?(values: SettingValuesOf<Settings & AccountSettings>): string | undefined
  create(values: SettingValuesOf<Settings & AccountSettings>, use: ReferenceUse): Promise<ReferenceSource>
}
