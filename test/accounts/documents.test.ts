import { expect, test } from 'vitest'
import { MAX_DOCUMENTS, UserDocuments } from '../../src/accounts/documents.ts'
import { temporaryAccounts } from './temporary-accounts.ts'

function withUsers() {
  const { accounts, database, clock } = temporaryAccounts()
  const [ann, ben] = ['ann', 'ben'].map((name) =>
    accounts.users.create({ email: `${name}@example.com`, plan: 'free' }, 'test')
  )
  return { accounts, database, clock, documents: new UserDocuments(database, clock.now), ann: ann!, ben: ben! }
}

test('a document belongs to its user, has a name within its kind, and ends with the user', () => {
  const { accounts, documents, clock, ann, ben } = withUsers()
  const name = { userId: ann.id, kind: 'watchlists', id: 'stars' } as const
  documents.put(name, { symbols: ['SPY'] })
  clock.at += 1000
  const kept = documents.put(name, { symbols: ['SPY', 'QQQ'] })
  expect(kept).toEqual({ id: 'stars', value: { symbols: ['SPY', 'QQQ'] }, changedAt: clock.at })
  expect(documents.find(name)).toEqual(kept)
  expect(documents.list(ann.id, 'watchlists')).toEqual([kept])
  expect(documents.list(ann.id, 'settings')).toEqual([])
  expect(documents.find({ ...name, userId: ben.id })).toBe(undefined)
  documents.remove({ ...name, userId: ben.id })
  expect(documents.find(name)).toEqual(kept)
  accounts.users.remove(ann.id, 'test')
  expect(documents.find(name)).toBe(undefined)
})

test('a user may keep a number of each kind, and change those that are there', () => {
  const { documents, ann } = withUsers()
  const put = (id: string) => documents.put({ userId: ann.id, kind: 'watchlists', id }, { symbols: [] })
  for (let i = 0; i < MAX_DOCUMENTS; i++) expect(put(`list-${i}`)).toBeDefined()
  expect(put('one-more')).toBe(undefined)
  expect(put('list-7')).toBeDefined()
  expect(documents.put({ userId: ann.id, kind: 'settings', id: 'page' }, {})).toBeDefined()
  documents.remove({ userId: ann.id, kind: 'watchlists', id: 'list-7' })
  expect(put('one-more')).toBeDefined()
})

test('a change is counted among those that must not be lost', () => {
  const { database, documents, ann } = withUsers()
  const before = database.revision()
  documents.put({ userId: ann.id, kind: 'settings', id: 'page' }, { theme: 'dark' })
  expect(database.revision()).toBeGreaterThan(before)
})
