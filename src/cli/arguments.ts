import { parseArgs } from 'node:util'
import { unknownSetting } from '../config/settings.ts'
import type { Setting } from '../connectors/port/setting.ts'

/** A parsed command line. Values are still text; each command converts the ones that it needs. */
export interface Arguments {
  readonly positionals: readonly string[]
  /** Values of flags by name without the dashes; true for a flag without a value. */
  readonly flags: Readonly<Record<string, string | true>>
  /** One sentence for each flag that is unknown, repeated or lacks its value. */
  readonly problems: readonly string[]
}

/** Parses the arguments after the command name. `known` holds the flags of the command. */
export function parseArguments(argv: readonly string[], known: Readonly<Record<string, Setting>>): Arguments {
  const types = Object.entries(known).map(([name, { value }]) => {
    return [name, { type: value === undefined ? 'boolean' : 'string' }] as const
  })
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true
  })
  const names = [...Object.keys(known), 'help']
  const positionals: string[] = []
  const flags: Record<string, string | true> = {}
  const problems: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(known, name)) problems.push(unknownSetting(rawName, '--', names))
    else if (Object.hasOwn(flags, name)) problems.push(`${rawName} is given more than once`)
    else if (known[name].value === undefined) flags[name] = value ?? true
    else if (value === undefined || (!inlineValue && value.startsWith('--'))) problems.push(`${rawName} needs a value`)
    else flags[name] = value
  }
  return { positionals, flags, problems }
}
