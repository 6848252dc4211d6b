import { variableOf } from '../config/settings.ts'
import type { Setting } from '../connectors/port/setting.ts'
import type { CliCommand } from './command.ts'

/** Help text of `gammawall --help`, or of a group of commands as in `gammawall keys --help`. */
export function overview(commands: readonly CliCommand[]): string {
  const width = Math.max(...commands.map((command) => usage(command).length))
  return [
    'Usage: gammawall <command> [settings]',
    '',
    ...commands.map((command) => `  ${usage(command).padEnd(width)}  ${command.summary}`),
    '',
    'gammawall help <command> lists the settings of a command; gammawall --version prints the version.'
  ].join('\n')
}

/** Help text of one command, as in `gammawall keys create --help`. */
export function manual(command: CliCommand): string {
  const flags = Object.entries<Setting>({ ...command.flags, ...command.settings })
  const left = flags.map(([name, { value, secret }]) =>
    secret ? variableOf(name) : `--${name}${value === undefined ? '' : ` <${value}>`}`
  )
  const width = Math.max(...left.map((text) => text.length))
  return [
    `Usage: gammawall ${usage(command)} [settings]`,
    '',
    `${command.summary[0].toUpperCase()}${command.summary.slice(1)}.`,
    '',
    ...flags.map(([, setting], i) => `  ${left[i].padEnd(width)}  ${described(setting)}`),
    '',
    `Settings can also be given as variables: ${variableOf('data')} for --data. A flag wins over a variable.`
  ].join('\n')
}

function usage(command: CliCommand): string {
  const rest =
    command.rest === undefined ? [] : [command.restIsOptional ? `[<${command.rest}>...]` : `<${command.rest}>...`]
  return [command.name, ...command.positionals.map((positional) => `<${positional}>`), ...rest].join(' ')
}

function described({ help, fallback = '' }: Setting): string {
  return fallback === '' ? help : `${help} (default: ${fallback})`
}
