import { expect, test } from 'vitest'
import type { Ticker } from '../../src/market/units.ts'
import { WantedRoots } from '../../src/market/wanted-roots.ts'

test('options are known by their root, adjusted ones by its letters', () => {
  const roots = new WantedRoots()
  roots.want(['SPX', 'BRK.B', 'AAPL', 'SPY'] as readonly string[] as readonly Ticker[])
  const asked = ['SPX', 'SPXW', 'BRKB', 'AAPL', 'AAPL1', 'SPY', 'QQQ', '2SPX', '']
  const symbols = ['SPX', 'SPX', 'BRK.B', 'AAPL', 'AAPL', 'SPY', undefined, undefined, undefined]
  expect(asked.map((root) => roots.symbolOfRoot(root))).toEqual(symbols)
  expect(asked.map((root) => roots.symbolOf(`${root}260731C00600000`))).toEqual(symbols)
})
