import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { python } from './python.ts'

const folder = fileURLToPath(new URL('../../python/', import.meta.url))
if (python === undefined) console.log('skipped: no Python 3.9 or newer for the Python client')

test.skipIf(python === undefined)('the tests of the Python client pass', async () => {
  const asked = ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', 'tests']
  const env = { ...process.env, PYTHONPATH: 'src:tests', PYTHONDONTWRITEBYTECODE: '1' }
  const { stderr } = await promisify(execFile)(python!, asked, { cwd: folder, env })
  for (const [, reason] of stderr.matchAll(/skipped '(skipped: .*)'/g)) console.log(reason)
  expect(stderr).toMatch(/Ran \d{2} tests.*\n\nOK/s)
})
