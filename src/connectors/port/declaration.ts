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
  /** Moment for which data is returned; undefined for the newest data. Only sources with past data use it. */
  readonly asOf: Instant | undefined
  readonly budget: SharedArrayBuffer
  /** Receives every raw HTTP response, see `HttpSource`. */
  readonly onAnswer: AnswerListener | undefined
  readonly onFrame?: FrameListener | undefined
  /** Counts the payloads that a WebAssembly reader accepted or refused. */
  readonly scans?: ScanCounts | undefined
}

/**
 * Describes a connector for `registry.ts`. Everything but `create` is plain data; `create` loads the code, so that a
 * command that needs no market does not load it.
 */
export interface ConnectorDeclaration<Settings extends ConnectorSettings = ConnectorSettings> {
  /** Name by which operators choose the connector, e.g. `cboe`: lower-case letters, digits and dashes. */
  readonly name: string
  readonly provides: readonly Capability[]
  /** True if all figures are made up. They are never mixed with real ones. */
  readonly synthetic: boolean
  /**
   * Parameters of a made-up market: the exercise style of all options, and the only interest rate, an annual fraction.
   */
  readonly made?: { readonly exercise: ExerciseStyle; readonly rate: number }
  /** Terms that an operator must know before passing this data on to others. */
  readonly terms: string
  /**
   * Settings of the connector, each under the name of its flag. The name begins with the connector's name if another
   * connector might have the same flag.
   */
  readonly settings: Settings
  /** Returns why the connector cannot be created for this use, as a sentence for the operator; undefined if it can. */
  refusal?(values: SettingValuesOf<Settings>, use: Pick<ConnectorUse, 'capabilities' | 'asOf'>): string | undefined
  create(values: SettingValuesOf<Settings>, use: ConnectorUse): Promise<Connector>
}

export type SettingValues = Readonly<Record<string, SettingValue | undefined>>

/** Which connector supplies what, and with which settings. Plain data that every worker receives. */
export interface SourceSettings {
  /** Connector names for each capability, separated by commas, in the order in which the sources are tried. */
  readonly sources: Readonly<Record<ServedCapability, string>>
  readonly values: SettingValues
  readonly asOf: Instant | undefined
  /**
   * Shared memory of the request budgets, by source name. If undefined, each connector counts only its own requests.
   */
  readonly budgets?: Readonly<Record<string, SharedArrayBuffer>>
  /** Folder in which raw vendor responses are recorded, with secrets masked; undefined to record none. */
  readonly capture?: CapturePlace | undefined
  /** Counts the payloads that a WebAssembly reader accepted or refused. */
  readonly scans?: ScanCounts | undefined
  /** The place at which members share chains, and whether this one collects them; undefined if it shares none. */
  readonly shared?: SharedChains | undefined
}

export interface SharedChains {
  /** Address of a Redis or Valkey server. */
  readonly address: string
  /** Beginning of all keys there. */
  readonly prefix: string
  readonly collects: boolean
  /** Number of times that another collector took the lead until this one did; absent for a service that is no collector. */
  readonly fence?: number
}

export function namesIn(text: string): readonly string[] {
  return text.split(',')
}
