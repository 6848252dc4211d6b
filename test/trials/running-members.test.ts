import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { roll } from '../../trials/cluster/rolling.ts'
import { lost } from '../../trials/cluster/sharing.ts'
import { streams } from '../../trials/cluster/streaming.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { hasRedis } from '../support/redis.ts'

// Real services over PostgreSQL, Redis and HAProxy: the trial of `npm run cluster` in short.

/** A symbol whose chains are priced within a few milliseconds. */
const SMALL = 'KO'

const hasProxy = spawnSync('haproxy', ['-v']).error === undefined
if (!hasProxy) {
  const isRequired = inject('required').split(',').includes('haproxy')
  if (isRequired) throw new Error('GAMMAWALL_TEST_REQUIRE names haproxy, but no HAProxy is installed')
  console.log('skipped: the tests of a rolling upgrade need HAProxy (apt-get install haproxy)')
}

describe.runIf(hasPostgres && hasRedis)('a collector and two members', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test.runIf(hasProxy)('fail no request while each of them is stopped and started again', async () => {
    const { faults, figures } = await roll(server, 100, SMALL)
    expect(faults).toEqual([])
    expect(figures['asked']).toBeGreaterThanOrEqual(100)
  })

  test('admit no more connections than a bundle has, and resume those of a killed member', async () => {
    const { faults, figures } = await streams(server, 12, SMALL)
    expect(faults).toEqual([])
    expect(figures['open']).toBe(5)
  })

  test('answer while Redis is away, and show newer chains once it is back', async () => {
    expect((await lost(server, 1, SMALL)).faults).toEqual([])
  })
})
