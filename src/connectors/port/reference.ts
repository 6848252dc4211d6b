import type { DailyBar } from '../../market/bar.ts'
import type { Dividend } from '../../market/dividend.ts'
import type { EarningsStatement, ReportFiled } from '../../market/earnings.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { AnswerListener } from './capture/capture.ts'
import type { RequestBudget } from './http/request-budget.ts'
import type { ConnectorSettings, SettingValuesOf } from './setting.ts'

/** Reference data that changes about once a day: interest rates, macro series, earnings dates and dividends. */
export const referenceCapabilities = ['rates', 'macro', 'earnings', 'dividends'] as const

export type ReferenceCapability = (typeof referenceCapabilities)[number]

/** An earnings date or result as the source states it, without the time at which we read it. */
export type ReportStated = Omit<EarningsStatement, 'knownFrom'>

/**
 * One item read from a reference source: values of a series or index by day, earnings dates, filed reports, or a
 * share's dividends.
 */
export type Stated =
  | { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }
  | { readonly earnings: readonly ReportStated[] }
  | { readonly filings: readonly ReportFiled[] }
  | { readonly symbol: Ticker; readonly dividends: readonly Dividend[] }

export interface ReferenceAsked {
  readonly now: Instant
  readonly from: IsoDate
  readonly symbols: readonly Ticker[]
}

/**
 * A source of reference data. What it states is written to the archive like an import, with the time from which it was
 * known, and is read from there. No user request ever waits for this source.
 */
export interface ReferenceSource {
  readonly name: string
  /** Minimum time between two reads of the source, milliseconds. */
  readonly every: number
  readonly budget?: Pick<RequestBudget, 'perMinute' | 'given' | 'maxParallel'>
  /**
   * Yields everything that the source states now, one item after another. Throws a `SourceError` if an item cannot be
   * read.
   */
  read(asked: ReferenceAsked, signal: AbortSignal): AsyncIterable<Stated>
}

export interface ReferenceUse {
  readonly capabilities: readonly ReferenceCapability[]
  /** Receives every raw HTTP response, see `HttpSource`. */
  readonly onAnswer: AnswerListener | undefined
}

/**
 * Describes a reference source for `reference-registry.ts`. Everything but `create`, which loads the code, is plain
 * data.
 */
export interface ReferenceDeclaration<
  Settings extends ConnectorSettings = ConnectorSettings,
  AccountSettings extends ConnectorSettings = ConnectorSettings
> {
  /** Name by which operators choose the source, e.g. `massive`. A connector of the same vendor has the same name. */
  readonly name: string
  readonly provides: readonly ReferenceCapability[]
  /** Terms that an operator must know before passing this data on to others. */
  readonly terms: string
  /** Settings of the reference source, each under the name of its flag. The name begins with the source's name. */
  readonly settings: Settings
  /**
   * Settings that this reference source reads from the connector of the same vendor, because both use one vendor
   * account.
   */
  readonly account?: AccountSettings
  /** Returns why the reference source cannot be created, as a sentence for the operator; undefined if it can. */
  refusal?(values: SettingValuesOf<Settings & AccountSettings>): string | undefined
  create(values: SettingValuesOf<Settings & AccountSettings>, use: ReferenceUse): Promise<ReferenceSource>
}
