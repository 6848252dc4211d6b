import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMount, type SmallDisk, smallDisk } from '../support/small-disk.ts'
import { ask, gammawall, type Service, startService } from '../support/started-service.ts'

// A real disk that is full. It has to be mounted, so this is skipped where the user of the tests may not mount one:
// test/accounts/storage.test.ts and test/server/operations tell of the parts without it.

interface Health {
  readonly status: string
  readonly checks: readonly { readonly name: string; readonly status: string; readonly details?: object }[]
}

describe.runIf(canMount)('a disk that is full', () => {
  let disk: SmallDisk
  let service: Service
  let data: string
  const settings = ['--universe', 'SPY', '--workers', '1', '--history', 'off']

  beforeAll(async () => {
    disk = smallDisk(2)!
    data = join(disk.folder, 'data')
    service = await startService(data, settings)
  })
  afterAll(async () => {
    disk.remove() // first, so that no mount is left by a service that never started
    await service?.stop('SIGKILL')
  })

  const storage = async () => {
    const { status, json } = await service.ask('/health')
    const health = json as unknown as Health
    return { status, check: health.checks.find(({ name }) => name === 'storage') }
  }
  const createUser = (email: string) =>
    service.ask('/v1/admin/users', service.keys.enterprise, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, plan: 'free' })
    })

  test('is told by /health, readiness and administration while answers go on, and what waited is written', async () => {
    const reason = 'the data folder cannot be written: the disk is full'
    expect(await storage()).toMatchObject({ status: 200, check: { status: 'Healthy' } })
    disk.fill()
    expect(await storage()).toMatchObject({ status: 503, check: { status: 'Unhealthy', details: { reason } } })
    for (const host of [service.base, service.operations]) {
      expect(await ask(`${host}/readyz`)).toMatchObject({ status: 503, text: `not ready: ${reason}\n` })
    }
    for (let k = 1; k <= 3; k++) {
      const { status, json } = await service.ask('/v1/account', service.keys.basic)
      expect([status, json?.['usage_today']]).toEqual([200, k])
    }
    let refused = await createUser('0@example.com')
    for (let k = 1; k < 500 && refused.status === 201; k++) refused = await createUser(`${k}@example.com`)
    expect([refused.status, refused.json?.['error']]).toEqual([503, 'storage_unavailable'])
    expect(refused.json?.['message']).toContain('the disk is full')
    expect(await gammawall('keys', 'create', '--data', data, '--email', 'a@b.c', '--plan', 'free')).toMatchObject({
      code: 1,
      stderr: `the data folder ${data} cannot be written: the disk is full\n`
    })

    disk.free()
    await expect.poll(async () => (await storage()).check?.status).toBe('Healthy')
    expect((await ask(`${service.base}/readyz`)).status).toBe(200)
    expect((await createUser('room@example.com')).status).toBe(201)
    const written = async () => (await gammawall('usage', 'export', '--csv', '--data', data)).stdout
    await expect.poll(written).toMatch(/,demo-basic@gammawall\.local,[\w-]+,basic,3,0\n/)
  })

  test('serves at a start what lies there, full or read-only, and refuses a new folder in one sentence', async () => {
    const { basic } = service.keys
    await service.stop('SIGKILL')
    disk.fill()
    const { code, stdout, stderr } = await gammawall(
      'serve',
      '--data',
      join(disk.folder, 'new'),
      '--port',
      '0',
      ...settings
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`the data folder ${join(disk.folder, 'new')} cannot be written: the disk is full\n`)
    for (const state of ['full', 'read-only']) {
      if (state === 'read-only') disk.readOnly()
      service = await startService(data, settings)
      expect((await service.ask('/v1/account', basic)).status).toBe(200)
      const reason = `the data folder cannot be written: the disk is ${state}`
      expect(await storage()).toMatchObject({ status: 503, check: { status: 'Unhealthy', details: { reason } } })
      await service.stop('SIGKILL')
    }
  })
})
