import { expect, test } from 'vitest'
import { temporaryAccounts } from './temporary-accounts.ts'

const issuer = 'https://login.example'
const ann = { issuer, subject: 'ann-1' }

test('a first sign-in makes a user, who is known by issuer and subject alone', async () => {
  const { accounts } = await temporaryAccounts()
  const { identities, users } = accounts
  expect(await identities.find(ann)).toBe(undefined)
  const user = await identities.signUp(ann, { email: 'Ann@desk.example', plan: 'growth' })
  expect([user.email, user.plan]).toEqual(['ann@desk.example', 'growth'])
  expect(await identities.find(ann)).toEqual(user)
  expect(await identities.find({ issuer: 'https://other.example', subject: 'ann-1' })).toBe(undefined)
  expect(await identities.find({ issuer, subject: 'ann-2' })).toBe(undefined)
  expect(await identities.signUp(ann, { email: 'renamed@desk.example', plan: 'free' })).toEqual(user)
  expect(await users.list()).toHaveLength(1)
})

test('an address that a user has gives nobody else that account', async () => {
  const { accounts } = await temporaryAccounts()
  await accounts.users.create({ email: 'ann@desk.example', plan: 'alpha' }, 'test')
  await expect(accounts.identities.signUp(ann, { email: 'ANN@desk.example', plan: 'free' })).rejects.toThrow(
    /exists already/
  )
  expect(await accounts.identities.find(ann)).toBe(undefined)
})

test('an identity is linked with one user, and goes with that user', async () => {
  const { accounts } = await temporaryAccounts()
  const one = await accounts.users.create({ email: 'one@desk.example', plan: 'free' }, 'test')
  const two = await accounts.users.create({ email: 'two@desk.example', plan: 'free' }, 'test')
  expect(await accounts.identities.link(ann, one.id)).toEqual(one)
  expect(await accounts.identities.link(ann, one.id)).toEqual(one)
  expect(await accounts.identities.link(ann, two.id)).toBe(undefined)
  await accounts.users.remove(one.id, 'test')
  expect(await accounts.identities.find(ann)).toBe(undefined)
  expect(await accounts.identities.link(ann, two.id)).toEqual(two)
})

test('sessions of an identity rest on one key that nobody knows; a revoked one is replaced', async () => {
  const { accounts } = await temporaryAccounts()
  const user = await accounts.identities.signUp(ann, { email: 'ann@desk.example', plan: 'growth' })
  const keyId = await accounts.identities.sessionKey(ann)
  expect(await accounts.identities.sessionKey(ann)).toBe(keyId)
  await accounts.refresh()
  expect(accounts.findById(keyId)).toMatchObject({ userId: user.id, role: 'user' })
  expect((await accounts.keys.list()).map(({ name }) => name)).toEqual(['browsers, by login.example'])
  await accounts.keys.revoke(keyId, 'test')
  await accounts.refresh()
  expect(accounts.findById(keyId)).toBe(undefined)
  expect(await accounts.identities.sessionKey(ann)).not.toBe(keyId)
})

test('sign-ins at the same moment make one user and one key', async () => {
  const { accounts } = await temporaryAccounts()
  const wanted = { email: 'ann@desk.example', plan: 'growth' }
  const made = await Promise.all([1, 2, 3].map(() => accounts.identities.signUp(ann, wanted)))
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  const keys = await Promise.all([1, 2, 3].map(() => accounts.identities.sessionKey(ann)))
  expect(new Set(keys).size).toBe(1)
})
