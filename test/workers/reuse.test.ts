import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ChainGone } from '../../src/market/gone-chain.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { createPool } from '../../src/workers/pool.ts'
import { dataFolder } from '../support/engine.ts'
import { sources } from '../support/run-source.ts'

// The memory of a chain that is given back, with a worker that does nothing else: a chain is filled with the moment it is
// loaded for, and a task that looks at one ends when the test lets it.

const worker = `
import { quoteColumns } from '${sources.href}market/chain.ts'
import { sharedMemory } from '${sources.href}memory/shared-memory.ts'
import { serveTasks } from '${sources.href}workers/serve-tasks.ts'
const size = 10
const strike = new Float64Array(sharedMemory(8 * size))
const waiting = []
serveTasks(async (task, args, { chainOf }) => {
  if (task === 'loadBars') return waiting.splice(0).forEach((go) => go())
  if (task === 'makeFigureRow') {
    const chain = chainOf(args.chain)
    await new Promise((go) => waiting.push(go))
    return chain.sigma[0]
  }
  const quotes = quoteColumns(size)
  const sigma = new Float64Array(sharedMemory(8 * size)).fill(args.now)
  return { symbol: 'SPX', asOf: args.now, size, expirations: [], strike, ...quotes, sigma }
})
`
const spx = 'SPX' as Ticker

describe('a chain that is given back', () => {
  const started = async (retiredChains = 2 ** 20) => {
    const program = join(dataFolder(), 'worker.mjs')
    writeFileSync(program, worker)
    const engine = await createPool({
      workers: 1,
      program: pathToFileURL(program),
      memory: { retiredChains },
      onCrash: () => {}
    } as never)
    const load = async (now: number) => (await engine.run('loadChain', { symbol: spx, now: now as Instant }))!
    const makeRow = (chain: PricedChain) => engine.run('makeFigureRow', { chain })
    const letGo = () => engine.run('loadBars', { symbol: spx, now: 0 as Instant })
    return { engine, load, makeRow, letGo }
  }

  test('has its memory used by the next one, that of its contracts left out', async () => {
    const { engine, load } = await started()
    const first = await load(1)
    engine.forget(first, true)
    const second = await load(2)
    expect([first.sigma[0], second.sigma[0]]).toEqual([2, 2])
    second.bid[0] = 7
    expect(first.bid[0]).toBe(7)
    second.strike[0] = 5
    engine.forget(second, true)
    expect((await load(3)).strike[0]).toBe(5)
    await engine.close()
  })

  test('is left alone until the last task that looks at it has ended', async () => {
    const { engine, load, makeRow, letGo } = await started()
    const first = await load(1)
    const rows = [makeRow(first), makeRow(first)]
    engine.forget(first, true)
    const second = await load(2)
    expect(first.sigma[0]).toBe(1)
    await letGo()
    expect(await Promise.all(rows)).toEqual([1, 1])
    await load(3)
    expect([first.sigma[0], second.sigma[0]]).toEqual([3, 2])
    await engine.close()
  })

  test('is left to the garbage collector where nobody says that it is unused, or it was sent once more', async () => {
    const { engine, load, makeRow, letGo } = await started()
    const [first, second] = [await load(1), await load(2)]
    engine.forget(first)
    const late = makeRow(first)
    await letGo()
    expect(await late).toBe(1)
    engine.forget(first, true)
    engine.forget(second)
    await load(3)
    expect([first.sigma[0], second.sigma[0]]).toEqual([1, 2])
    await engine.close()
  })

  test('is given back some time after it was replaced, and not while it is lent', async () => {
    const { engine, load, makeRow, letGo } = await started(0)
    const first = await load(1)
    const release = engine.lend(first)
    engine.retire(first)
    const second = await load(2)
    const seen = makeRow(first)
    await letGo()
    expect(await seen).toBe(1)
    engine.retire(second)
    await load(3)
    expect([first.sigma[0], second.sigma[0]]).toEqual([1, 3])
    release()
    await load(4)
    expect(first.sigma[0]).toBe(4)
    await expect(makeRow(first)).rejects.toBeInstanceOf(ChainGone)
    await engine.close()
  })

  test('cannot be asked about, and a refusal leaves what else the task names as it was', async () => {
    const { engine, load, makeRow, letGo } = await started()
    const [first, second] = [await load(1), await load(2)]
    engine.forget(first, true)
    await expect(makeRow(first)).rejects.toThrow('a chain of SPX is asked about after its memory was given back')
    const other = { ...second }
    await expect(engine.run('assessChain', { chain: other, prior: first })).rejects.toThrow('was given back')
    const seen = makeRow(other)
    await letGo()
    expect(await seen).toBe(2)
    await engine.close()
  })
})
