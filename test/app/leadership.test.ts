import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { Leadership } from '../../src/app/leadership.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const every = 20

describe('a role', () => {
  /** A database in which the named service holds the role until another takes it. */
  function roles() {
    const state = { holder: undefined as string | undefined, fence: 0, isAway: false }
    const sharing = (name: string) => ({
      async hold() {
        if (state.isAway) throw new Error('the database does not answer')
        if (state.holder !== undefined && state.holder !== name) return undefined
        if (state.holder === undefined) state.fence++
        state.holder = name
        return state.fence
      },
      async release() {
        if (state.holder === name) state.holder = undefined
      }
    })
    const lead = (name: string, onLost = () => {}) =>
      new Leadership({ sharing: sharing(name), role: 'collect', every, onLost })
    return { state, lead }
  }

  test('is held by one, and taken by another that waits once it is given back', async () => {
    const { lead } = roles()
    const [one, other] = [lead('one'), lead('other')]
    one.start()
    await one.gained
    other.start()
    expect(other.fence).toBeUndefined()
    await one.stop()
    await other.gained
    expect(other.fence).toBeGreaterThan(one.fence!)
    await other.stop()
  })

  test('is kept while the database is silent, and lost once another holds it', async () => {
    const { state, lead } = roles()
    let lost = 0
    const one = lead('one', () => lost++)
    one.start()
    await one.gained
    state.isAway = true
    await new Promise((resolve) => setTimeout(resolve, 5 * every))
    expect(lost).toBe(0)
    state.holder = 'other'
    state.isAway = false
    await expect.poll(() => lost).toBe(1)
    await one.stop()
    expect(state.holder).toBe('other')
  })
})

describe.runIf(hasPostgres)('a role in PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test('is held by the service that took it, until it gives it back or does not renew it', async () => {
    const address = await server.database()
    await migratePostgres(address)
    const [one, other] = [await openPostgres(address), await openPostgres(address)]
    const fence = await one.sharing!.hold('collect')
    expect(fence).toBe(1)
    expect(await one.sharing!.hold('collect')).toBe(1)
    expect(await other.sharing!.hold('collect')).toBeUndefined()
    expect(await other.sharing!.hold('another role')).toBe(1)
    await other.sharing!.release('collect') // gives back nothing that it does not hold
    expect(await one.sharing!.hold('collect')).toBe(1)
    await one.sharing!.release('collect')
    expect(await other.sharing!.hold('collect')).toBe(2)
    expect(await one.sharing!.hold('collect')).toBeUndefined()
    // The holder is silent from here on.
    await expect.poll(() => one.sharing!.hold('collect')).toBe(3)
    await Promise.all([one.close(), other.close()])
  })
})
