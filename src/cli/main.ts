import { type Config, ConfigError, readConfig } from '../config.ts'
import { packageVersion } from '../version.ts'
import { parseArguments } from './arguments.ts'
import type { Command, Terminal } from './command.ts'
import { sentenceFor } from './failure.ts'
import { manual, overview } from './help.ts'
import { keyCommands } from './keys.ts'
import { serveCommand } from './serve.ts'
import { userCommands } from './users.ts'

const commands: readonly Command[] = [serveCommand, ...keyCommands, ...userCommands]

const thisTerminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  env: process.env
}

/** Runs one command line, without the program's name, and returns the exit code: 0 when it was carried out, else 1. */
export async function main(argv: readonly string[], terminal: Terminal = thisTerminal): Promise<number> {
  try {
    await run(argv, terminal)
    return 0
  } catch (error) {
    terminal.err(sentenceFor(error))
    return 1
  }
}

async function run(argv: readonly string[], terminal: Terminal): Promise<void> {
  const command = commands.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name)
  const wantsHelp = argv.includes('--help') || argv.includes('-h')
  if (command !== undefined && wantsHelp) return terminal.out(manual(command))
  if (command !== undefined)
    return command.run(invocation(command, argv.slice(command.name.split(' ').length), terminal))

  if (argv[0] === '--version' || argv[0] === '-v') return terminal.out(packageVersion())
  const group = commands.filter(({ name }) => name.startsWith(`${argv[0]} `))
  if (wantsHelp) return terminal.out(overview(group.length > 0 ? group : commands))
  const choice = (group.length > 0 ? group : commands).map(({ name }) => name).join(', ')
  const asked = argv.slice(0, group.length > 0 ? 2 : 1).join(' ')
  throw new ConfigError([asked === '' ? `name a command: ${choice}` : `${asked} is an unknown command: use ${choice}`])
}

function invocation(command: Command, argv: readonly string[], terminal: Terminal) {
  const { positionals, flags, faults } = parseArguments(argv, { ...command.flags, ...command.settings })
  const problems = [...faults]
  for (const missing of command.positionals.slice(positionals.length))
    problems.push(`${command.name} needs <${missing}>`)
  // What follows an unknown flag is most likely its value: it is no second mistake.
  const extras = faults.length > 0 ? [] : positionals.slice(command.positionals.length)
  for (const extra of extras) problems.push(`${extra} is an unexpected argument`)
  const given = Object.entries(flags).filter(([name]) => Object.hasOwn(command.settings, name))
  const config = configOf(Object.fromEntries(given), terminal, problems)
  return { config, positionals, flags, terminal }
}

/** Everything that is wrong with a command line is told at once: its own faults, then those of the settings. */
function configOf(flags: Readonly<Record<string, unknown>>, { env }: Terminal, problems: readonly string[]): Config {
  try {
    const config = readConfig(flags, env)
    if (problems.length === 0) return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([...problems, ...error.faults])
  }
  throw new ConfigError(problems)
}
