import type { Brand } from '../api/brand/brand.ts'
import type { Plans } from '../api/plan.ts'
import type { Rename } from '../market/renames.ts'
import { ConfigError } from './config.ts'
import { readLogLevel } from './log-level.ts'
import { readPlans } from './plans.ts'
import { type Presets, readPresets } from './presets.ts'
import type { LogLevel } from './settings.ts'
import { readBrand } from './stated-brand.ts'
import { readRenames } from './stated-renames.ts'

/** The settings that are read again while the service runs, and where they are read from. */
export interface RereadFiles {
  readonly data: string
  /** Path of the plans, if another than `plans.json` of the data folder was given. */
  readonly plansFile: string | undefined
  readonly presetsFile: string | undefined
  /** Log level of flag or variable, for a data folder without the file `log-level`. */
  readonly statedLogLevel: LogLevel
}

export interface RereadSettings {
  readonly plans: Plans
  readonly presets: Presets
  readonly renames: readonly Rename[]
  readonly brand: Brand
  readonly logLevel: LogLevel
}

/** Reads the settings that may change while the service runs. Throws one ConfigError with every mistake and its line. */
export function rereadSettings({ data, plansFile, presetsFile, statedLogLevel }: RereadFiles): RereadSettings {
  const problems: string[] = []
  const read = {
    plans: readPlans(plansFile, data, problems),
    presets: readPresets(presetsFile, data, problems),
    renames: readRenames(data, problems),
    brand: readBrand(data, problems),
    logLevel: readLogLevel(data, problems) ?? statedLogLevel
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return read
}
