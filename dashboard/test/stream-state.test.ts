import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followStream, isStreamed, link } from '../src/state/stream/stream-state.ts'

let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  stop = followStream()
  link.value = 'off'
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('a stream that was lost may be back for ten seconds', () => {
  link.value = 'live'
  expect(isStreamed.value).toBe(true)
  link.value = 'lost'
  vi.advanceTimersByTime(9999)
  expect(isStreamed.value).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isStreamed.value).toBe(false)
  link.value = 'live'
  expect(isStreamed.value).toBe(true)
})

test('one that is back in time was never gone', () => {
  link.value = 'live'
  link.value = 'lost'
  vi.advanceTimersByTime(5000)
  link.value = 'live'
  vi.advanceTimersByTime(60_000)
  expect(isStreamed.value).toBe(true)
})

test('one that is not there, or not yet, brings nothing', () => {
  for (const state of ['connecting', 'off'] as const) {
    link.value = state
    expect(isStreamed.value).toBe(false)
  }
})
