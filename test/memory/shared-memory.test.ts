import { expect, test } from 'vitest'
import { giveBackMemory, sharedMemory } from '../../src/memory/shared-memory.ts'

test('memory that was given back serves the next who wants as much or hardly less, zeroed', () => {
  const buffer = sharedMemory(1000)
  new Uint8Array(buffer).fill(7)
  giveBackMemory(buffer)
  expect(sharedMemory(1001)).not.toBe(buffer)
  expect(sharedMemory(870)).not.toBe(buffer)
  const again = sharedMemory(1000)
  expect(again).toBe(buffer)
  expect(new Uint8Array(again).every((byte) => byte === 0)).toBe(true)
  expect(sharedMemory(1000)).not.toBe(buffer)
  giveBackMemory(buffer)
  expect(sharedMemory(880)).toBe(buffer)
})

test('of several buffers that are large enough, the one is reused that wastes least', () => {
  const [large, small, exact] = [5300, 5200, 5000].map(sharedMemory)
  for (const buffer of [large, small]) giveBackMemory(buffer)
  expect(sharedMemory(5000)).toBe(small)
  for (const buffer of [small, exact]) giveBackMemory(buffer)
  expect(sharedMemory(5000)).toBe(exact)
})

test('no more than 16 MB of it are kept, those given back last', () => {
  const megabyte = 2 ** 20
  const buffers = Array.from({ length: 20 }, () => sharedMemory(megabyte))
  for (const buffer of buffers) giveBackMemory(buffer)
  const kept = Array.from({ length: 20 }, () => sharedMemory(megabyte)).filter((buffer) => buffers.includes(buffer))
  expect(kept).toEqual(buffers.slice(4))
})
