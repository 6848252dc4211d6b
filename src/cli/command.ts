import type { Config } from '../config/config.ts'
import type { Setting } from '../connectors/port/setting.ts'

/** Where a command writes: results go out, everything else to err. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Writes a line in place of the one it wrote before; present on a terminal only. An empty line ends it. */
  readonly rewrite?: (line: string) => void
  /** Asks the person at the terminal and resolves to the line that was typed; present where there is somebody. */
  readonly ask?: (question: string) => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves once the reader of the results has gone. */
  readonly left?: Promise<void>
  /** Present where results go to a terminal that shows them. */
  readonly screen?: Screen | undefined
}

/** A terminal whose lines can be rewritten. */
export interface Screen {
  readonly write: (text: string) => void
  /** As they are now: a window changes. */
  readonly columns: number
  readonly lines: number
}

export interface Invocation {
  readonly config: Config
  /** As many as the command's `positionals`, and more where it has a `rest`. */
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
  readonly terminal: Terminal
}

export interface Command {
  /** As it is typed: 'keys create'. */
  readonly name: string
  readonly positionals: readonly string[]
  /** What follows the positionals, once or more often. */
  readonly rest?: string
  /** The command does something without it too. */
  readonly restIsOptional?: true
  readonly summary: string
  /** Its own flags, beside the settings named in `settings`. */
  readonly flags: Readonly<Record<string, Setting>>
  readonly settings: Readonly<Record<string, Setting>>
  /** Throws when it cannot do what it was asked. */
  readonly run: (invocation: Invocation) => Promise<void>
}

/** Who acts, in the audit trail. */
export const ACTOR = 'command line'

/** Rows as columns of text under a heading. */
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

/** JSON as the commands print it with --json. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
