import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openHistory } from '../../src/archive/open.ts'
import type { Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { eastern } from '../support/hand-made.ts'
import { sources, withTypes } from '../support/run-source.ts'

const rounds = 10
const symbol = 'F' as Ticker
const first = eastern('2026-07-29', '09:30')
const second = 1000

/**
 * Writes snapshots in pairs, one second after another from `from` on, and says which are safe. It begins with the pair
 * before, because a writer that was killed before an answer came has to write again what may or may not be there.
 */
const writer = `
  import { writeSync } from 'node:fs'
  const { openHistory } = await import('${sources.href}archive/open.ts')
  const { createSynthetic } = await import('${sources.href}connectors/synthetic/synthetic-connector.ts')
  const [data, from] = process.argv.slice(1)
  const { store } = await openHistory({ data, history: 'embedded', recordVersion: 1 })
  const market = createSynthetic({ seed: 1 })
  writeSync(1, 'open\\n')
  for (let k = Math.max(0, Number(from) - 2); ; k += 2) {
    const chains = await Promise.all([k, k + 1].map((n) => market.chain('${symbol}', ${first} + n * ${second})))
    await store.writeSnapshots(chains.map((chain) => ({ chain, fidelity: 'recorded', missing: [] })))
    writeSync(1, (k + 2) + '\\n')
  }
`

/** Kills a writer after a while. Resolves to the number of snapshots whose writes were acknowledged. */
async function writeAndDie(data: string, from: number, milliseconds: number): Promise<number> {
  const child = spawn(process.execPath, [...withTypes, '--input-type=module', '-e', writer, data, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let output = ''
  // On a machine that is busy with other things, too, each of them has written something new.
  const written = new Promise<void>((done) => {
    child.stdout.on('data', (text) => {
      output += text
      if (output.split('\n').length > 3) done()
    })
  })
  const ended = new Promise<NodeJS.Signals | null>((done) => child.once('close', (_, signal) => done(signal)))
  await Promise.race([written, ended])
  await pause(milliseconds)
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  return Math.max(from, ...output.split('\n').slice(1, -1).map(Number))
}

test.skipIf(!hasEngine)(
  `of ${rounds} writers killed at work nothing that was acknowledged is lost, and nothing is doubled`,
  async () => {
    const data = dataFolder()
    let safe = 0
    let held = 0
    for (let round = 0; round < rounds; round++) {
      safe = await writeAndDie(data, safe, (round * 137) % 400)
      const { store } = await openHistory({ data, history: 'embedded', recordVersion: 1 })
      const coverage = await store!.coverage(symbol)
      held = coverage?.days[0]?.snapshots ?? 0
      // The pair that was under way may be there as well, whole or not at all.
      expect([safe, safe + 2], `round ${round}`).toContain(held)
      await store!.close()
    }
    expect(safe).toBeGreaterThan(2 * rounds)

    const { store } = await openHistory({ data, history: 'embedded', recordVersion: 1 })
    for (let k = 0; k < safe; k++) {
      expect((await store!.snapshot(symbol, first + k * second))?.asOf).toBe(first + k * second)
    }
    const file = join(data, 'all.csv')
    await store!.exportQuotes({ symbol, from: first, to: first + 3600 * second, format: 'csv' }, file)
    await store!.close()
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1)
    const contracts = rows.map((row) => row.split(',').slice(1, 8).join())
    expect(new Set(contracts).size).toBe(rows.length)
    expect(new Set(rows.map((row) => row.split(',')[1])).size).toBe(held)
  },
  180_000
)
