import { expect, test } from 'vitest'
import { gammawall, launch, program, temporaryFolder } from '../support/started-service.ts'

test.each([
  ['the overview', ['--help']],
  ['a picture', ['plot', 'term', 'SPY', '--as-of', '2026-07-29T11:00']],
  ['statements', ['history', 'schema', '--cluster', 'desk']],
  ['a list', ['keys', 'list', '--json', '--data', temporaryFolder()]]
])('%s whose reader goes away before the end ends quietly', async (_, args) => {
  await gammawall('--version') // builds what is stale, which takes a while and is told
  const started = launch(process.execPath, [program, ...args])
  started.child.stdout!.destroy()
  expect(await started.ended).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' })
})
