import { ConfigError } from '../config/config.ts'
import type { Setting } from '../connectors/port/setting.ts'
import type { CliCommand } from './command.ts'

/** Words that may follow a beginning of the command line, each with a description. */
interface Choice {
  /** Words typed before, without the program; '' for none. */
  readonly after: string
  /** Whether the choice holds wherever these words come first, or only directly after them. */
  readonly anywhere: boolean
  readonly words: readonly Word[]
}

interface Word {
  readonly text: string
  readonly help: string
  /** Whether the word is a flag that needs a value. */
  readonly needsValue: boolean
}

const scripts: Readonly<Record<string, (choices: readonly Choice[]) => string>> = { bash, zsh, fish }
const shells = Object.keys(scripts).join(', ')

export const completionsCommand: CliCommand = {
  name: 'completions',
  positionals: ['shell'],
  summary: `print a script that completes commands and settings in a shell: ${shells}`,
  flags: {},
  settings: {},
  async run({ positionals: [shell], terminal }) {
    const { allCommands } = await import('./commands.ts') // loaded late, because that list names this file
    terminal.out(completionScript(shell, await allCommands()))
  }
}

/** Script for a shell made from the declared commands and their flags. Throws a ConfigError for an unknown shell. */
export function completionScript(shell: string, commands: readonly CliCommand[]): string {
  if (!Object.hasOwn(scripts, shell)) throw new ConfigError([`${shell} is no shell known here: use ${shells}`])
  return scripts[shell](choicesOf(commands))
}

/** All choices; the longest beginning comes first, so that the first that fits is the right one. */
function choicesOf(commands: readonly CliCommand[]): readonly Choice[] {
  const nexts = new Map<string, Map<string, string>>([['', new Map([['help', 'show the settings of a command']])]])
  for (const { name, summary } of commands) {
    const words = name.split(' ')
    words.forEach((word, k) => {
      const before = words.slice(0, k).join(' ')
      const group = k < words.length - 1 ? `commands for ${word}` : summary
      const next = nexts.get(before) ?? new Map<string, string>()
      nexts.set(before, next.has(word) ? next : next.set(word, group))
    })
  }
  const groups = [...nexts].flatMap(([before, next]): Choice[] => {
    const words = [...next].map(([text, help]) => ({ text, help, needsValue: false }))
    const asked = before === '' ? 'help' : `help ${before}`
    return [
      { after: before, anywhere: false, words },
      { after: asked, anywhere: false, words: words.filter(({ text }) => text !== 'help') }
    ]
  })
  const flags = commands.map(({ name, flags: own, settings }): Choice => {
    const known = Object.entries<Setting>({ ...own, ...settings }).filter(([, { secret }]) => !secret)
    const words = known.map(([flag, { help, value }]) => ({ text: `--${flag}`, help, needsValue: value !== undefined }))
    return {
      after: name,
      anywhere: true,
      words: [...words, { text: '--help', help: 'list the settings', needsValue: false }]
    }
  })
  return [...groups, ...flags].sort((a, b) => b.after.length - a.after.length)
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const patternOf = ({ after, anywhere }: Choice) => `${quoted(after === '' ? '' : `${after} `)}${anywhere ? '*' : ''}`

/** Alternatives of a shell pattern for all flags that need a value. */
function valuedFlags(choices: readonly Choice[]): string {
  const valued = choices.flatMap(({ words }) => words.filter(({ needsValue }) => needsValue).map(({ text }) => text))
  return [...new Set(valued)].sort().join('|')
}

function bash(choices: readonly Choice[]): string {
  const cases = choices.map((choice) => `    ${patternOf(choice)}) words=${quoted(textsOf(choice).join(' '))} ;;`)
  return `# gammawall completion for bash: source <(gammawall completions bash)
_gammawall() {
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=''
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${valuedFlags(choices)}) return ;;
  esac
  case "\${line:+$line }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gammawall gammawall`
}

function zsh(choices: readonly Choice[]): string {
  const described = ({ text, help }: Word) => quoted(`${text}:${help.replaceAll('\\', '\\\\')}`)
  const cases = choices.map((choice) => `    ${patternOf(choice)}) found=(${choice.words.map(described).join(' ')}) ;;`)
  return `#compdef gammawall
# gammawall completion for zsh: source <(gammawall completions zsh)
_gammawall() {
  local line="\${(j: :)words[2,CURRENT-1]}"
  local -a found
  case "\${words[CURRENT-1]}" in
    ${valuedFlags(choices)}) _files; return ;;
  esac
  case "\${line:+$line }" in
${cases.join('\n')}
  esac
  if (( \${#found} )); then _describe gammawall found; else _files; fi
}
compdef _gammawall gammawall`
}

function fish(choices: readonly Choice[]): string {
  const lines = choices.flatMap((choice) => {
    const test = choice.anywhere ? '__gammawall_in' : '__gammawall_at'
    const when = quoted(`${test} ${choice.after}`.trimEnd())
    return choice.words.map(({ text, help, needsValue }) => {
      const word = text.startsWith('--') ? `-l ${text.slice(2)}${needsValue ? ' -rF' : ''}` : `-a ${text}`
      return `complete -c gammawall -n ${when} ${word} -d ${quoted(help)}`
    })
  })
  return `# gammawall completion for fish: gammawall completions fish | source
function __gammawall_at
  set -l words (commandline -opc)
  test "$words[2..-1]" = "$argv"
end
function __gammawall_in
  set -l words (commandline -opc)
  string match -q -- "$argv *" "$words[2..-1] "
end
complete -c gammawall -f
${lines.join('\n')}`
}

const textsOf = ({ words }: Choice) => words.map(({ text }) => text)
