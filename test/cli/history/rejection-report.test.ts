import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRejectionReport } from '../../../src/cli/history/rejection-report.ts'
import type { Rejection } from '../../../src/imports/import-writer.ts'
import { JobError } from '../../../src/jobs/job.ts'
import { folderWith } from '../../imports/take.ts'

const heading = 'file,line,reason,count,outcome\n'
const refused = (file: string, line: number | undefined, reason: string): Rejection => {
  return { file, line, reason, outcome: 'refused' }
}

async function written(rejections: readonly Rejection[], maxListed?: number) {
  const path = join(folderWith({}), 'report.csv')
  const report = createRejectionReport(path, maxListed)
  for (const rejection of rejections) await report.add([rejection])
  await report.close()
  return { report, path, text: readFileSync(path, 'utf8') }
}

test('what could not be used is listed with file, line and reason', async () => {
  const { report, text } = await written([
    refused('a.csv', 7, 'its date is "soon"'),
    refused('b, c.csv', undefined, 'it is empty')
  ])
  expect(text).toBe(`${heading}a.csv,7,"its date is ""soon""",1,refused\n"b, c.csv",,it is empty,1,refused\n`)
  expect(report.first('refused')?.line).toBe(7)
  expect(report.first('set aside')).toBeUndefined()
})

test('equal reasons are one line with the first place and a count, whatever figures they name', async () => {
  const rows = Array.from({ length: 1001 }, (_, k) => refused('a.csv', k + 2, `its bid is "${k}x"`))
  const doubts = [2, 9].map((line): Rejection => {
    const reason = `KO on 2024-03-0${line}: it lists ${line} %`
    return { file: 'a.csv', line, reason, kind: 'part', outcome: 'set aside' }
  })
  const { report, text } = await written([...rows, ...doubts, refused('a.csv', 1, 'its ask is "x"')])
  expect(text.slice(heading.length).split('\n')).toEqual([
    'a.csv,2,"its bid is ""0x""",1001,refused',
    'a.csv,2,KO on 2024-03-02: it lists 2 %,2,set aside',
    'a.csv,1,"its ask is ""x""",1,refused',
    ''
  ])
  expect(report.first('set aside')?.line).toBe(2)
})

test('a report does not grow without end', async () => {
  const { text } = await written(
    ['a', 'b', 'c', 'd'].map((name) => refused(`${name}.csv`, 1, 'it is empty')),
    2
  )
  expect(text.slice(heading.length)).toBe(
    'a.csv,1,it is empty,1,refused\nb.csv,1,it is empty,1,refused\n,,"further reasons, which are not listed",2,\n'
  )
})

test("the report is its owner's alone, and no cell of it is a formula", async () => {
  const { path, text } = await written([refused('=cmd.csv', 7, '@SUM(A1)')])
  expect(text).toBe(`${heading}'=cmd.csv,7,'@SUM(A1),1,refused\n`)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('there is no file where there is nothing to say', async () => {
  const path = join(folderWith({}), 'report.csv')
  await createRejectionReport(path).close()
  expect(existsSync(path)).toBe(false)
})

test('a report that cannot be written ends the work with a sentence', async () => {
  const report = createRejectionReport(join(folderWith({}), 'no', 'such', 'folder.csv'))
  const added = report.add([refused('a.csv', 7, 'it is wrong')])
  await expect(added).rejects.toThrow(JobError)
  await expect(added).rejects.toThrow('cannot be written: ENOENT')
  await report.close()
})
