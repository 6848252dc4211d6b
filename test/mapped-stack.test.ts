import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { folderWith } from './imports/take.ts'

const { mappedStack } = (await import(new URL('../scripts/mapped-stack.mjs', import.meta.url).href)) as {
  mappedStack: (stack: string) => string
}

test('a stack names the sources of a built file, and keeps what has none', () => {
  const folder = folderWith({ 'built.js': 'throw x\n' })
  // The only entry: line 1, column 1 of the built file is line 5, column 3 of the source.
  const map = { version: 3, sources: ['src/a.ts'], names: [], mappings: 'AAIE', file: 'built.js' }
  writeFileSync(join(folder, 'built.js.map'), JSON.stringify(map))
  const url = (file: string) => pathToFileURL(join(folder, file)).href
  const stack = `Error: no\n    at f (${url('built.js')}:1:1)\n    at ${url('other.js')}:2:3\n    at node:fs:1:2`
  expect(mappedStack(stack)).toBe(stack.replace('built.js:1:1', 'src/a.ts:5:3'))
})
