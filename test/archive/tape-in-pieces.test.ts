import { expect, test } from 'vitest'
import { selectTape } from '../../src/archive/clickhouse/tape-queries.ts'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import type { TapeId } from '../../src/archive/history-store.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { nativeRows, printTypes } from '../support/memory-tapes.ts'

const id: TapeId = { symbol: 'SPY' as Ticker, kind: 'stock', session: '2026-07-29' as IsoDate }
const headTypes = { source: 'String', unit: 'Float64', head: 'Float64' }

/** A row in which every column holds the position, without flags. */
const rowAt = (position: number) => {
  const fields = Object.keys(printTypes).map((name) => [name, name === 'flags' ? '0' : `${position}`])
  return Object.fromEntries(fields)
}

/** Answers as a database with prints at these positions. The number of the tape's version comes from `version`. */
function connectionTo(positions: readonly number[], version: () => number) {
  const spans: string[] = []
  const read = async (query: string): Promise<Uint8Array> => {
    if (query.includes('FROM tapes'))
      return nativeRows([{ source: 'recorded', unit: '0.01', head: `${version()}` }], headTypes)
    if (query.includes('FROM tape_series')) return new Uint8Array()
    if (query.includes('max(position)'))
      return nativeRows([{ end: `${Math.max(...positions) + 1}` }], { end: 'Float64' })
    const [, from, to] = /position >= (\d+) AND position < (\d+)/.exec(query)!
    spans.push(`${from} ${to}`)
    const found = positions.filter((position) => position >= Number(from) && position < Number(to))
    return nativeRows(found.map(rowAt), printTypes)
  }
  return { connection: { read } as unknown as Parameters<typeof selectTape>[0], spans }
}

test('a long tape is read in pieces that meet without a gap, and each row once where it was written twice', async () => {
  const positions = [0, 1, 262_143, 262_143, 262_144, 600_000]
  const { connection, spans } = connectionTo(positions, () => 1)
  const tape = decodeTape((await selectTape(connection, id))!)
  expect(spans).toEqual(['0 262144', '262144 524288', '524288 786432'])
  expect([...tape.prints.instrument]).toEqual([0, 1, 262_143, 262_144, 600_000])
  expect(tape.end).toBe(600_001)
})

test('a tape that is replaced while its pieces are read is read anew', async () => {
  const versions = [1, 2, 2]
  const { connection, spans } = connectionTo([0, 1], () => versions.shift()!)
  expect((await selectTape(connection, id))?.written).toBe(2)
  expect(spans).toEqual(['0 262144', '0 262144'])
})
