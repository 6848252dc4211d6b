import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, isWellFormed, KEY_LENGTH, newKey } from '../../src/accounts/key.ts'

test('a new key has the announced form, its checksum included', () => {
  const key = newKey()
  expect(key).toMatch(/^gw_live_[0-9A-Za-z]{38}$/)
  expect(key).toHaveLength(KEY_LENGTH)
  expect(isWellFormed(key)).toBe(true)
})

test('no two of 2000 new keys are alike, and together they use the whole alphabet', () => {
  const keys = Array.from({ length: 2000 }, newKey)
  expect(new Set(keys).size).toBe(2000)
  expect(new Set(keys.map((key) => key.slice(8, 40)).join('')).size).toBe(62)
})

test('one wrong character anywhere makes a key malformed', () => {
  const key = newKey()
  for (let i = 0; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x'
    expect(isWellFormed(key.slice(0, i) + other + key.slice(i + 1))).toBe(false)
  }
})

test('text of any other kind is malformed and does no harm', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => !isWellFormed(text)))
  expect(isWellFormed('gw_live_' + '\u{1F511}'.repeat(19))).toBe(false)
})

test('the hash of a key is its SHA-256 in hexadecimal digits', () => {
  const key = newKey()
  expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
})
