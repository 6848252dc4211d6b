import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import { decodeHeader, decodeSnapshot } from '../../src/archive/codec/decode-snapshot.ts'
import { archiveOrder } from '../../src/archive/codec/prices.ts'
import { packedLayout, toSnapshotBytes } from '../../src/archive/codec/snapshot-bytes.ts'
import { enginePath, openHistory } from '../../src/archive/open.ts'
import { type Chain, chainOf, contractColumns, type Expiration, headerOf } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'

interface GoldenRow {
  readonly table: string
  readonly columns: readonly string[]
  readonly row: string
}

/** A stored snapshot as version 6 of the archive wrote it, once as rows and once packed for a session file, and its chain. */
const golden = JSON.parse(readFileSync(new URL('golden/snapshot.json', import.meta.url), 'utf8')) as {
  readonly contractList: GoldenRow
  readonly snapshot: GoldenRow
  /** Bytes in base 64 by the layout of their columns. */
  readonly packed: Readonly<Record<string, string>>
  readonly chain: Pick<Chain, 'symbol' | 'asOf' | 'delay' | 'spot'> & {
    readonly quote: { readonly ask: number; readonly last: number; readonly time: number }
    readonly expirations: readonly Expiration[]
    readonly columns: Readonly<Record<string, string>>
  }
}

/** The chain that every form of the snapshot has to give. */
function goldenChain(): Chain {
  const { expirations, quote, columns, ...header } = golden.chain
  const figures = contractColumns(expirations.at(-1)!.end)
  for (const [name, column] of Object.entries(figures)) column.set(columns[name].split(' ').map(Number))
  return chainOf({ ...header, quote: { bid: undefined, ...quote } }, figures, expirations)
}

const chain = goldenChain()
const { symbol, asOf } = chain

test.skipIf(!hasEngine)('rows that an earlier version wrote give the same chain for ever', async () => {
  const data = dataFolder()
  const open = async () => (await openHistory({ data, history: 'embedded', recordVersion: 1 })).store!
  await (await open()).close()
  const connection = await openEmbedded(join(data, 'history'), enginePath)
  for (const { table, columns, row } of [golden.contractList, golden.snapshot]) {
    await connection.insert(table, columns, Buffer.from(`${row}\n`))
  }
  await connection.close()
  const store = await open()
  const stored = (await store.snapshot(symbol, asOf))!
  expect(stored.fidelity).toBe('imported')
  expect(decodeSnapshot(stored)).toStrictEqual(chain)
  expect(decodeHeader(stored, symbol)).toStrictEqual(headerWithoutSource(chain))
  const [row] = await store.snapshotRows(symbol, easternDate(asOf), asOf, asOf)
  const packed = Buffer.from(await toSnapshotBytes(row)).toString('base64')
  expect(golden.packed, `a new layout; enter it as "${packedLayout}": "${packed}"`).toHaveProperty(packedLayout)
  await store.close()
})

test('packed bytes of the present layout give the same chain', () => {
  const { expirations, strike, right, openInterest } = chain
  const contracts = { expirations, strike, right, openInterest, slots: archiveOrder(expirations, right) }
  expect(golden.packed, 'a new layout: see the other test').toHaveProperty(packedLayout)
  const columns = Buffer.from(golden.packed[packedLayout], 'base64')
  const stored = { symbol, asOf, fidelity: 'imported', packed: { contracts, columns } } as const
  expect(decodeSnapshot(stored)).toStrictEqual(chain)
  expect(decodeHeader(stored, symbol)).toStrictEqual(headerWithoutSource(chain))
})

function headerWithoutSource(of: Chain): Omit<Chain, 'source'> {
  const { source, ...header } = headerOf(of)
  return header as Chain
}
