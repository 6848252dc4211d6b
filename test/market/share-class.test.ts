import { expect, test } from 'vitest'
import { hasGlobalHours, isSecurityNumber, readSymbol, symbolOfRoot } from '../../src/market/security.ts'
import { shareSpelling } from '../../src/market/share-class.ts'

test.each([
  ['BRK.B', ['BRK.B', 'BRK-B', 'BRK/B', 'BRK B', 'BRKB', 'brk.b', ' brk-b ']],
  ['BRK.B', ['BRK_B', 'BRK.B.US', 'NYSE:BRK.B', 'US.BRK.B', 'BRK/B US Equity', 'BRK-B US']],
  ['AAPL', ['AAPL.US', 'NASDAQ:AAPL', 'US.AAPL', 'AAPL US Equity', 'aapl uw equity', 'AAPL Equity']],
  ['KO', ['KO.N', 'KO.K', 'NYSE.KO', 'KO US Equity', 'KO.US', 'KO-US', 'KO:US', 'XNYS:KO', 'KO.NYSE', 'KO (NYSE)']],
  ['AAPL', ['AAPL.O', 'AAPL.OQ', 'NASDAQ.AAPL', 'NasdaqGS:AAPL', 'NAS:AAPL', 'AAPL:NSQ', 'US:AAPL', 'AAPL-US']],
  ['SPY', ['SPY.P', 'SPY.ARCA', 'ARCX:SPY', 'NYSEARCA:SPY', 'SPY (NYSE Arca)']],
  ['BRK.B', ['BRKb.N', 'BRK.B-US', 'NYSE.BRK.B', 'XNYS:BRK/B', 'NYS:BRK.B', 'BRK B:US']],
  ['BF.B', ['BFb.N', 'BF.B-US', 'BF/B UN Equity', 'XNYS:BF-B']],
  ['CBOE', ['CBOE', 'CBOE.Z', 'CBOE.US', 'BATS:CBOE']],
  ['N', ['N', 'N.N', 'NYSE:N']],
  ['SPX', ['SPX.X', '$SPX.X', 'SPX.XO', 'SPX.IND', 'SPX Index', 'CBOE:SPX', 'SP:SPX', 'I:SPX']],
  ['US', ['US', 'us']],
  ['ABC.U', ['ABC.U', 'ABC U']],
  ['BF.B', ['BF.B', 'BF-B', 'BF/B', 'BF B', 'BFB', 'bf/b']],
  ['HEI.A', ['HEI.A', 'HEI-A', 'HEIA']],
  ['BAC-PL', ['BAC-PL', 'BAC PRL', 'BAC PR L', 'BAC.PR.L', 'BAC/PL', 'BAC.PRL', 'BAC^L', 'BACpL', 'BAC-P-L']],
  ['BAC-PL', ['BAC_pl.N', 'BAC_pL', 'BACpL.N', 'NYSE:BAC/PL', 'BAC-PL.US']]
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
  'BRK.A',
  'MOG.A',
  'MKC.V',
  'C.P',
  'KO.DE',
  'SHOP.TO',
  '.N',
  'VIX1D',
  'ES=F',
  'SPXPM'
])('%s stays as it is', (symbol) => {
  expect(readSymbol(symbol)).toBe(symbol)
})

test.each([
  'US0378331005',
  '037833100',
  '38259P508',
  '2046251',
  'B4BNMY3',
  'BBG000B9XRY4'
])('the number %s of a security is no symbol', (text) => {
  expect(readSymbol(text)).toBeUndefined()
  expect(isSecurityNumber(text)).toBe(true)
})

test.each([
  'VIX1D',
  'COR1M',
  '2BA',
  'AMD1',
  'SP500',
  'T10Y2Y',
  'DGS10',
  'DJUS30'
])('%s is no number of a security', (text) => {
  expect(isSecurityNumber(text)).toBe(false)
})

test('words of single letters are no symbol', () => {
  expect(readSymbol('S P Y')).toBeUndefined()
  expect(readSymbol('SP Y Z')).toBeUndefined()
})

test('spelling twice changes nothing', () => {
  for (const text of ['BRKB', 'BAC PR L', 'bf b', 'SPY'])
    expect(shareSpelling(shareSpelling(text))).toBe(shareSpelling(text))
})

test('a symbol is read as itself, however it was spelled before', () => {
  const owners = ['KO', 'N', 'BRK', 'SPY', 'BAC', 'SPX', 'ABCDE']
  const ends = ['', ...Array.from({ length: 26 }, (_, k) => String.fromCharCode(65 + k)), 'OQ', 'PK', 'PL', 'US', 'XO']
  const spellings = owners.flatMap((owner) =>
    ends.flatMap((end) => ['.', ' ', '-', '/', '_', ':', '', '.PR.', ' US '].map((mark) => `${owner}${mark}${end}`))
  )
  const read = spellings.map((text) => [text, readSymbol(text)] as const).filter(([, symbol]) => symbol !== undefined)
  expect(read.filter(([, symbol]) => readSymbol(symbol!) !== symbol)).toEqual([])
  expect(read.length).toBeGreaterThan(spellings.length / 2)
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
