/**
 * A setting as the help text shows it. Its key is the name of the flag. The environment variable ends with that name in
 * capitals.
 */
export interface Setting {
  /**
   * Placeholder for the value after the flag in the help text, e.g. `<url>`. A setting without a placeholder is a
   * switch.
   */
  readonly value?: string
  readonly help: string
  readonly fallback?: string
  /**
   * Marks a key or password. It is read from its environment variable, or from a file whose path the flag with `-file`
   * appended gives. It is never read from the flag itself, and no message shows it.
   */
  readonly secret?: true
}

/** A parsed setting: plain data that can be sent to a worker. */
export type SettingValue = string | number | boolean

export interface ConnectorSetting<Value extends SettingValue = SettingValue> extends Setting {
  readonly parse: (text: string) => Value | undefined
  /** Describes what `parse` accepts, as the end of a sentence: 'a folder or file that exists'. */
  readonly expected: string
  /** Marks a setting without which the connector cannot work. Never used for secrets. */
  readonly needed?: true
  /** Marks a setting that commands read too. It may therefore be given while another connector is in use. */
  readonly sharedWithCommands?: true
}

export type ConnectorSettings = Readonly<Record<string, ConnectorSetting>>

/** The parsed values of settings; a value is undefined if neither a text nor a fallback was given. */
export type SettingValuesOf<Settings extends ConnectorSettings> = {
  readonly [Name in keyof Settings]:
    | (Settings[Name] extends ConnectorSetting<infer Value> ? Value : never)
    | (Settings[Name] extends { readonly fallback: string } ? never : undefined)
}
