/** How a setting is shown in the help text. Its name is its flag, and in capitals the end of its variable. */
export interface Setting {
  /** What stands behind the flag in the help text; a setting without one is a switch. */
  readonly value?: string
  readonly help: string
  readonly fallback?: string
  /**
   * A key or a password: it is read from its variable, or from the file that the setting of the same name with `-file`
   * behind it names, never from a flag, and no sentence shows it.
   */
  readonly secret?: true
}

/** What a setting may be, once read: plain data that can be handed to a worker. */
export type SettingValue = string | number | boolean

/** A setting of a connector, with the way its text is read. */
export interface ConnectorSetting<Value extends SettingValue = SettingValue> extends Setting {
  /** Undefined for a text that the setting does not take. */
  readonly parse: (text: string) => Value | undefined
  /** What `parse` takes, as the end of a sentence: 'a folder or file that exists'. */
  readonly expected: string
  /** Nothing can be asked without it, and it is no secret. */
  readonly needed?: true
  /** A command reads it too, whatever the source is, so it may be given while another connector is in use. */
  readonly sharedWithCommands?: true
}

/** Settings by the name of their flag. */
export type ConnectorSettings = Readonly<Record<string, ConnectorSetting>>

/** What the settings are once read: undefined where neither a text nor a fallback was given. */
export type SettingValuesOf<Settings extends ConnectorSettings> = {
  readonly [Name in keyof Settings]:
    | (Settings[Name] extends ConnectorSetting<infer Value> ? Value : never)
    | (Settings[Name] extends { readonly fallback: string } ? never : undefined)
}
