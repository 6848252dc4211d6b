import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { planIds } from '../../src/api/plan.ts'
import { demoKeysOf, launch, program, startService, temporaryFolder } from '../support/started-service.ts'

const settings = ['--universe', 'SPY', '--workers', '1']

// Kills under load are test/trials/kill.test.ts.

test.each([
  'accounts.db',
  'demo-keys.json'
])('kill -9 at the first start, as soon as %s is there, leaves a folder that starts', async (name) => {
  const data = join(temporaryFolder(), 'data')
  const first = launch(process.execPath, [program, 'serve', '--data', data, '--port', '0', '--drain', '0', ...settings])
  while (!existsSync(join(data, name)) && first.child.exitCode === null) await pause(1)
  first.child.kill('SIGKILL')
  expect((await first.ended).signal).toBe('SIGKILL')
  const service = await startService(data, settings)
  expect(Object.keys(service.keys)).toEqual(planIds)
  expect(demoKeysOf(data)).toEqual(service.keys)
  for (const key of Object.values(service.keys)) expect((await service.ask('/v1/account', key)).status).toBe(200)
  await service.stop()
})
