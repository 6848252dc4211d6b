import type { ExerciseStyle } from '../../market/security.ts'
import type { Instant } from '../../market/units.ts'
import type { Capability, ServedCapability } from './capability.ts'
import type { AnswerListener, FrameListener } from './capture/capture.ts'
import type { CapturePlace } from './capture/capture-place.ts'
import type { Connector } from './connector.ts'
import type { ScanCounts } from './scans.ts'
import type { ConnectorSettings, SettingValue, SettingValuesOf } from './setting.ts'

/** What a connector is created for. */
export interface ConnectorUse {
  /** What it will be asked for. */
  readonly capabilities: readonly ServedCapability[]
  /** The moment to answer from, the newest where undefined. Only a source that holds the past reads it. */
  readonly asOf: Instant | undefined
  /** Where its requests are counted, see `RequestBudget`: one place for all threads. */
  readonly budget: SharedArrayBuffer
  /** Told of every answer as it came over HTTP, see `HttpSource`. */
  readonly onAnswer: AnswerListener | undefined
  /** Told of every frame of a stream as it came; undefined: nobody wants to know. */
  readonly onFrame?: FrameListener | undefined
  /** Counts the payloads that a WebAssembly reader took or refused. */
  readonly scans?: ScanCounts | undefined
}

/**
 * A connector as `registry.ts` lists it: everything that is said of it before it is created is plain data. `create`
 * loads its code, so a command that needs no market does not.
 */
export interface ConnectorDeclaration<Settings extends ConnectorSettings = ConnectorSettings> {
  /** As an operator names it: lower-case letters, digits and dashes. */
  readonly name: string
  readonly provides: readonly Capability[]
  /** True when its figures are made up. They are never mixed with real ones. */
  readonly synthetic: boolean
  /** What a made-up market was made with: the exercise of all its options and the one rate, an annual fraction. */
  readonly made?: { readonly exercise: ExerciseStyle; readonly rate: number }
  /** What an operator must know before serving this data to others. */
  readonly terms: string
  /** Its flags, each with the name of its connector before it where another might want the same name. */
  readonly settings: Settings
  /** Why it cannot be created for this use, as a sentence for the operator. Undefined where it can. */
  refusal?(values: SettingValuesOf<Settings>, use: Pick<ConnectorUse, 'capabilities' | 'asOf'>): string | undefined
  create(values: SettingValuesOf<Settings>, use: ConnectorUse): Promise<Connector>
}

/** The values of settings of any connectors, by the name of their flag. */
export type SettingValues = Readonly<Record<string, SettingValue | undefined>>

/** Which connector supplies what, and with which settings, as plain data: it is handed to every worker. */
export interface SourceSettings {
  /** The names of the connectors for each capability, one or several by commas, in the order in which they are asked. */
  readonly sources: Readonly<Record<ServedCapability, string>>
  readonly values: SettingValues
  /** The moment to answer from, see `ConnectorUse`. */
  readonly asOf: Instant | undefined
  /** Where requests are counted, by the name of the source; for each connector apart where undefined. */
  readonly budgets?: Readonly<Record<string, SharedArrayBuffer>>
  /** The folder in which raw answers are kept, secrets masked; none are where undefined. */
  readonly capture?: CapturePlace | undefined
  /** See `ConnectorUse`. */
  readonly scans?: ScanCounts | undefined
}

/** The connectors that a text of `SourceSettings.sources` names. */
export function namesIn(text: string): readonly string[] {
  return text.split(',')
}
