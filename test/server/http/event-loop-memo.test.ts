import { expect, test } from 'vitest'
import { EventLoopMemo } from '../../../src/server/http/event-loop-memo.ts'

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

test('what was found is known until the turn of the loop ends', async () => {
  const memo = new EventLoopMemo<string, number>()
  memo.set('SPY', 1)
  memo.set('QQQ', 2)
  await Promise.resolve() // still the same turn
  expect([memo.get('SPY'), memo.get('QQQ'), memo.get('IWM')]).toEqual([1, 2, undefined])
  memo.set('SPY', 3)
  expect(memo.get('SPY')).toBe(3)
  await endOfTurn()
  expect([memo.get('SPY'), memo.get('QQQ')]).toEqual([undefined, undefined])
})

test('each turn forgets what was found in it', async () => {
  const memo = new EventLoopMemo<string, number>()
  for (let turn = 0; turn < 3; turn++) {
    expect(memo.get('SPY')).toBeUndefined()
    memo.set('SPY', turn)
    expect(memo.get('SPY')).toBe(turn)
    await endOfTurn()
  }
})
