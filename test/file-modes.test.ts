import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// What the program writes may hold keys, addresses and paid data, so it is readable by its owner alone. Methods of an
// open file (`file.appendFile`) are left out: the call that opened it said the mode.

const root = join(import.meta.dirname, '../src')
const creates = /(?<![.\w#])(writeFile|writeFileSync|appendFileSync|createWriteStream|mkdir|mkdirSync)\(/
const opensToWrite = /(?<![.\w#])open(Sync)?\([^)]*, '(w|wx|a|ax)'/

const calls = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.map((line, k) => ({ place: `${file}:${k + 1}`, line, call: lines.slice(k, k + 3).join(' ') }))
  })
  .filter(({ line }) => !/^\s*(import|\*|\/\/)/.test(line) && (creates.test(line) || opensToWrite.test(line)))

test('every call that makes a file or a folder says that it is for its owner alone', () => {
  expect(calls.length).toBeGreaterThan(15)
  expect(
    calls.filter(({ call }) => !/0o[67]00\b/.test(call)).map(({ place, line }) => `${place} ${line.trim()}`)
  ).toEqual([])
})
