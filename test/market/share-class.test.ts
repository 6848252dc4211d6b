import { expect, test } from 'vitest'
import { hasGlobalHours, readSymbol, symbolOfRoot } from '../../src/market/security.ts'
import { shareSpelling } from '../../src/market/share-class.ts'

test.each([
  ['BRK.B', ['BRK.B', 'BRK-B', 'BRK/B', 'BRK B', 'BRKB', 'brk.b', ' brk-b ']],
  ['BRK.B', ['BRK_B', 'BRK.B.US', 'NYSE:BRK.B', 'US.BRK.B', 'BRK/B US Equity', 'BRK-B US']],
  ['AAPL', ['AAPL.US', 'NASDAQ:AAPL', 'US.AAPL', 'AAPL US Equity', 'aapl uw equity', 'AAPL Equity']],
  ['SPX', ['SPX.X', '$SPX.X', 'SPX.XO', 'SPX.IND', 'SPX Index', 'CBOE:SPX', 'SP:SPX', 'I:SPX']],
  ['US', ['US', 'us']],
  ['ABC.U', ['ABC.U', 'ABC U']],
  ['BF.B', ['BF.B', 'BF-B', 'BF/B', 'BF B', 'BFB', 'bf/b']],
  ['HEI.A', ['HEI.A', 'HEI-A', 'HEIA']],
  ['BAC-PL', ['BAC-PL', 'BAC PRL', 'BAC PR L', 'BAC.PR.L', 'BAC/PL', 'BAC.PRL', 'BAC^L', 'BACpL', 'BAC-P-L']]
])('every spelling of %s is read as it', (symbol, spellings) => {
  expect(spellings.map(readSymbol)).toEqual(spellings.map(() => symbol))
})

test.each([
  'SPY',
  'AAPL',
  'LENZ',
  'BTC-USD',
  '^GSPC',
  'X',
  'BRK',
  'VIX1D',
  'ES=F',
  'SPXPM'
])('%s stays as it is', (symbol) => {
  expect(readSymbol(symbol)).toBe(symbol)
})

test('words of single letters are no symbol', () => {
  expect(readSymbol('S P Y')).toBeUndefined()
  expect(readSymbol('SP Y Z')).toBeUndefined()
})

test('spelling twice changes nothing', () => {
  for (const text of ['BRKB', 'BAC PR L', 'bf b', 'SPY'])
    expect(shareSpelling(shareSpelling(text))).toBe(shareSpelling(text))
})

test('a root leads to the symbol that lists it', () => {
  expect(['BRKB', 'SPXW', 'VIXW', 'RUTW', 'NDXP', 'SPX', 'XSP', 'AAPL'].map(symbolOfRoot)).toEqual([
    'BRK.B',
    'SPX',
    'VIX',
    'RUT',
    'NDX',
    'SPX',
    'XSP',
    'AAPL'
  ])
})

test('only some indexes trade at night', () => {
  expect(['SPX', 'VIX', 'XSP', 'SPY', 'RUT', 'AAPL'].filter(hasGlobalHours)).toEqual(['SPX', 'VIX', 'XSP'])
})

test.each(['ﬀ', 'ı', 'ſpy', 'Ä', 'brk．b'])('%s is no symbol, though its capitals would look like one', (text) => {
  expect(shareSpelling(text)).toBe(text)
  expect(readSymbol(text)).toBeUndefined()
})
