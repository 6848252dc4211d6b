import { expect, test } from 'vitest'
import { workerOf } from '../../src/workers/pool.ts'

test('work that needs nothing of a chain goes to another worker than the chain, where there is another one', () => {
  for (const symbol of ['SPY', 'SPX', 'AAPL', 'KO']) {
    for (const workers of [2, 3, 4]) {
      const [its, beside] = [workerOf(symbol, undefined, workers), workerOf(symbol, true, workers)]
      expect(beside).not.toBe(its)
      expect(Math.max(its, beside)).toBeLessThan(workers)
    }
    expect(workerOf(symbol, true, 1)).toBe(0)
  }
})
