import type { SettingValues } from '../connectors/port/declaration.ts'
import type { ConnectorSetting, Setting } from '../connectors/port/setting.ts'
import { type GivenText, readText } from './given-text.ts'
import { fileNameOf, fileSettingOf, readSecret } from './secret.ts'

export type GivenTexts = ReadonlyMap<string, GivenText>

interface Declared {
  readonly settings: Readonly<Record<string, ConnectorSetting>>
}

/**
 * Settings that connectors or reference sources declare, by name. Each secret gets a second setting: the path of a file
 * that contains it.
 */
export function settingsOf(declared: readonly Declared[]): Readonly<Record<string, Setting>> {
  return Object.fromEntries(declared.flatMap(({ settings }) => Object.entries(settings).flatMap(withFile)))
}

function withFile([name, setting]: [string, ConnectorSetting]): [string, Setting][] {
  return setting.secret === undefined ? [[name, setting]] : [[name, setting], fileSettingOf(name, setting)]
}

/** Reads the values of the settings of connectors or reference sources, defaults included. */
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

/**
 * How the user gave a setting (such as --port) to a connector or reference source that is not in use; undefined if the
 * user did not give it.
 */
export function idleLabel(given: GivenTexts, name: string, { secret }: ConnectorSetting): string | undefined {
  // A secret in an environment variable does not count, because several commands share one environment.
  return given.get(secret ? fileNameOf(name) : name)?.label
}
