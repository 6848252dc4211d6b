import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { allCommands } from '../../src/cli/commands.ts'
import { completionScript } from '../../src/cli/completions-command.ts'

const commands = await allCommands()
const hasBash = spawnSync('bash', ['-c', 'complete -p; compgen -W a']).status === 0
if (!hasBash) console.log('skipped: there is no bash with completion')

/** What bash offers for the last word of each command line. */
function offered(...lines: readonly string[]): readonly (readonly string[])[] {
  const asked = lines.map((line) => {
    const words = line.split(' ')
    const typed = words.map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _gammawall; echo "\${COMPREPLY[*]}"`
  })
  const script = [completionScript('bash', commands), ...asked].join('\n')
  const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' })
  expect(stderr).toBe('')
  const found = stdout.split('\n').slice(0, lines.length)
  return found.map((line) => line.split(' ').filter((word) => word !== ''))
}

describe.runIf(hasBash)('bash completes', () => {
  test('commands, the second words of groups, the settings of a command, and the same after help', () => {
    const [first, second, flags, after, helped, nothing, value] = offered(
      'gammawall ke',
      'gammawall keys cr',
      'gammawall keys create --da',
      'gammawall watch SPY flip --cad',
      'gammawall help keys cr',
      'gammawall nosuch --da',
      'gammawall watch --data '
    )
    expect([first, second, flags, after, helped]).toEqual([['keys'], ['create'], ['--data'], ['--cadence'], ['create']])
    expect([nothing, value]).toEqual([[], []])
  })

  test('every declared command and every flag of each', () => {
    const lines = commands.map(({ name }) => `gammawall ${name} --`)
    const found = offered(...lines)
    for (const [k, { flags, settings }] of commands.entries()) {
      const known = Object.entries({ ...flags, ...settings }).filter(([, { secret }]) => secret === undefined)
      expect(found[k]).toEqual([...known.map(([name]) => `--${name}`), '--help'])
    }
  })
})

test.each(['bash', 'zsh', 'fish'])('the script for %s names every command and flag', (shell) => {
  const script = completionScript(shell, commands)
  for (const { name, flags } of commands) {
    expect(script).toContain(name)
    for (const flag of Object.keys(flags)) expect(script).toContain(shell === 'fish' ? `-l ${flag} ` : `--${flag}`)
  }
})

test('another shell is refused with those that are known', () => {
  for (const shell of ['tcsh', 'toString']) expect(() => completionScript(shell, commands)).toThrow('bash, zsh, fish')
})
