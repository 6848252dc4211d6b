import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alerts, outage, races, revocations } from '../../trials/cluster/bars.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

describe.runIf(hasPostgres)('three services of one database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test('allow as many requests as the limit says, however they race', async () => {
    expect((await races(server, 3, 900)).faults).toEqual([])
  })

  test('know of every revoked key, told or not', async () => {
    // How long that takes is a figure of the long trial: here it depends on what else the machine does.
    const { faults } = await revocations(server, 10, false)
    expect(faults.filter((fault) => !fault.includes('was believed for'))).toEqual([])
  })

  test('allow nobody more than the limit while the database is away', async () => {
    const { faults, figures } = await outage(server, 3, 'cut', 0)
    expect(faults.filter((fault) => !fault.includes('allowed again after'))).toEqual([])
    expect(figures['backAfter']).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  test('fire each alert once, and send each firing though one of them is killed', async () => {
    const { faults, figures } = await alerts(server, 10, 6)
    expect(faults).toEqual([])
    expect(figures['firings']).toBeGreaterThanOrEqual(10)
  })
})
