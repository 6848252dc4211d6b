import { expect, test } from 'vitest'
import { kill } from '../../trials/kill.ts'
import { hasEngine } from '../support/engine.ts'

test('kill -9 under load, five times over on one data folder, loses nothing acknowledged and doubles nothing', async () => {
  const { rounds, faults, snapshotsKept } = await kill({ rounds: 5, seed: 1 })
  expect(faults).toEqual([])
  expect(rounds).toHaveLength(5)
  // Each round had something to lose.
  for (const { safe, answered, known, users } of rounds) {
    expect(safe).toBeGreaterThan(20)
    expect(known).toBeGreaterThanOrEqual(safe)
    expect(answered).toBeGreaterThan(safe)
    expect(users).toBeGreaterThan(0)
  }
  if (!hasEngine) return
  const written = rounds.reduce((sum, { snapshots }) => sum + snapshots, 0)
  expect(written).toBeGreaterThan(0)
  expect(snapshotsKept).toBeGreaterThanOrEqual(written)
}, 600_000)
