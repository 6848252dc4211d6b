import type { SettingValues } from '../connectors/port/declaration.ts'
import type { ConnectorSetting, Setting } from '../connectors/port/setting.ts'
import { type GivenText, readText } from './given-text.ts'
import { fileNameOf, fileSettingOf, readSecret } from './secret.ts'

export type GivenTexts = ReadonlyMap<string, GivenText>

/** What a source or a reference declares of itself. */
interface Declared {
  readonly settings: Readonly<Record<string, ConnectorSetting>>
}

/** The settings of sources or references, in their order. A secret may lie in a file too. */
export function settingsOf(declared: readonly Declared[]): Readonly<Record<string, Setting>> {
  return Object.fromEntries(declared.flatMap(({ settings }) => Object.entries(settings).flatMap(withFile)))
}

function withFile([name, setting]: [string, ConnectorSetting]): [string, Setting][] {
  return setting.secret === undefined ? [[name, setting]] : [[name, setting], fileSettingOf(name, setting)]
}

/** What was given for the settings of sources or references, else what they fall back to. */
export function readValues(given: GivenTexts, declared: readonly Declared[], problems: string[]): SettingValues {
  const values = declared.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, { parse, expected, fallback, secret = false }]) => {
      const value = secret
        ? readSecret(given.get(name), given.get(fileNameOf(name)), parse, expected, problems)
        : readText(given.get(name), parse, expected, problems)
      return [name, value ?? (fallback === undefined ? undefined : parse(fallback))] as const
    })
  )
  return Object.fromEntries(values)
}

/** The label under which a setting was given to a source or reference that is not in use; undefined where it was not. */
export function idleLabel(given: GivenTexts, name: string, { secret }: ConnectorSetting): string | undefined {
  // The variable of a secret is part of an environment that several commands share.
  return given.get(secret ? fileNameOf(name) : name)?.label
}
