import type { ExerciseStyle } from '../../market/security.ts'
import type { Instant } from '../../market/units.ts'
import type { Capability, ServedCapability } from './capability.ts'
import type { AnswerListener, FrameListener } from './capture/capture.ts'
import type { CapturePlace } from './capture/capture-place.ts'
import type { Connector } from './connector.ts'
import type { ScanCounts } from './scans.ts'
import type { ConnectorSettings, SettingValue, SettingValuesOf } from './setting.ts'

export interface ConnectorUse {
  readonly capabilities: readonly ServedCapability[]
  /** The moment to answer from; the newest if undefined. Only sources that hold the past read it. */
  readonly asOf: Instant | undefined
  /** Memory of its `RequestBudget`, shared by all threads. */
  readonly budget: SharedArrayBuffer
  /** Receives every HTTP answer as it came, see `HttpSource`. */
  readonly onAnswer: AnswerListener | undefined
  /** Receives every frame of a stream as it came. */
  readonly onFrame?: FrameListener | undefined
  /** Counts the payloads that a WebAssembly reader took or refused. */
  readonly scans?: ScanCounts | undefined
}

/**
 * A connector as `registry.ts` lists it. Everything but `create` is plain data; `create` loads the code, so that a
 * command which needs no market does not load it.
 */
export interface ConnectorDeclaration<Settings extends ConnectorSettings = ConnectorSettings> {
  /** Name for operators: lower-case letters, digits and dashes. */
  readonly name: string
  readonly provides: readonly Capability[]
  /** True if its figures are made up. They are never mixed with real ones. */
  readonly synthetic: boolean
  /**
   * Parameters of a made-up market: how all its options are exercised, and its only interest rate, an annual fraction.
   */
  readonly made?: { readonly exercise: ExerciseStyle; readonly rate: number }
  /** Terms that an operator must know before serving this data to others. */
  readonly terms: string
  /**
   * Its settings by flag. A flag begins with the name of the connector if another connector might want the same one.
   */
  readonly settings: Settings
  /** Reason why it cannot be created for this use, as a sentence for the operator; undefined if it can. */
  refusal?(values: SettingValuesOf<Settings>, use: Pick<ConnectorUse, 'capabilities' | 'asOf'>): string | undefined
  create(values: SettingValuesOf<Settings>, use: ConnectorUse): Promise<Connector>
}

/** Values of the settings of any connectors, by flag. */
export type SettingValues = Readonly<Record<string, SettingValue | undefined>>

/** Which connector supplies what, and with which settings. Plain data that every worker receives. */
export interface SourceSettings {
  /** Names of the connectors for each capability, separated by commas, in the order in which they are asked. */
  readonly sources: Readonly<Record<ServedCapability, string>>
  readonly values: SettingValues
  /** The moment to answer from, see `ConnectorUse`. */
  readonly asOf: Instant | undefined
  /** Memory of the request budgets by source name; undefined if each connector counts for itself. */
  readonly budgets?: Readonly<Record<string, SharedArrayBuffer>>
  /** Folder in which raw answers are recorded, with secrets masked; undefined to record none. */
  readonly capture?: CapturePlace | undefined
  /** Counts the payloads that a WebAssembly reader took or refused. */
  readonly scans?: ScanCounts | undefined
}

/** Connector names in a text of `SourceSettings.sources`. */
export function namesIn(text: string): readonly string[] {
  return text.split(',')
}
