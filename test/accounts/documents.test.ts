import { expect, test } from 'vitest'
import { MAX_DOCUMENTS, UserDocuments } from '../../src/accounts/documents.ts'
import { temporaryAccounts } from './temporary-accounts.ts'

async function withUsers() {
  const { accounts, database, clock } = await temporaryAccounts()
  const ann = await accounts.users.create({ email: 'ann@example.com', plan: 'free' }, 'test')
  const ben = await accounts.users.create({ email: 'ben@example.com', plan: 'free' }, 'test')
  return { accounts, database, clock, documents: new UserDocuments(database, clock.now), ann, ben }
}

test('a document belongs to its user, has a name within its kind, and ends with the user', async () => {
  const { accounts, documents, clock, ann, ben } = await withUsers()
  const name = { userId: ann.id, kind: 'watchlists', id: 'stars' } as const
  await documents.put(name, { symbols: ['SPY'] })
  clock.at += 1000
  const kept = await documents.put(name, { symbols: ['SPY', 'QQQ'] })
  expect(kept).toEqual({ id: 'stars', value: { symbols: ['SPY', 'QQQ'] }, changedAt: clock.at })
  expect(await documents.find(name)).toEqual(kept)
  expect(await documents.list(ann.id, 'watchlists')).toEqual([kept])
  expect(await documents.list(ann.id, 'settings')).toEqual([])
  expect(await documents.find({ ...name, userId: ben.id })).toBe(undefined)
  await documents.remove({ ...name, userId: ben.id })
  expect(await documents.find(name)).toEqual(kept)
  await accounts.users.remove(ann.id, 'test')
  expect(await documents.find(name)).toBe(undefined)
})

test('a user may keep a number of each kind, and change those that are there', async () => {
  const { documents, ann } = await withUsers()
  const put = (id: string) => documents.put({ userId: ann.id, kind: 'watchlists', id }, { symbols: [] })
  for (let i = 0; i < MAX_DOCUMENTS; i++) expect(await put(`list-${i}`)).toBeDefined()
  expect(await put('one-more')).toBe(undefined)
  expect(await put('list-7')).toBeDefined()
  expect(await documents.put({ userId: ann.id, kind: 'settings', id: 'page' }, {})).toBeDefined()
  await documents.remove({ userId: ann.id, kind: 'watchlists', id: 'list-7' })
  expect(await put('one-more')).toBeDefined()
})

test('a change is counted among those that must not be lost', async () => {
  const { database, documents, ann } = await withUsers()
  const before = await database.revision()
  await documents.put({ userId: ann.id, kind: 'settings', id: 'page' }, { theme: 'dark' })
  expect(await database.revision()).toBeGreaterThan(before)
})
