import type { Config } from '../config/config.ts'
import type { Setting } from '../connectors/port/setting.ts'
import type { Terminal } from './terminal.ts'

export interface Invocation {
  readonly config: Config
  /**
   * Arguments that are not flags: one for each name in the command's `positionals`, and more if the command has a
   * `rest`.
   */
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
  readonly terminal: Terminal
}

export interface CliCommand {
  /** The words that the user types, such as `keys create`. */
  readonly name: string
  readonly positionals: readonly string[]
  /** Name of a further argument that may be given several times, after the positionals. */
  readonly rest?: string
  /** Set if the command also works without the arguments in `rest`. */
  readonly restIsOptional?: true
  readonly summary: string
  /** Flags that only this command has. Service settings that it also accepts are in `settings`. */
  readonly flags: Readonly<Record<string, Setting>>
  readonly settings: Readonly<Record<string, Setting>>
  readonly run: (invocation: Invocation) => Promise<void>
}

/** Name that the audit trail records for changes made by commands. */
export const ACTOR = 'command line'

export function tabulate(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}

export function asJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
