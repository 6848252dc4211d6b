import { describe, expect, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import type { Database } from '../../src/accounts/database.ts'
import { EndedSessions } from '../../src/accounts/ended-sessions.ts'
import { Secrets } from '../../src/accounts/secrets.ts'
import { StorageError } from '../../src/accounts/storage-error.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { SignedText } from '../../src/server/http/signed-text.ts'
import { Sessions } from '../../src/server/sessions/sessions.ts'
import { temporaryAccounts } from './temporary-accounts.ts'

const HALF_DAY = 12 * 3_600_000

/** Accounts with one key, and services that open them, each as another process would. */
async function withKey() {
  const { accounts, clock, database, open, seen } = await temporaryAccounts()
  const userId = await accounts.users.create({ email: 'a@example.com', plan: 'alpha' }, 'test')
  const { key } = await accounts.keys.create(userId, '', 'test')
  const keyId = accounts.find(key)!.keyId
  const service = async ({ freeHere = true } = {}) => {
    const own = await open()
    const known = new Accounts(own, defaultPlans, clock.now)
    const secrets = await Secrets.open(own, clock.now)
    const ended = new EndedSessions(own, clock.now)
    await ended.read()
    const isOwnHost = () => true
    const sessions = new Sessions({ accounts: known, secrets, ended, isOwnHost, now: clock.now, freeHere })
    const headersOf = (token: string) => ({ host: 'dash.example', cookie: `gw_session=${token}` })
    return {
      accounts: known,
      ended,
      secrets,
      begin: (isHere = false) => sessions.open(keyId, isHere).token,
      accountOf: (token: string) => sessions.accountOf(headersOf(token)),
      end: (token: string) => sessions.end(headersOf(token)),
      endAll: (token: string) => sessions.endAll(headersOf(token))
    }
  }
  return { clock, database, keyId, service, seen }
}

describe('browser sessions of several services', () => {
  test('open the account of their key at any of them, also after a restart, until they expire', async () => {
    const { clock, keyId, service } = await withKey()
    const token = (await service()).begin(true)
    expect((await service()).accountOf(token)).toMatchObject({ keyId, uncounted: 'all' })
    expect((await service({ freeHere: false })).accountOf(token)).toMatchObject({ uncounted: 'held' })
    clock.at += HALF_DAY - 1
    expect((await service()).accountOf(token)).toBeDefined()
    clock.at += 1
    expect((await service()).accountOf(token)).toBeUndefined()
  })

  test('are over at all of them once one was signed out, or all of a user, and those begun later are not', async () => {
    const { clock, keyId, service } = await withKey()
    const [one, other] = [await service(), await service()]
    const [first, second, third] = [one.begin(), one.begin(), one.begin()]
    await one.end(first)
    expect([first, second].map((token) => one.accountOf(token)?.keyId)).toEqual([undefined, keyId])
    await other.ended.read()
    expect([first, second].map((token) => other.accountOf(token)?.keyId)).toEqual([undefined, keyId])
    clock.at += 1000
    await other.endAll(second)
    await one.ended.read()
    clock.at += 1000
    const later = other.begin()
    for (const each of [one, other, await service()]) {
      expect([second, third, later].map((token) => each.accountOf(token)?.keyId)).toEqual([undefined, undefined, keyId])
    }
  })

  test('are told of as changes of accounts are', async () => {
    const { service } = await withKey()
    const [one, other] = [await service(), await service()]
    await other.accounts.refresh()
    const readings: Promise<void>[] = []
    other.accounts.onChange(() => void readings.push(other.ended.read()))
    const token = one.begin()
    expect(other.accountOf(token)).toBeDefined()
    await one.end(token)
    await other.accounts.refresh()
    expect(readings).toHaveLength(1)
    await Promise.all(readings)
    expect(other.accountOf(token)).toBeUndefined()
  })

  test('that were ended are forgotten when they would have expired', async () => {
    const { clock, database, service } = await withKey()
    const { begin, end } = await service()
    await end(begin())
    clock.at += HALF_DAY
    await end(begin())
    expect(await database.read.selectFrom('ended_sessions').selectAll().execute()).toHaveLength(1)
  })

  test('are signed by a new secret each month, which no service refuses meanwhile', async () => {
    const { clock, keyId, service } = await withKey()
    const one = await service()
    clock.at += 60 * HALF_DAY
    const before = one.begin()
    const other = await service()
    await one.secrets.read()
    const during = other.begin()
    expect([one.secrets.valid.length, other.secrets.valid]).toEqual([2, one.secrets.valid])
    clock.at += 2 * 3_600_000
    await other.secrets.read()
    expect(other.secrets.valid).toEqual(one.secrets.valid.toReversed())
    for (const token of [before, during, other.begin()]) {
      expect([one.accountOf(token)?.keyId, other.accountOf(token)?.keyId]).toEqual([keyId, keyId])
    }
  })

  test('last as long as the process where no secret can be stored, and the old secret goes on where none can follow', async () => {
    const { clock, keyId, database, service } = await withKey()
    const full: Database = Object.create(database, {
      durably: { value: () => Promise.reject(new StorageError('the accounts', 'the disk is full')) }
    })
    const signed = new SignedText<{ readonly keyId: string }>(await Secrets.open(full, clock.now), 'session')
    expect(signed.read(signed.write({ keyId }))).toEqual({ keyId })
    const { secrets } = await service()
    clock.at += 60 * HALF_DAY
    const later = await Secrets.open(full, clock.now)
    expect(later.valid).toEqual(secrets.valid)
  })

  test('of other accounts, for other purposes, changed or cut open nothing', async () => {
    const { clock, keyId, service } = await withKey()
    const { begin, secrets, accountOf } = await service()
    const token = begin()
    const [claims = '', signature = ''] = token.split('.')
    const held = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const longer = Buffer.from(JSON.stringify({ ...held, expiresAt: clock.at + 10 * HALF_DAY })).toString('base64url')
    const elsewhere = await (await withKey()).service()
    const wrong = [
      elsewhere.begin(),
      new SignedText(secrets, 'ticket').write(held),
      `${longer}.${signature}`,
      `${claims}.${signature.slice(1)}`,
      `${claims}.`,
      claims,
      `.${signature}`,
      `${token}.${signature}`,
      'A'.repeat(43)
    ]
    expect(wrong.map((each) => [each, accountOf(each)])).toEqual(wrong.map((each) => [each, undefined]))
    expect(accountOf(token)?.keyId).toBe(keyId)
  })
})
