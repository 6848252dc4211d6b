import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRejectionReport } from '../../../src/cli/history/rejection-report.ts'
import { JobError } from '../../../src/jobs/job.ts'
import { folderWith } from '../../imports/take.ts'

test('what could not be used is listed with file, line and reason', async () => {
  const path = join(folderWith({}), 'report.csv')
  const report = createRejectionReport(path)
  await report.add([{ file: 'a.csv', line: 7, reason: 'its date is "soon"' }])
  await report.add([{ file: 'b, c.csv', line: undefined, reason: 'it is empty' }])
  await report.close()
  expect(readFileSync(path, 'utf8')).toBe('file,line,reason\na.csv,7,"its date is ""soon"""\n"b, c.csv",,it is empty\n')
  expect(report.first?.line).toBe(7)
})

test('there is no file where there is nothing to say', async () => {
  const path = join(folderWith({}), 'report.csv')
  await createRejectionReport(path).close()
  expect(existsSync(path)).toBe(false)
})

test('a report that cannot be written ends the work with a sentence', async () => {
  const report = createRejectionReport(join(folderWith({}), 'no', 'such', 'folder.csv'))
  const added = report.add([{ file: 'a.csv', line: 7, reason: 'it is wrong' }])
  await expect(added).rejects.toThrow(JobError)
  await expect(added).rejects.toThrow('cannot be written: ENOENT')
  await report.close()
})
