import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../src/accounts/accounts.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { Handshakes } from '../../src/server/stream/handshakes.ts'
import { Tickets } from '../../src/server/stream/tickets.ts'
import { awaited } from '../support/idle.ts'
import { madeUpSecrets } from '../support/made-up-secrets.ts'
import { hasPostgres, type PostgresServer, patientPool, startPostgres } from '../support/postgres.ts'

test('a service alone takes its own tickets alone: of those from before it began nobody remembers which were used', () => {
  const secrets = madeUpSecrets()
  const began = () => {
    const sessions = { claimsOf: () => undefined, accountOfClaims: () => undefined }
    return new Tickets({ secrets, accounts: { findById: () => undefined }, sessions, now: Date.now })
  }
  const first = began()
  const { ticket } = first.issue({ keyId: 'k' } as Account, {})
  expect(began().redeem(ticket)).toBeUndefined()
  expect(first.redeem(ticket)).toBeDefined()
  expect(first.redeem(ticket)).toBeUndefined()
})

describe.runIf(hasPostgres)('tickets of the stream at services of one database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  const account = { keyId: 'k', userId: 'u', plan: { name: 'Alpha' } } as Account
  const headers: IncomingHttpHeaders = { 'x-api-key': 'valid' }

  /** The handshakes of two services, the connections that each gave up, and whether the database answers. */
  async function services() {
    const address = await server.database()
    await migratePostgres(address)
    const secrets = madeUpSecrets()
    const state = { answers: true, givenUp: 0 }
    const service = async () => {
      const pool = patientPool(address)
      awaited(pool)
      const database = await openPostgres(address, { pool })
      onTestFinished(() => database.close())
      const { spend } = database.sharing!.streams
      const tickets = new Tickets({
        secrets,
        accounts: { findById: (id) => (id === 'k' ? account : undefined) },
        sessions: { claimsOf: () => undefined, accountOfClaims: () => undefined },
        now: Date.now,
        spend: (id) => (state.answers ? spend(id) : Promise.reject(new Error('the database does not answer')))
      })
      const options = {
        access: { outdated: () => undefined, accountOfHeaders: () => account },
        bundles: { of: () => ({ id: 'b', blocks: 1, endsAt: undefined }) },
        server: {
          isDraining: false,
          hasRoom: () => true,
          admit: async () => true,
          giveUp: () => void state.givenUp++
        },
        tickets,
        isReady: () => true,
        wallNow: Date.now
      }
      const handshakes = new Handshakes(options as unknown as ConstructorParameters<typeof Handshakes>[0])
      /** How a WebSocket with this ticket ends: undefined if it is opened. */
      const opened = async (ticket: string) => {
        const authorized = handshakes.authorize({}, new URLSearchParams({ ticket }))
        const refused = 'refusal' in authorized ? authorized : await handshakes.admission(authorized)
        return refused?.refusal.code
      }
      const issued = () => {
        const ticket = handshakes.ticket(headers)
        return 'ticket' in ticket ? ticket.ticket : expect.fail('no ticket was issued')
      }
      return { issued, opened }
    }
    return { one: await service(), other: await service(), state }
  }

  test('open one connection at whichever of them, and none once one was opened', async () => {
    const { one, other, state } = await services()
    const [first, second] = [one.issued(), one.issued()]
    expect(await other.opened(first)).toBeUndefined()
    expect(state.givenUp).toBe(0)
    expect([await one.opened(first), await other.opened(first)]).toEqual(['unauthorized', 'unauthorized'])
    expect(state.givenUp).toBe(1) // the other one knows without asking
    const race = await Promise.all([one.opened(second), other.opened(second)])
    expect(race.toSorted()).toEqual(['unauthorized', undefined])
  })

  test('open nothing while the database is silent, and the place is given back', async () => {
    const { one, other, state } = await services()
    const ticket = one.issued()
    state.answers = false
    expect([await other.opened(ticket), state.givenUp]).toEqual(['overloaded', 1])
  })
})
