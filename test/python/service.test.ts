import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, gammawall, type Service, startService, temporaryFolder } from '../support/started-service.ts'
import { hasPackage, python } from './python.ts'

// The Python client and its notebooks with a service, as built.

const folder = fileURLToPath(new URL('../../python/', import.meta.url))
const asOf = ['--as-of', '2026-07-29T11:00']
const hasPandas = hasPackage('pandas')
if (python === undefined) console.log('skipped: no Python 3.9 or newer for the Python client')
else if (!hasPandas) console.log('skipped: the Python package pandas is not installed, for notebooks')

describe.skipIf(python === undefined)('the Python client', () => {
  let service: Service
  beforeAll(async () => {
    const data = temporaryFolder()
    const past = ['--days', '3', '--symbols', 'SPY', '--every', '6h', '--tapes', 'none', ...asOf]
    const { code, stderr } = await gammawall('backfill', 'synthetic', '--data', data, ...past)
    expect(code, stderr).toBe(0)
    service = await startService(data, [...asOf, '--universe', 'SPY'])
    const recorded = () => service.ask('/v1/series/SPY?from=2026-07-29&every=1m', service.keys.enterprise)
    await eventually('the moment to be recorded', async () => (await recorded()).status === 200 || undefined)
  })
  afterAll(() => service.stop())

  const run = async (...args: readonly string[]) => {
    const env = {
      ...process.env,
      PYTHONPATH: 'src:tests',
      PYTHONDONTWRITEBYTECODE: '1',
      GAMMAWALL_URL: service.base,
      GAMMAWALL_KEY: service.keys.enterprise
    }
    const done = await promisify(execFile)(python!, args, { cwd: folder, env })
    for (const [, reason] of (done.stdout + done.stderr).matchAll(/(skipped: [^\n']*)/g)) console.log(reason)
    return done
  }

  test('asks, replays and streams', async () => {
    const { stderr } = await run('-m', 'unittest', 'discover', '-s', 'tests/service')
    expect(stderr).toMatch(/Ran 9 tests.*\n\nOK/s)
  })

  const notebooks = readdirSync(`${folder}notebooks`).filter((name) => name.endsWith('.ipynb'))
  test.skipIf(!hasPandas).each(notebooks)('the notebook %s runs', async (name) => {
    const { stdout } = await run('notebooks/run.py', `notebooks/${name}`)
    expect(stdout).toContain(name)
  })
})
