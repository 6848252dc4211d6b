import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { allCommands, commandsUnder } from '../../src/cli/commands.ts'

const main = resolve(import.meta.dirname, '../../src/cli/main.ts')

test('every command is found under the first word of its name', async () => {
  const all = await allCommands()
  expect(all.length).toBeGreaterThan(20)
  for (const { name } of all) {
    const found = await commandsUnder(name.split(' ')[0])
    expect(found.map((command) => command.name)).toContain(name)
  }
})

test('no command is found under another word', async () => {
  for (const word of [undefined, '', 'key', 'toString', '--version']) expect(await commandsUnder(word)).toEqual([])
})

test('what is loaded whatever is typed needs no package, and no command but the one that is named', () => {
  const loaded = new Set<string>()
  const packages = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const [, names, from] of readFileSync(file, 'utf8').matchAll(/^import (?!type\b)([^'"]+?) from '([^']+)'/gm)) {
      const namesTypesAlone = names.startsWith('{') && !/[{,]\s*(?!type )\w/.test(names)
      if (namesTypesAlone || from.startsWith('node:')) continue
      if (from.startsWith('.')) load(join(dirname(file), from))
      else packages.add(from)
    }
  }
  load(main)
  expect(loaded.size).toBeGreaterThan(20)
  expect([...packages]).toEqual([])
  expect([...loaded].filter((file) => /cli\/(serve|keys|import|with-accounts)\.ts$/.test(file))).toEqual([])
})
