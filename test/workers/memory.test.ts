import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../support/engine.ts'
import { sources, withTypes } from '../support/run-source.ts'

// Chains of 4 MB pass from a worker that only fills them to a thread that drops them again: 800 MB in all. Resident memory
// is that of a process of its own, since that of this one is the test runner's. They come with pauses, as those of a service
// do, in which a busy machine collects too. `npm run bench -- soak` does the same with a whole service.
const CHAINS = 200

const worker = `
import { contractColumns, quoteColumns } from '${sources.href}market/chain.ts'
import { sharedMemory } from '${sources.href}memory/shared-memory.ts'
import { serveTasks } from '${sources.href}workers/serve-tasks.ts'
const size = 70_000
const contracts = contractColumns(size)
serveTasks((task, args) => {
  const columns = { ...(args.now === undefined ? contracts : contractColumns(size)), ...quoteColumns(size) }
  for (const column of Object.values(columns)) column.fill(1)
  const sigma = new Float64Array(sharedMemory(8 * size)).fill(1)
  return { symbol: 'SPX', asOf: args.now ?? args.snapshot.asOf, size, expirations: [], ...columns, sigma }
})
`

const program = (path: string, steps: string) => `
import { pathToFileURL } from 'node:url'
import { HeldChain } from '${sources.href}pricing/held-chain.ts'
import { ArchiveReader } from '${sources.href}replay/archive-reader.ts'
import { ChainReferences } from '${sources.href}replay/restored-chains.ts'
import { createPool } from '${sources.href}workers/pool.ts'
const engine = await createPool({ workers: 1, program: pathToFileURL(${JSON.stringify(path)}), onCrash: () => process.exit(1) })
const resident = []
const step = ${steps}
for (let k = 1; k <= ${CHAINS}; k++) {
  await step(k)
  await new Promise((resolve) => setTimeout(resolve, 10))
  if (k % ${CHAINS / 10} === 0) resident.push(process.memoryUsage.rss() / 2 ** 20)
}
console.log(JSON.stringify(resident))
process.exit()
`

const livePolls = `await (async () => {
  const held = new HeldChain((chain) => engine.forget(chain))
  return async (k) => held.replace(await engine.run('loadChain', { symbol: 'SPX', now: k }))
})()`

const coldAnswers = `await (async () => {
  const reader = new ArchiveReader({}, engine, { contracts: 350_000 })
  return (k) => reader.chain({ symbol: 'SPX', asOf: k, fidelity: 'recorded' }, 'SPX')
})()`

const leasedAnswers = `await (async () => {
  const reader = new ArchiveReader({}, engine, { contracts: 350_000 })
  return async (k) => {
    const references = new ChainReferences()
    await reader.chain({ symbol: 'SPX', asOf: k, fidelity: 'recorded' }, 'SPX', references)
    references.release()
  }
})()`

/** Megabytes after each tenth of the work. */
async function residentDuring(steps: string): Promise<readonly number[]> {
  const folder = dataFolder()
  const [threads, main] = ['worker.mjs', 'main.mjs'].map((name) => join(folder, name))
  writeFileSync(threads, worker)
  writeFileSync(main, program(threads, steps))
  const { stdout } = await promisify(execFile)(process.execPath, [...withTypes, main])
  return JSON.parse(stdout) as readonly number[]
}

/** Memory goes up and down between two collections, far below the 860 MB that would be there if nothing went. */
function expectFlat(resident: readonly number[]): void {
  expect(Math.max(...resident), `MB: ${resident.map(Math.round).join(', ')}`).toBeLessThan(400)
}

describe('resident memory of a process', () => {
  test('does not grow with the polls of a live symbol', async () => {
    expectFlat(await residentDuring(livePolls))
  })

  test('does not grow with cold answers about the past', async () => {
    expectFlat(await residentDuring(coldAnswers))
  })

  test('stays the same where each gives the memory of its chain to a later one', async () => {
    const resident = (await residentDuring(leasedAnswers)).slice(1)
    expect(Math.max(...resident) - Math.min(...resident), `MB: ${resident.join(', ')}`).toBeLessThan(25)
  })
})
