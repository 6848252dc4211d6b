import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sources, withTypes } from '../support/run-source.ts'
import { folderWith } from './take.ts'

/** As objects these rows take twice the heap that the process has. */
const ROWS = 500_000
const HEAP_MB = 48

const program = (table: string) => `
import { importChains } from '${sources.href}imports/chains/import-chains.ts'
import { createImportWriter } from '${sources.href}imports/import-writer.ts'
const written = []
const writer = createImportWriter({
  store: { writeSnapshots: async (batch) => void written.push(...batch) },
  signal: new AbortController().signal,
  onNote: () => {}
})
await importChains([${JSON.stringify(table)}], { columns: undefined, symbol: undefined, archive: {} }, writer)
const tally = await writer.finish()
console.log(JSON.stringify({ tally, chains: written.map(({ chain }) => [chain.size, chain.volume[0]]) }))
`

test('a packed table with the same contract over and over has a bound on memory', async () => {
  let text = 'date,symbol,expiration,strike,right,bid,ask,volume,underlying_price\n'
  for (let k = 1; k <= ROWS; k++) text += `2024-01-05,SPY,2024-01-19,470,C,${(k % 97) / 10},9.8,${k},467.92\n`
  const folder = folderWith({ 'a.csv.gz': gzipSync(text, { level: 1 }) })
  const path = join(folder, 'main.mjs')
  writeFileSync(path, program(join(folder, 'a.csv.gz')))
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...withTypes,
    `--max-old-space-size=${HEAP_MB}`,
    path
  ])
  expect(JSON.parse(stdout)).toMatchObject({ tally: { snapshots: 0, rejected: 1 }, chains: [] })
})
