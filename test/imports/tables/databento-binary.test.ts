import { expect, test } from 'vitest'
import { importDaily } from '../../../src/imports/daily/import-daily.ts'
import { folderWith, noParquet, take } from '../take.ts'

const header = Buffer.from('DBN\u0002\u0010\u0000\u0000\u0000OPRA.PILLAR')
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0])

test.each([
  ['by its beginning', 'SPY.csv', header],
  ['by its name', 'SPY.dbn', header],
  ['packed, by its name', 'opra.dbn.zst', zstd]
])('a file in DBN is known %s, and the text says what to do', async (_, name, bytes) => {
  const options = { columns: undefined, symbol: undefined, archive: { writeTableText: noParquet } }
  const { rejections, bars } = await take((writer) => importDaily([folderWith({ [name]: bytes })], options, writer))
  expect(bars).toEqual([])
  expect(rejections.map(({ reason }) => reason)).toEqual([
    'it is in DBN, the binary format of Databento, which is not read: export it as CSV (encoding csv)'
  ])
})
