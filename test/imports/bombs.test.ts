import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { folderWith, noParquet, take } from './take.ts'
import { zipOf } from './zip-file.ts'

const endless = '0'.repeat(32 * 2 ** 20)

async function imported(files: Readonly<Record<string, Uint8Array>>) {
  const archive = { bars: async () => [], writeTableText: noParquet }
  const options = { columns: undefined, symbol: undefined, archive }
  const { rejections, snapshots } = await take((writer) => importChains([folderWith(files)], options, writer))
  return { reasons: rejections.map(({ reason }) => reason), snapshots }
}

test.each([
  ['a gzip', 'a.csv.gz', () => gzipSync(endless)],
  ['a zip', 'a.zip', () => zipOf({ 'a.csv': endless })]
] as const)('%s of one endless line is refused after a megabyte', async (_, name, packed) => {
  const { reasons, snapshots } = await imported({ [name]: packed() })
  expect([reasons, snapshots]).toEqual([['it is no table: it has a line of over a megabyte'], []])
})

test('a zip that unpacks to more than it declares is refused', async () => {
  const zip = zipOf({ 'a.csv': endless })
  const declared = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24
  zip.writeUInt32LE(1000, declared)
  const { reasons, snapshots } = await imported({ 'a.zip': zip })
  expect([reasons, snapshots]).toEqual([[expect.stringContaining('too many bytes in the stream')], []])
})
