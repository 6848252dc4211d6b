import { expect, test } from 'vitest'
import { type PaletteEntry, paletteMatches } from '../src/state/page/palette-entries.ts'

const OTHERS: readonly PaletteEntry[] = [
  { kind: 'screen', name: 'Flow', key: 'o' },
  { kind: 'screen', name: 'Lab', key: '7' },
  { kind: 'action', name: 'Dark or light', key: 't' }
]
const SYMBOLS = ['AAPL', 'LAB', 'LABU', 'QQQ', 'QQQM', 'SQQQ', 'AFLOW']
const names = (typed: string) => paletteMatches(typed, SYMBOLS, OTHERS).map(({ kind, name }) => `${kind} ${name}`)

test('a name that is written whole comes first, then what begins with it, then what contains it', () => {
  expect(names('qqq')).toEqual(['symbol QQQ', 'symbol QQQM', 'symbol SQQQ'])
  expect(names('lab')).toEqual(['symbol LAB', 'screen Lab', 'symbol LABU'])
  expect(names(' fl ')).toEqual(['screen Flow', 'symbol AFLOW'])
  expect(names('light')).toEqual(['action Dark or light'])
  expect(names('zzz')).toEqual([])
})

test('without a word everything but the rest of the symbols is offered', () => {
  expect(names('')).toEqual([
    ...SYMBOLS.slice(0, 6).map((name) => `symbol ${name}`),
    'screen Flow',
    'screen Lab',
    'action Dark or light'
  ])
})
