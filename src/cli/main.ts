import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { packageVersion } from '../config/package.ts'
import { useRenames } from '../market/renames.ts'
import { parseArguments } from './arguments.ts'
import type { CliCommand } from './command.ts'
import { allCommands, commandsUnder } from './commands.ts'
import { sentenceFor } from './failure.ts'
import { manual, overview } from './help.ts'
import { type Terminal, thisTerminal } from './terminal.ts'

/** Runs one command line (without the program's name) and returns the exit code: 0 on success, otherwise 1. */
export async function main(argv: readonly string[], terminal: Terminal = thisTerminal()): Promise<number> {
  process.umask(0o077) // whatever a command writes is its owner's, also what the database writes for it
  try {
    await run(argv, terminal)
    return 0
  } catch (error) {
    terminal.err(sentenceFor(error))
    return 1
  }
}

async function run(argv: readonly string[], terminal: Terminal): Promise<void> {
  if (argv[0] === 'help') return run([...argv.slice(1), '--help'], terminal)
  const named = await commandsUnder(argv[0])
  const command = named.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name)
  const wantsHelp = argv.includes('--help') || argv.includes('-h')
  if (command !== undefined && wantsHelp) return terminal.out(manual(command))
  if (command !== undefined)
    return command.run(invocation(command, argv.slice(command.name.split(' ').length), terminal))

  if (argv[0] === '--version' || argv[0] === '-v') return terminal.out(packageVersion())
  const isGroup = named.length > 0
  const offered = isGroup ? named : await allCommands()
  if (wantsHelp) return terminal.out(overview(offered))
  const choice = offered.map(({ name }) => name).join(', ')
  const asked = argv.slice(0, isGroup ? 2 : 1).join(' ')
  throw new ConfigError([asked === '' ? `name a command: ${choice}` : `${asked} is an unknown command: use ${choice}`])
}

function invocation(command: CliCommand, argv: readonly string[], terminal: Terminal) {
  const { positionals, flags, problems: unreadable } = parseArguments(argv, { ...command.flags, ...command.settings })
  const problems = [...unreadable]
  const { rest, restIsOptional = false } = command
  const wanted = rest === undefined || restIsOptional ? command.positionals : [...command.positionals, rest]
  for (const missing of wanted.slice(positionals.length)) problems.push(`${command.name} needs <${missing}>`)
  // After an unknown flag, an extra argument is most likely the flag's value, so it is not reported as a second
  // mistake.
  const extras = unreadable.length > 0 || rest !== undefined ? [] : positionals.slice(command.positionals.length)
  for (const extra of extras) problems.push(`${extra} is an unexpected argument`)
  const given = Object.entries(flags).filter(([name]) => Object.hasOwn(command.settings, name))
  const config = configOf(Object.fromEntries(given), terminal, problems)
  return { config, positionals, flags, terminal }
}

/**
 * Reads the settings. Throws one error that lists all problems: first those of the command line, then those of the
 * settings.
 */
function configOf(flags: Readonly<Record<string, unknown>>, { env }: Terminal, problems: readonly string[]): Config {
  try {
    const config = readConfig(flags, env)
    useRenames(config.renames)
    if (problems.length === 0) return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([...problems, ...error.problems])
  }
  throw new ConfigError(problems)
}
