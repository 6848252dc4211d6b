import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { endsWithinLine } from '../../../src/imports/judged/unended-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const file = join(temporaryFolder(), 'table')
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

test.each([
  ['a,b\n1,2\n', false],
  ['a,b\r\n1,2\r\n', false],
  ['a,b\r1,2\r', false],
  ['a,b\n1,2', true],
  ['a\n1', true],
  ['a', true],
  [utf16('a,b\n1,2\n'), false],
  [utf16('a,b\n1,2\n').swap16(), false],
  [utf16('a,b\n1,2'), true],
  [utf16('a,b\n1,2').swap16(), true],
  [gzipSync('a,b\n1,2'), false]
])('a file ends within a line where it has no line break at its end: %j', async (content, expected) => {
  writeFileSync(file, content)
  expect(await endsWithinLine(file)).toBe(expected)
})
