/** A setting as the help text shows it. Its name is the flag and, in capitals, the end of the environment variable. */
export interface Setting {
  /** Placeholder after the flag in the help text; a setting without a placeholder is a switch. */
  readonly value?: string
  readonly help: string
  readonly fallback?: string
  /**
   * Marks a key or password. It is read from its environment variable, or from the file named by the setting with
   * `-file` appended, never from a flag; no message shows it.
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
  /** Marks a setting that commands read too, so that it may be given while another connector is in use. */
  readonly sharedWithCommands?: true
}

export type ConnectorSettings = Readonly<Record<string, ConnectorSetting>>

/** The parsed values of settings; a value is undefined if neither a text nor a fallback was given. */
export type SettingValuesOf<Settings extends ConnectorSettings> = {
  readonly [Name in keyof Settings]:
    | (Settings[Name] extends ConnectorSetting<infer Value> ? Value : never)
    | (Settings[Name] extends { readonly fallback: string } ? never : undefined)
}
