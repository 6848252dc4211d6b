import { expect, test } from 'vitest'
import { giveBackMemory, sharedMemory } from '../../src/memory/shared-memory.ts'

test('memory that was given back serves the next who wants as much, zeroed', () => {
  const buffer = sharedMemory(1000)
  new Uint8Array(buffer).fill(7)
  giveBackMemory(buffer)
  expect(sharedMemory(999)).not.toBe(buffer)
  const again = sharedMemory(1000)
  expect(again).toBe(buffer)
  expect(new Uint8Array(again).every((byte) => byte === 0)).toBe(true)
  expect(sharedMemory(1000)).not.toBe(buffer)
})

test('no more than 32 MB of it are kept, those given back last', () => {
  const megabyte = 2 ** 20
  const buffers = Array.from({ length: 40 }, () => sharedMemory(megabyte))
  for (const buffer of buffers) giveBackMemory(buffer)
  const kept = Array.from({ length: 40 }, () => sharedMemory(megabyte)).filter((buffer) => buffers.includes(buffer))
  expect(kept).toEqual(buffers.slice(8))
})
