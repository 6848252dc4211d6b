import type { DailyBar } from '../../market/bar.ts'
import type { Dividend } from '../../market/dividend.ts'
import type { EarningsStatement, ReportFiled } from '../../market/earnings.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { AnswerListener } from './capture/capture.ts'
import type { RequestBudget } from './http/request-budget.ts'
import type { ConnectorSettings, SettingValuesOf } from './setting.ts'

/**
 * What is stated beside the market, once a day or so: what money costs, the wider market, the reports of companies and what
 * they pay.
 */
export const referenceCapabilities = ['rates', 'macro', 'earnings', 'dividends'] as const

export type ReferenceCapability = (typeof referenceCapabilities)[number]

/** What is said of a report; it counts from when it was taken from its source, which does not know that. */
export type ReportStated = Omit<EarningsStatement, 'knownFrom'>

/**
 * What a reference states: values of a series or of an index by their day, what is said of reports, which were filed, or what a
 * share pays.
 */
export type Stated =
  | { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }
  | { readonly earnings: readonly ReportStated[] }
  | { readonly filings: readonly ReportFiled[] }
  | { readonly symbol: Ticker; readonly dividends: readonly Dividend[] }

export interface ReferenceAsked {
  /** The wall clock as the reading begins. */
  readonly now: Instant
  /** The first day of which values are wanted. */
  readonly from: IsoDate
  /** Whose dividends and filings are wanted. */
  readonly symbols: readonly Ticker[]
}

/**
 * A source of references. What it states goes into the archive as an import would, and is read from there under the same
 * rules of when it was out: it answers nobody itself, so none waits for it.
 */
export interface ReferenceSource {
  readonly name: string
  /** The least time between two readings, milliseconds. */
  readonly every: number
  readonly budget?: Pick<RequestBudget, 'perMinute' | 'given' | 'maxParallel'>
  /** Everything it states now, part by part. A part that cannot be had ends it with a `SourceError`. */
  read(asked: ReferenceAsked, signal: AbortSignal): AsyncIterable<Stated>
}

/** What a reference is created for. */
export interface ReferenceUse {
  /** What it will be asked for. */
  readonly capabilities: readonly ReferenceCapability[]
  /** Told of every answer as it came over HTTP, see `HttpSource`. */
  readonly onAnswer: AnswerListener | undefined
}

/** A reference as `reference-registry.ts` lists it: plain data, but for `create`, which loads its code. */
export interface ReferenceDeclaration<
  Settings extends ConnectorSettings = ConnectorSettings,
  AccountSettings extends ConnectorSettings = ConnectorSettings
> {
  /** As an operator names it. A connector of the same vendor has the same name. */
  readonly name: string
  readonly provides: readonly ReferenceCapability[]
  /** What an operator must know before serving this data to others. */
  readonly terms: string
  /** Its flags, each with its name before it. */
  readonly settings: Settings
  /** Settings of the connector of the same name that it reads too: those of an account that both use. */
  readonly account?: AccountSettings
  /** Why it cannot be created, as a sentence for the operator. Undefined where it can. */
  refusal?(values: SettingValuesOf<Settings & AccountSettings>): string | undefined
  create(values: SettingValuesOf<Settings & AccountSettings>, use: ReferenceUse): Promise<ReferenceSource>
}
