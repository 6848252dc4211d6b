import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRenames } from '../../src/config/stated-renames.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a data folder without the file has no renames', () => {
  const problems: string[] = []
  expect([readRenames(temporaryFolder(), problems), problems]).toEqual([[], []])
})

test('each line of the file is an old symbol, a new one and a date; wrong ones are named', () => {
  const data = temporaryFolder()
  const lines = [
    'old,new,date',
    'fb, meta ,2022-06-09 # formerly Facebook',
    '',
    'A,A,2022-06-09',
    'A,B,soon',
    'A,B,2022-06-09,x'
  ]
  writeFileSync(join(data, 'renames.csv'), lines.join('\r\n'))
  const problems: string[] = []
  expect(readRenames(data, problems)).toEqual([{ from: 'FB', to: 'META', date: '2022-06-09' }])
  expect(problems.map((text) => text.replace(data, ''))).toEqual(
    [4, 5, 6].map(
      (line) => `/renames.csv: line ${line}: it must be an old symbol, a new one and a date, as FB,META,2022-06-09`
    )
  )
})
