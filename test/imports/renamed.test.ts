import { expect, test } from 'vitest'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { importDaily } from '../../src/imports/daily/import-daily.ts'
import { parseLeanName } from '../../src/imports/lean/lean-names.ts'
import { importPrints } from '../../src/imports/prints/import-prints.ts'
import { parseOcc } from '../../src/market/occ.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { folderWith, noParquet, take } from './take.ts'

const archive = { bars: async () => [], writeTableText: noParquet }
const given = { columns: undefined, symbol: undefined, archive }

test.each([
  ['the symbol', 'symbol', 'FB', 'META'],
  ['symbol and root', 'symbol,root', 'FB,FB', 'META,META'],
  ['the option', 'occ', 'FB220617C00200000', 'META220617C00200000']
])('a chain that names the company in %s is one under either name', async (_, columns, old, current) => {
  const terms = columns === 'occ' ? '' : 'expiration,strike,right,'
  const cells = columns === 'occ' ? '' : '2022-06-17,200,C,'
  const file = (names: string, date: string) =>
    `date,${columns},${terms}bid,ask,underlying_price\n${date},${names},${cells}5,5.2,196.64\n`
  const folder = folderWith({ 'old.csv': file(old, '2022-06-08'), 'new.csv': file(current, '2022-06-09') })
  const { snapshots, rejections } = await take((writer) => importChains([folder], given, writer))
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => [chain.symbol, chain.expirations[0].root, chain.size])).toEqual([
    ['META', 'META', 1],
    ['META', 'META', 1]
  ])
})

test('bars and prints of the old name are of the new one', async () => {
  const bars = folderWith({ 'FB.csv': 'date,close\n2022-06-08,196.64\n', 'META.csv': 'date,close\n2022-06-09,184\n' })
  const daily = await take((writer) => importDaily([bars], given, writer))
  expect(daily.bars.map(([symbol, { date }]) => [symbol, date])).toEqual([
    ['META', '2022-06-08'],
    ['META', '2022-06-09']
  ])
  const prints = folderWith({ 'p.csv': 'time,occ,price,size\n2022-06-08 10:00:00,FB220617C00200000,5,1\n' })
  const { tapes } = await take((writer) =>
    importPrints([prints], { ...given, conditions: undefined, now: Date.UTC(2024, 0, 1) }, writer)
  )
  expect(tapes.symbols('option', '2022-06-08' as IsoDate)).toEqual(['META'])
})

test('an adjusted root of the old name stays one, and LEAN names lead to the company', () => {
  expect(parseOcc('FB1220617C00200000')).toMatchObject({ underlying: 'FB', adjusted: true })
  expect(parseLeanName('20220608_fb_minute_quote_american_call_2000000_20220617.csv')).toMatchObject({
    symbol: 'META',
    option: { root: 'META' }
  })
})
